import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { families, pairs, toldIn } from "./families/index.ts";
import { anthropicEvents, anthropicText, chatText, events, json } from "./service.ts";
import { post, start } from "./start.ts";

const request = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "hi" }] };
describe.each(pairs)("$name", ({ from, to }) => {
  const stream = to.events(to.text("hello there, and more"));
  const { protocol } = to;
  const ask = (url: string, isStream: boolean) => post(url, from.path(isStream), from.body("hi", isStream));

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("a stream in %s is read", async (encoding, compress) => {
    const { url, records } = await start({
      protocol,
      answer: (_request, response: ServerResponse) => {
        const bytes = compress(Buffer.from(stream.join("")));
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding });
        response.write(bytes.subarray(0, 20));
        setTimeout(() => response.end(bytes.subarray(20)), 20);
      },
    });
    for (const isStream of [true, false]) {
      const answer = await ask(url, isStream);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text).not.toMatch(/"error":[^n]/);
      expect(text).toContain("hello".slice(0, 2));
      expect(records.at(-1)).toMatchObject({ outcome: "complete" });
    }
  });

  test("a compressed stream that is cut or broken is no answer", async () => {
    const whole = gzipSync(Buffer.from(stream.slice(0, 2).join("")));
    for (const bytes of [whole.subarray(0, whole.length - 12), Buffer.from("no gzip at all")]) {
      const { url, records } = await start({
        protocol,
        answer: (_request, response: ServerResponse) => {
          response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
          response.end(bytes);
        },
      });
      const answer = await ask(url, true);
      expect(await answer.text()).toContain("error");
      expect(records.at(-1)).toMatchObject({ outcome: "failed" });
    }
  });

  test("a redirect is told in the client's own envelope", async () => {
    const { url } = await start({
      protocol,
      answer: (_request, response) => json(response, 307, "", { location: "/elsewhere" }),
    });
    const answer = await ask(url, false);
    const body = await answer.json();
    expect([answer.status, body.error.message]).toEqual([502, expect.stringContaining("redirect")]);
    if (from.protocol === "anthropic-messages")
      expect(body).toMatchObject({ type: "error", error: { type: "api_error" } });
    else {
      expect(body).not.toHaveProperty("type");
      expect(body.error).toHaveProperty("code");
    }
  });

  test("an event named error is the last one", async () => {
    const { url } = await start({
      protocol,
      answer: (_request, response) =>
        events(response, [...stream.slice(0, 2), 'event: error\ndata: {"message":"boom"}\n\n']),
    });
    const text = await (await ask(url, true)).text();
    expect(toldIn(text)).toEqual({ errors: ["boom"], last: "error" });
  });
});

describe("a stream of Messages without its end", () => {
  const list = anthropicEvents(anthropicText("hello")).filter((event) => !event.includes("message_stop"));
  test.each(families.flatMap((from) => [true, false].map((stream) => ({ from, stream, name: from.protocol }))))(
    "is whole for $name, as a stream: $stream",
    async ({ from, stream }) => {
      const { url, records } = await start({
        protocol: "anthropic-messages",
        answer: (_request, response) => events(response, list),
      });
      const text = await (await post(url, from.path(stream), from.body("hi", stream))).text();
      expect(text).not.toMatch(/"error":[^n]/);
      expect(records.at(-1)).toMatchObject({ outcome: "complete" });
    },
  );
});

test("a whole answer under the header of a stream is one for streaming clients as well", async () => {
  const { url, records } = await start({
    protocol: "openai-chat",
    answer: (_request, response) =>
      json(response, 200, chatText("hello"), { "content-type": "text/event-stream; charset=utf-8" }),
  });
  for (const stream of [true, false]) {
    const text = await (await post(url, "/v1/messages", { ...request, stream })).text();
    expect(text).toContain("hello");
    if (stream) expect(text).toContain("event: message_stop");
    expect(records.at(-1)).toMatchObject({ outcome: "complete" });
  }
});

test("an error under the header of a stream has the status that it states", async () => {
  const { url } = await start({
    protocol: "openai-chat",
    answer: (_request, response) =>
      json(response, 200, { error: { message: "no", code: 404 } }, { "content-type": "text/event-stream" }),
  });
  expect((await post(url, "/v1/messages", { ...request, stream: true })).status).toBe(404);
});
