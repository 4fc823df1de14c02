import { describe, expect, test } from "vitest";
import type { AssistantMessageEvent, FetchResponse } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { memoryStore, recordingFetch, replayed } from "../../src/providers/replay.ts";
import { samples } from "../models/answers.ts";
import { events, frame, json } from "../models/service.ts";
import { key, start } from "../models/start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };

async function collect(stream: AsyncIterable<AssistantMessageEvent>): Promise<AssistantMessageEvent[]> {
  const list: AssistantMessageEvent[] = [];
  for await (const event of stream) list.push(event);
  return list;
}

/** What differs from run to run. */
const settled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"timestamp":\d+/g, '"timestamp":0'));

describe.each(samples)("answers of $api", (sample) => {
  test("are the same when they are played again, without their service", async () => {
    const store = memoryStore();
    const { service, models, model } = await start(
      sample,
      (request, response) => {
        if (request.body.stream === true || request.url.includes("stream")) events(response, sample.stream);
        else json(response, 200, sample.whole);
      },
      { fetch: recordingFetch(store) },
    );
    const streamed = await collect(models.stream(model, context));
    const whole = await models.complete(model, context, { stream: false });
    expect(service.received).toHaveLength(2);
    await expect.poll(() => store.read()).toHaveLength(2);
    const lines = await store.read();
    expect(lines.join("")).not.toContain(key);

    const again = createModels({ environment: {}, fetch: () => Promise.reject(new Error("the network is asked")) });
    const provider = models.getProvider(model.provider) as NonNullable<ReturnType<typeof models.getProvider>>;
    again.setProvider(replayed({ ...provider, baseUrl: `https://elsewhere.test${sample.base}` }, memoryStore(lines)));
    expect(settled(await collect(again.stream(model, context)))).toEqual(settled(streamed));
    for (let time = 0; time < 2; time++)
      expect(settled(await again.complete(model, context, { stream: false }))).toEqual(settled(whole));
    expect(service.received).toHaveLength(2);
  });
});

const sample = samples[0] as (typeof samples)[number];

async function recorded(asked: readonly string[]) {
  const store = memoryStore();
  const { models, model } = await start(
    sample,
    (_request, response, number) => {
      if (number === 1) json(response, 429, sample.error);
      else events(response, sample.stream);
    },
    { fetch: recordingFetch(store), retry: { maxRetries: 0 } },
  );
  for (const content of asked)
    await models.complete(model, { messages: [{ role: "user", content }] }, { topP: 1, maxTokens: 9 });
  await expect.poll(() => store.read()).toHaveLength(asked.length);
  const again = createModels({ environment: {}, retry: { baseDelayMs: 1 } });
  const provider = models.getProvider(model.provider) as NonNullable<ReturnType<typeof models.getProvider>>;
  again.setProvider(replayed(provider, store));
  const ask = (content: string, options = {}) =>
    again.complete(model, { messages: [{ role: "user", content }] }, { topP: 1, maxTokens: 9, ...options });
  return { ask, store };
}

test("the same request gets its answers in their order, and the last again", async () => {
  const { ask } = await recorded(["hi", "hi", "hi"]);
  expect((await ask("hi", { retry: { maxRetries: 0 } })).stopReason).toBe("toolUse");
  expect((await ask("hi", { retry: { maxRetries: 0 } })).error).toMatchObject({ kind: "rate_limit", status: 429 });
  for (let time = 0; time < 3; time++) expect((await ask("hi")).stopReason).toBe("toolUse");
});

test("a request that was not recorded fails at once, with the place", async () => {
  const { ask } = await recorded(["hi"]);
  expect(await ask("ho")).toMatchObject({
    stopReason: "error",
    errorMessage: "this request was not recorded: the nearest one, number 1, differs at /messages/0/content",
    error: { kind: "not_found", retryable: false },
  });
  expect((await ask("hi", { maxTokens: 10 })).errorMessage).toMatch(/differs at \/max_(completion_)?tokens$/);
});

test("the order of keys makes no other request", async () => {
  const { store } = await recorded(["hi"]);
  const [line = ""] = await store.read();
  const { request, ...rest } = JSON.parse(line);
  const turned = { ...request, body: Object.fromEntries(Object.entries(request.body).reverse()) };
  const again = createModels({ environment: {} });
  const provider = { ...sample.provider({ baseUrl: "https://x.test/v1" }), models: [] };
  again.setProvider(replayed(provider, memoryStore([JSON.stringify({ request: turned, ...rest })])));
  const model = { type: "chat", id: "m", provider: provider.id, api: sample.api } as const;
  expect(
    (await again.complete(model, { messages: [{ role: "user", content: "hi" }] }, { topP: 1, maxTokens: 9 }))
      .stopReason,
  ).toBe("toolUse");
});

test.each([
  ["{", "is not valid JSON"],
  ["[]", "is no recording"],
  ['{"version":9}', "is of a version that this release does not read"],
  [
    '{"version":1,"request":{"method":"POST","path":"/"},"status":200,"type":"x","chunks":[1],"form":"text"}',
    "lacks a part",
  ],
])("a store with %s is refused with its line", async (line, message) => {
  const models = createModels({ environment: {} });
  models.setProvider(replayed(sample.provider({ baseUrl: "https://x.test/v1" }), memoryStore(["", line])));
  const model = { type: "chat", id: "m", provider: "openai", api: "openai-chat" } as const;
  const { errorMessage } = await models.complete(model, context, { retry: { maxRetries: 0 } });
  expect(errorMessage).toContain(`line 2 of the recordings ${message}`);
});

test("a key that a service says again is not kept, wherever its answer is cut, and the time to wait is", async () => {
  const store = memoryStore();
  const { models, model } = await start(
    sample,
    (_request, response) => {
      response.writeHead(429, {
        "content-type": "application/json",
        "retry-after": "7",
        "x-api-key": key,
        "x-seen": `key=${key}`,
      });
      const text = JSON.stringify({ error: { message: `no more for ${key}` } });
      const at = text.indexOf(key) + 5;
      response.write(text.slice(0, at));
      setTimeout(() => response.end(text.slice(at)), 20);
    },
    { fetch: recordingFetch(store), retry: { maxRetries: 0 } },
  );
  await models.complete(model, { messages: [{ role: "user", content: `my key is ${key}` }] });
  const lines = await store.read();
  expect(lines).toHaveLength(1);
  expect(lines.join("")).not.toContain(key);
  const again = createModels({ environment: {}, retry: { maxRetries: 0 } });
  const provider = models.getProvider(model.provider) as NonNullable<ReturnType<typeof models.getProvider>>;
  again.setProvider(replayed(provider, store));
  expect(await again.complete(model, { messages: [{ role: "user", content: `my key is ${key}` }] })).toMatchObject({
    error: { status: 429, retryAfterMs: 7000 },
    errorMessage: "no more for [redacted]",
  });
});

test("an answer that is given up is not kept", async () => {
  const store = memoryStore();
  const { models, model } = await start(
    sample,
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const item of sample.stream.slice(0, 3)) response.write(frame(item));
    },
    { fetch: recordingFetch(store) },
  );
  const stream = models.stream(model, context);
  for await (const event of stream) if (event.type === "text_delta") break;
  expect((await stream.result()).stopReason).toBe("aborted");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await store.read()).toEqual([]);
});

test("bytes that are no text are kept", async () => {
  const store = memoryStore();
  const bytes = new Uint8Array([0xff, 0xfe, 0x00, 0x80]);
  const fetch = recordingFetch(store, async () => new Response(bytes, { headers: { "content-type": "image/png" } }));
  const { signal } = new AbortController();
  const init = { method: "GET", headers: {}, signal, redirect: "manual" } as const;
  const read = async (body: FetchResponse["body"]) =>
    new Uint8Array(await new Response(body as ReadableStream<Uint8Array>).arrayBuffer());
  expect(await read((await fetch("https://x.test/i?key=secret-0123", init)).body)).toEqual(bytes);
  expect((await store.read()).join("")).not.toContain("secret-0123");
  const provider = replayed(sample.provider({ baseUrl: "https://x.test/v1" }), store);
  const again = await (provider.fetch as typeof fetch)("https://x.test/i?key=other-0123", init);
  expect(await read(again.body)).toEqual(bytes);
});
