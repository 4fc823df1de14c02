import { describe, expect, test } from "vitest";
import type { AssistantMessageEvent, ModelExchange } from "../../src/models/index.ts";
import { samples } from "./answers.ts";
import { events, frame, json } from "./service.ts";
import { key, start } from "./start.ts";

const context = {
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: "hi" } as const],
  tools: [
    {
      name: "read",
      description: "Reads a file.",
      parameters: { type: "object", properties: { path: { type: "string" } } },
    },
  ],
};

async function collect(stream: AsyncIterable<AssistantMessageEvent>): Promise<AssistantMessageEvent[]> {
  const list: AssistantMessageEvent[] = [];
  for await (const event of stream) list.push(event);
  return list;
}

describe.each(samples)("a model of $api", (sample) => {
  const answered = {
    role: "assistant",
    api: sample.api,
    provider: sample.provider({}).id,
    model: "m",
    responseModel: "m-2026",
    stopReason: "toolUse",
    rawStopReason: sample.raw,
    usage: { input: 12, output: 7, cacheRead: 0, cacheWrite: 0, totalTokens: 19 },
  };

  test("answers as a stream", async () => {
    const { service, models, model } = await start(sample, (_request, response) => events(response, sample.stream));
    const stream = models.stream(model, context);
    const list = await collect(stream);
    const message = await stream.result();
    expect(message).toMatchObject(answered);
    expect(list.at(0)).toMatchObject({ type: "start", message: { content: [], stopReason: "pending" } });
    expect(list.at(-1)).toEqual({ type: "done", reason: "toolUse", message });
    const texts = list.flatMap((event) => (event.type === "text_delta" ? [event.delta] : []));
    expect(texts).toEqual(["Hello", " there"]);
    expect(list.filter(({ type }) => type === "text_end")).toEqual([
      { type: "text_end", contentIndex: 0, text: "Hello there" },
    ]);
    const call = list.find((event) => event.type === "toolcall_end");
    expect(call).toMatchObject({ contentIndex: 1, toolCall: { name: "read", id: "call_1" } });
    expect(list.flatMap((event) => (event.type === "toolcall_delta" ? [event.delta] : [])).join("")).toBe(
      '{"path":"a"}',
    );
    expect(service.received.map(({ url }) => url)).toEqual([expect.stringMatching(sample.path)]);
  });

  test("answers as a whole, with the same message", async () => {
    const { models, model } = await start(sample, (request, response) => {
      if (request.body.stream === true || request.url.includes("stream")) events(response, sample.stream);
      else json(response, 200, sample.whole);
    });
    const whole = models.stream(model, context, { stream: false });
    const list = await collect(whole);
    const message = await whole.result();
    expect(message).toMatchObject(answered);
    expect(list.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "usage",
      "done",
    ]);
    const streamed = await models.complete(model, context);
    const bare = ({ content }: typeof message) => content.map(({ wire: _wire, state: _state, ...part }) => part);
    expect(bare(message)).toEqual(bare(streamed));
  });

  test("brings its key there, and nowhere else", async () => {
    const exchanges: ModelExchange[] = [];
    const { service, models, model } = await start(sample, (_request, response) => events(response, sample.stream), {
      onExchange: (exchange) => exchanges.push(exchange),
    });
    await models.complete(model, context, { headers: { "x-trace": "7" } });
    const [received] = service.received;
    expect(JSON.stringify(received?.headers)).toContain(key);
    expect(received?.headers["x-trace"]).toBe("7");
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ attempts: 1, response: { status: 200 }, message: answered });
    expect(exchanges[0]?.request.body).toEqual(received?.body);
    expect(JSON.stringify(exchanges)).not.toContain(key);
  });

  test("is asked again where it has too much to do, and told as what it is where it stays so", async () => {
    const { service, models, model } = await start(sample, (_request, response, number) => {
      if (number < 2) json(response, 429, sample.error, { "retry-after-ms": "1" });
      else events(response, sample.stream);
    });
    expect(await models.complete(model, context)).toMatchObject(answered);
    expect(service.received).toHaveLength(3);
    const list = await collect(models.stream(model, context, { retry: { maxRetries: 0 } }));
    expect(list.at(-1)?.type).toBe("done");
    const busy = await start(sample, (_request, response) =>
      json(response, 429, sample.error, { "retry-after": "120" }),
    );
    const message = await busy.models.complete(busy.model, context);
    expect(message).toMatchObject({
      stopReason: "error",
      errorMessage: "slow down",
      error: { kind: "rate_limit", status: 429, retryable: true, retryAfterMs: 120_000 },
    });
    expect(busy.service.received).toHaveLength(1);
  });

  test("is not asked again behind the first content", async () => {
    const { service, models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const begun = sample.stream.findIndex((item) => JSON.stringify(item).includes("Hello"));
      for (const item of sample.stream.slice(0, begun + 1)) response.write(frame(item));
      setTimeout(() => response.destroy(), 20);
    });
    const stream = models.stream(model, context);
    const list = await collect(stream);
    expect(list.map(({ type }) => type)).toContain("text_delta");
    expect(list.at(-1)).toMatchObject({ type: "error", reason: "error" });
    expect((await stream.result()).content).toMatchObject([{ type: "text", text: "Hello" }]);
    expect(service.received).toHaveLength(1);
  });

  test("gives what came of an answer that is given up", async () => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const begun = sample.stream.findIndex((item) => JSON.stringify(item).includes("Hello"));
      for (const item of sample.stream.slice(0, begun + 1)) response.write(frame(item));
    });
    const controller = new AbortController();
    const stream = models.stream(model, context, { signal: controller.signal });
    const list: AssistantMessageEvent[] = [];
    for await (const event of stream) {
      list.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    expect(list.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(await stream.result()).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Hello" }] });
  });
});
