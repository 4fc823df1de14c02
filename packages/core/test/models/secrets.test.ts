import { describe, expect, test } from "vitest";
import type { ModelExchange } from "../../src/models/index.ts";
import { samples } from "./answers.ts";
import { events, json } from "./service.ts";
import { key, start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };

describe.each(samples)("a service of $api that says the key again", (sample) => {
  test("in what it complains of", async () => {
    const exchanges: ModelExchange[] = [];
    const words = `Incorrect API key provided: ${key}`;
    const { models, model } = await start(
      sample,
      (_request, response) =>
        json(response, 401, { type: "error", error: { type: "x", message: words, code: 401, status: key } }),
      { onExchange: (exchange) => exchanges.push(exchange) },
    );
    const message = await models.complete(model, context);
    expect(message.errorMessage).toBe("Incorrect API key provided: [redacted]");
    expect(JSON.stringify([message, exchanges])).not.toContain(key);
  });

  test("in a header", async () => {
    const exchanges: ModelExchange[] = [];
    const { models, model } = await start(
      sample,
      (_request, response) => {
        response.setHeader("x-seen", `key=${key}`);
        events(response, sample.stream);
      },
      { onExchange: (exchange) => exchanges.push(exchange) },
    );
    const stream = models.stream(model, { messages: [{ role: "user", content: `Is ${key} a key?` }] });
    expect((await stream.result()).stopReason).toBe("toolUse");
    expect(exchanges[0]?.response?.headers["x-seen"]).toBe("key=[redacted]");
    expect(JSON.stringify(exchanges)).not.toContain(key);
  });
});

const sample = samples[0] as (typeof samples)[number];

test("a key in the base URL, and one in a header of the caller's own", async () => {
  const exchanges: ModelExchange[] = [];
  const { models, model, service } = await start(
    sample,
    (_request, response) => json(response, 400, { error: { message: "no in-the-header, no in-the-url" } }),
    { onExchange: (exchange) => exchanges.push(exchange) },
  );
  const placed = { ...model, baseUrl: `${service.origin}/v1?api-version=7&sig=in-the-url` };
  await models.complete(placed, context, { headers: { authorization: null, "x-api-key": "in-the-header" } });
  expect(service.received[0]).toMatchObject({
    url: "/v1/chat/completions?api-version=7&sig=in-the-url",
    headers: { "x-api-key": "in-the-header" },
  });
  expect(service.received[0]?.headers["authorization"]).toBeUndefined();
  expect(exchanges[0]?.request.url).toBe(`${service.origin}/v1/chat/completions?api-version=7&sig=%5Bredacted%5D`);
  expect(JSON.stringify(exchanges)).not.toContain("in-the-header");
});
