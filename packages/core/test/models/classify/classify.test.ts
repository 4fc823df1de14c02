import { describe, expect, test } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import type { ModelExchange, Question } from "../../../src/models/index.ts";
import { asClassifier } from "../../../src/models/index.ts";
import { samples } from "../answers.ts";
import { json } from "../service.ts";
import { key, start } from "../start.ts";
import { anthropic, chat, said } from "./said.ts";

const questions = [
  { id: "mood", type: "choice", question: "How does it sound?", choices: ["glad", "sad"] },
  { id: "length", type: "score", question: "How long is it?", minimum: 1, maximum: 5 },
  { id: "isQuestion", type: "bool", question: "Is it a question?" },
] as const satisfies readonly Question[];
const input = { state: { text: "What a day!" }, questions } as const;
const right = '{"q1":"glad","q2":2.5,"q3":false}';
const price = { input: 3, output: 15, date: "2026-11-01" };

describe.each(samples)("a classifier of $api", (sample) => {
  test("answers each question", async () => {
    const { models, model, service } = await start(
      sample,
      (_request, response) => json(response, 200, said(sample, right)),
      {},
      { model: { cost: price } },
    );
    const result = await models.classify(asClassifier(model), input);
    expect(result).toMatchObject({
      stopReason: "stop",
      answers: { mood: { value: "glad" }, length: { value: 2.5 }, isQuestion: { value: false } },
      text: right,
      provider: model.provider,
      model: "m",
      responseModel: "m-2026",
      rawStopReason: expect.any(String),
      usage: { input: 12, output: 7 },
      cost: { total: (12 * 3 + 7 * 15) / 1e6, basis: "list", priceDate: "2026-11-01" },
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
    expect(result.answers["mood"]).toEqual({ value: "glad" });
    const [request] = service.received;
    expect(request?.url).toMatch(sample.path);
    const sent = JSON.stringify(request?.body);
    expect(sent).toContain('"enum":["glad","sad"]');
    expect(sent).toContain(JSON.stringify(JSON.stringify(input.state)).slice(1, -1));
    expect(result.losses.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(result.losses.map(({ code }) => code)).not.toContain("format.field");
  });

  test("sees images behind the state", async () => {
    const { models, model, service } = await start(sample, (_request, response) =>
      json(response, 200, said(sample, right)),
    );
    const images = [{ data: "iVBORw0KGgo=", mediaType: "image/png" }];
    const result = await models.classify(asClassifier(model), { ...input, images });
    expect(result.stopReason).toBe("stop");
    const sent = JSON.stringify(service.received[0]?.body);
    expect(sent).toContain("iVBORw0KGgo=");
    expect(sent.indexOf("What a day!")).toBeLessThan(sent.indexOf("iVBORw0KGgo="));
  });

  test("that is refused says why, and is asked again where that may help", async () => {
    const { models, model, service } = await start(sample, (_request, response, number) =>
      number === 0 ? json(response, 429, sample.error) : json(response, 200, said(sample, right)),
    );
    const classifier = asClassifier(model);
    expect(await models.classify(classifier, input, { retry: { maxRetries: 0 } })).toMatchObject({
      stopReason: "error",
      answers: {},
      error: { kind: "rate_limit", status: 429, retryable: true },
      errorMessage: expect.stringContaining("slow down"),
    });
    expect((await models.classify(classifier, input)).stopReason).toBe("stop");
    expect(service.received).toHaveLength(2);
  });

  test("that is given up tells so", async () => {
    const control = new AbortController();
    const { models, model } = await start(sample, () => control.abort());
    const result = await models.classify(asClassifier(model), input, { signal: control.signal });
    expect(result).toMatchObject({ stopReason: "aborted", errorMessage: "the answer was given up", answers: {} });
    expect(result.cost).toBeUndefined();
    expect(result.usage.unreported).toContain("input");
  });

  test("that does not answer in time is told by its kind", async () => {
    const { models, model } = await start(sample, () => undefined);
    const options = { timeouts: { firstByteMs: 20 }, retry: { maxRetries: 0 } };
    expect(await models.classify(asClassifier(model), input, options)).toMatchObject({
      stopReason: "error",
      error: { kind: "timeout", type: "transport", providerCode: "firstByteTimeout" },
    });
  });
});

test("answers have the types of their questions", async () => {
  const { models, model } = await start(chat, (_request, response) => json(response, 200, said(chat, right)));
  const result = await models.classify(asClassifier(model), input);
  if (result.stopReason !== "stop") throw new Error(result.errorMessage);
  const mood: "glad" | "sad" = result.answers.mood.value;
  const length: number = result.answers.length.value;
  const isQuestion: boolean = result.answers.isQuestion.value;
  expect([mood, length, isQuestion]).toEqual(["glad", 2.5, false]);
  // @ts-expect-error nobody asked that
  expect(result.answers.colour).toBeUndefined();
});

test("a classifier of the provider is asked as it is, with the key of the call", async () => {
  const { models, model, service } = await start(chat, (_request, response) => json(response, 200, said(chat, right)));
  const classifier = { type: "classifier", id: "judge", provider: model.provider, api: "openai-chat" } as const;
  const result = await models.classify(
    classifier,
    { ...input, instructions: "Glad means in good spirits." },
    {
      apiKey: "sk-other-key-9876",
    },
  );
  expect(result.model).toBe("judge");
  const [request] = service.received;
  expect(request?.headers.authorization).toBe("Bearer sk-other-key-9876");
  expect(request?.body.messages[0].content).toMatch(/^Glad means in good spirits\.\n\n/);
  expect(request?.body).toMatchObject({
    model: "judge",
    stream: false,
    response_format: { type: "json_schema", json_schema: { name: "answers", strict: true } },
  });
  expect(request?.body).not.toHaveProperty("logprobs");
});

test("no model of another kind is asked", async () => {
  const { models, model, service } = await start(chat, (_request, response) => json(response, 200, said(chat, right)));
  // @ts-expect-error a chat model is no classifier unless it is made one
  await expect(models.classify(model, input)).rejects.toThrow(
    "openai/m is no classifier model: it is asked by stream() and complete(), or as a classifier by way of asClassifier()",
  );
  // @ts-expect-error an image model is no classifier
  await expect(models.classify({ ...model, type: "image" }, input)).rejects.toBeInstanceOf(ConfigError);
  await expect(models.classify({ ...asClassifier(model), api: "system-one" }, input)).rejects.toMatchObject({
    path: "/model/api",
  });
  await expect(models.classify({ ...asClassifier(model), api: "__proto__" }, input)).rejects.toMatchObject({
    path: "/model/api",
  });
  // @ts-expect-error a classifier is no chat model
  expect(() => models.stream(asClassifier(model), { messages: [] })).toThrow(ConfigError);
  expect(service.received).toEqual([]);
});

test("the exchange is told, without keys", async () => {
  const told: ModelExchange[] = [];
  const { models, model } = await start(anthropic, (_request, response) => json(response, 200, said(anthropic, right)));
  await models.classify(asClassifier(model), input, { onExchange: (exchange) => told.push(exchange) });
  expect(told).toMatchObject([{ api: "anthropic-messages", attempts: 1, response: { status: 200 } }]);
  expect(JSON.stringify(told)).not.toContain(key);
});

test("fetch is the caller's own", async () => {
  const { models, model, service } = await start(chat, () => undefined);
  let asked = "";
  const result = await models.classify(asClassifier(model), input, {
    fetch: async (url) => {
      asked = url;
      return new Response(JSON.stringify(said(chat, right)), { headers: { "content-type": "application/json" } });
    },
  });
  expect(asked).toBe(`${service.origin}/v1/chat/completions`);
  expect(result.stopReason).toBe("stop");
  expect(service.received).toEqual([]);
});
