import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { ProtocolId } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { anthropicEvents, anthropicText, chatEvents, chatText, events, json } from "./service.ts";
import { post, start } from "./start.ts";

const request = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "hi" }] };
const paths = { "openai-chat": "/v1/chat/completions", "anthropic-messages": "/v1/messages" } as const;
const both = ["openai-chat", "anthropic-messages"] as const;
const pairs = both.flatMap((from) => both.map((to) => ({ from, to })));
const streamOf = (protocol: ProtocolId) =>
  protocol === "openai-chat" ? chatEvents(chatText("hello")) : anthropicEvents(anthropicText("hello"));

describe.each(pairs)("from $from to $to", ({ from, to }) => {
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("a stream in %s is read", async (encoding, compress) => {
    const { url, records } = await start({
      protocol: to,
      answer: (_request, response: ServerResponse) => {
        const bytes = compress(Buffer.from(streamOf(to).join("")));
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding });
        response.write(bytes.subarray(0, 20));
        setTimeout(() => response.end(bytes.subarray(20)), 20);
      },
    });
    for (const stream of [true, false]) {
      const answer = await post(url, paths[from], { ...request, stream });
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text).not.toContain('"error"');
      expect(text).toContain("hello".slice(0, 2));
      expect(records.at(-1)).toMatchObject({ outcome: "complete" });
    }
  });

  test("a compressed stream that is cut or broken is no answer", async () => {
    const whole = gzipSync(Buffer.from(streamOf(to).slice(0, 2).join("")));
    for (const bytes of [whole.subarray(0, whole.length - 12), Buffer.from("no gzip at all")]) {
      const { url, records } = await start({
        protocol: to,
        answer: (_request, response: ServerResponse) => {
          response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
          response.end(bytes);
        },
      });
      const answer = await post(url, paths[from], { ...request, stream: true });
      expect(await answer.text()).toContain("error");
      expect(records.at(-1)).toMatchObject({ outcome: "failed" });
    }
  });

  test("a redirect is told in the client's own envelope", async () => {
    const { url } = await start({
      protocol: to,
      answer: (_request, response) => json(response, 307, "", { location: "/elsewhere" }),
    });
    const answer = await post(url, paths[from], request);
    const body = await answer.json();
    expect([answer.status, body.error.message]).toEqual([502, expect.stringContaining("redirect")]);
    if (from === "anthropic-messages") expect(body).toMatchObject({ type: "error", error: { type: "api_error" } });
    else {
      expect(body).not.toHaveProperty("type");
      expect(body.error).toHaveProperty("code");
    }
  });

  test("an event named error is the last one", async () => {
    const { url } = await start({
      protocol: to,
      answer: (_request, response) =>
        events(response, [...streamOf(to).slice(0, 2), 'event: error\ndata: {"message":"boom"}\n\n']),
    });
    const text = await (await post(url, paths[from], { ...request, stream: true })).text();
    const told = text.split("\n\n").filter((event) => /^event: error|^data: \{"error"/m.test(event));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("boom");
    expect(text.trimEnd().endsWith(told[0] as string)).toBe(true);
  });
});

describe("a stream of Messages without its end", () => {
  const list = anthropicEvents(anthropicText("hello")).filter((event) => !event.includes("message_stop"));
  test.each(both.flatMap((from) => [true, false].map((stream) => [from, stream] as const)))(
    "is whole for %s, as a stream: %s",
    async (from, stream) => {
      const { url, records } = await start({
        protocol: "anthropic-messages",
        answer: (_request, response) => events(response, list),
      });
      const text = await (await post(url, paths[from], { ...request, stream })).text();
      expect(text).not.toContain('"error"');
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
