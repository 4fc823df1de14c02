import { describe, expect, test } from "vitest";
import { asClassifier } from "../../../src/models/index.ts";
import { samples } from "../answers.ts";
import { json } from "../service.ts";
import { start } from "../start.ts";
import { anthropic, chat, google, responses, said } from "./said.ts";

const questions = [
  { id: "mood", type: "choice", question: "How does it sound?", choices: ["glad", "sad"] },
  { id: "length", type: "score", question: "How long is it?", minimum: 1, maximum: 5 },
  { id: "isQuestion", type: "bool", question: "Is it a question?" },
] as const;
const input = { state: "x", questions };

const wrong: readonly (readonly [text: string, param: string | undefined, raw: unknown])[] = [
  ["I would say glad.", undefined, "I would say glad."],
  ["", undefined, ""],
  ['{"q1":"glad","q2":2', undefined, '{"q1":"glad","q2":2'],
  ['["glad",2,true]', undefined, '["glad",2,true]'],
  ["null", undefined, "null"],
  [`${"[".repeat(600)}${"]".repeat(600)}`, undefined, expect.any(String)],
  ['{"q1":"angry","q2":2,"q3":true}', "mood", "angry"],
  ['{"q1":["glad"],"q2":2,"q3":true}', "mood", ["glad"]],
  ['{"q1":"glad","q2":5.01,"q3":true}', "length", 5.01],
  ['{"q1":"glad","q2":"2","q3":true}', "length", "2"],
  ['{"q1":"glad","q2":1e999,"q3":true}', "length", "Infinity"],
  ['{"q1":"glad","q2":2,"q3":"true"}', "isQuestion", "true"],
  ['{"q1":"glad","q2":2}', "isQuestion", { q1: "glad", q2: 2 }],
  ['{"q1":"glad","q2":2,"__proto__":{"q3":true}}', "isQuestion", expect.any(Object)],
  ['{"q1":"sad","q1":"glad","q2":2,"q3":true}', "mood", expect.stringContaining("sad")],
];

describe.each(samples)("an answer of $api that does not fit is an error with what came:", (sample) => {
  test.each(wrong)("%s", async (text, param, raw) => {
    const { models, model, service } = await start(sample, (_request, response) =>
      json(response, 200, said(sample, text)),
    );
    const result = await models.classify(asClassifier(model), input);
    expect(result).toMatchObject({
      stopReason: "error",
      answers: {},
      error: { type: "answer", kind: "server", retryable: false, raw },
      text,
      usage: { input: 12, output: 7 },
    });
    if (result.stopReason === "error") expect(result.error?.param).toBe(param);
    expect(service.received).toHaveLength(1);
  });
});

const cut = [
  {
    sample: chat,
    whole: { choices: [{ index: 0, message: { role: "assistant", content: '{"q1' }, finish_reason: "length" }] },
  },
  { sample: responses, whole: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } },
  { sample: anthropic, whole: { stop_reason: "max_tokens" } },
  {
    sample: google,
    whole: { candidates: [{ content: { role: "model", parts: [{ text: "{" }] }, finishReason: "MAX_TOKENS" }] },
  },
];
test.each(cut)("an answer of $sample.api that was cut off says so", async ({ sample, whole }) => {
  const { models, model } = await start(sample, (_request, response) =>
    json(response, 200, { ...said(sample, '{"q1'), ...whole }),
  );
  expect(await models.classify(asClassifier(model), input)).toMatchObject({
    stopReason: "error",
    error: { type: "answer" },
    errorMessage: expect.stringContaining("cut off"),
  });
});

const refused = [
  {
    sample: chat,
    whole: {
      choices: [{ index: 0, message: { role: "assistant", content: null, refusal: "No." }, finish_reason: "stop" }],
    },
  },
  { sample: anthropic, whole: { content: [{ type: "text", text: "No." }], stop_reason: "refusal" } },
  {
    sample: google,
    whole: { candidates: [{ content: { role: "model", parts: [{ text: "No." }] }, finishReason: "SAFETY" }] },
  },
];
test.each(refused)("a refusal of $sample.api is told as one", async ({ sample, whole }) => {
  const { models, model } = await start(sample, (_request, response) =>
    json(response, 200, { ...said(sample, ""), ...whole }),
  );
  expect(await models.classify(asClassifier(model), input)).toMatchObject({
    stopReason: "error",
    error: { kind: "content_filter", raw: "No." },
  });
});

test("a call of a tool is no answer", async () => {
  const { models, model } = await start(chat, (_request, response) => json(response, 200, chat.whole));
  expect(await models.classify(asClassifier(model), input)).toMatchObject({
    stopReason: "error",
    errorMessage: 'the model did not answer, but ended with "tool_calls"',
    text: "Hello there",
  });
});

test("a page in place of an answer, and a broken connection, are errors of their kind", async () => {
  const { models, model } = await start(chat, (_request, response, number) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "99" });
    response.write("<html>");
    if (number === 0) response.destroy();
    else response.end("x".repeat(93));
  });
  const once = { retry: { maxRetries: 0 } };
  expect(await models.classify(asClassifier(model), input, once)).toMatchObject({
    error: { type: "transport", retryable: true },
  });
  expect(await models.classify(asClassifier(model), input, once)).toMatchObject({
    stopReason: "error",
    errorMessage: expect.stringContaining("not an answer of a model"),
  });
});
