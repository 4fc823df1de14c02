import { connect } from "node:net";
import type { Json, ProtocolId } from "@rolecall/core";
import { describe, expect, test, vi } from "vitest";
import { createGateway } from "../src/index.ts";
import { startRaw } from "./raw.ts";
import { events, json } from "./service.ts";
import { post, start } from "./start.ts";

const askChat = { model: "m", stream: true, messages: [{ role: "user", content: "go" }] };
const asks: { readonly [protocol in ProtocolId]: readonly [path: string, body: object] } = {
  "openai-chat": ["/v1/chat/completions", askChat],
  "openai-responses": ["/v1/responses", { model: "m", stream: true, input: "go" }],
  "anthropic-messages": ["/v1/messages", { ...askChat, max_tokens: 5 }],
  "gemini-generate-content": [
    "/v1beta/models/m:streamGenerateContent?alt=sse",
    { contents: [{ role: "user", parts: [{ text: "go" }] }] },
  ],
};
const protocols = Object.keys(asks) as ProtocolId[];
const pairs = protocols.flatMap((client) => protocols.map((service) => [client, service] as const));

/** Values that no text can be made of, where a text belongs. */
const odd: readonly Json[] = [
  { toString: 1 },
  { valueOf: 1, toString: null },
  ["__proto__"],
  { type: { toString: 1 } },
];
const frames = odd.flatMap((value) => [
  { type: value },
  { choices: [{ index: 0, delta: { content: value }, finish_reason: value }] },
  { candidates: [{ content: { parts: [{ text: value }] }, finishReason: value }] },
  { type: "response.completed", response: { status: value, output: [{ type: value }] } },
  { error: value },
]);

describe.each(pairs)("a client of %s before a service of %s", (client, service) => {
  const [path, body] = asks[client];

  test("no event ends the process", async () => {
    let turn = 0;
    const { url } = await start({
      protocol: service,
      answer(_request, response) {
        const frame = frames[turn >> 1];
        const isReset = turn++ % 2 === 1;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(frame)}\n\n`);
        if (isReset) setTimeout(() => response.destroy(), 2);
        else response.end();
      },
    });
    for (let count = 0; count < frames.length * 2; count++) {
      const answer = await post(url, path, body);
      await answer.text().catch(() => "");
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(turn).toBe(frames.length * 2);
  });
});

const chunk = (choices: readonly object[], more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more })}\n\n`;
const whole = [
  chunk([{ index: 0, delta: { role: "assistant", content: "hello" }, finish_reason: null }]),
  chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
  chunk([], { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
];

describe("a stream that is cut within an event", () => {
  test.each(protocols)("behind the reason to end is not complete for a client of %s", async (client) => {
    const [path, body] = asks[client];
    const cut = [...whole.slice(0, 2), whole[2]?.slice(0, -20) ?? ""];
    const { url, records } = await start({
      protocol: "openai-chat",
      answer: (_request, response) => events(response, cut),
    });
    const text = await (await post(url, path, body)).text();
    expect(text).not.toContain('"usage":{"prompt_tokens":1,"comp');
    expect(records[0]?.outcome).toBe("failed");
  });

  test("is complete where the last event only lacks its blank line", async () => {
    const [path, body] = asks["openai-chat"];
    for (const last of ["data: [DONE]", "data: [DONE]\n", whole[2]?.trimEnd() ?? "", ": end"]) {
      const { url, records } = await start({
        protocol: "openai-chat",
        answer: (_request, response) => events(response, [...whole.slice(0, 2), last]),
      });
      expect(await (await post(url, path, body)).text()).toContain(last);
      expect(records[0]?.outcome).toBe("complete");
    }
  });
});

test("requests behind another one of their connection end with it", async () => {
  let open = 0;
  const { service, url, records } = await start({
    protocol: "openai-chat",
    answer(request, response) {
      open++;
      response.on("close", () => open--);
      if (request.body.model === "m") json(response, 200, { id: "c" });
    },
  });
  const body = JSON.stringify({ ...askChat, model: "waits", max_tokens: 5 });
  const head = `POST /v1/messages HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/json\r\n`;
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`.repeat(4));
  await vi.waitFor(() => expect(service.received).toHaveLength(4));
  expect(open).toBe(4);
  socket.destroy();
  await vi.waitFor(() => expect(open).toBe(0));
  await vi.waitFor(() => expect(records.map(({ outcome }) => outcome)).toEqual(Array(4).fill("aborted")));
});

test.each(protocols)("a whole answer behind a mark of its encoding reaches a client of %s", async (client) => {
  const [path, body] = asks[client];
  const answer = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  };
  const { url } = await start({
    protocol: "openai-chat",
    answer: (_request, response) => json(response, 200, `\uFEFF${JSON.stringify(answer)}`),
  });
  const answered = await post(url, path.replace(":streamG", ":g"), { ...body, stream: undefined });
  expect(answered.status).toBe(200);
  expect(await answered.text()).toContain("hello");
});

describe("between equal protocols", () => {
  test("a stream is complete where fields that say nothing follow its last event", async () => {
    const [path, body] = asks["openai-chat"];
    for (const last of ["data: [DONE]\nid: 7", "data: [DONE]\nretry: 100\n", "id: 7\n", "retry: 5"]) {
      const { url, records } = await start({
        protocol: "openai-chat",
        answer: (_request, response) => events(response, [...whole, last]),
      });
      expect(await (await post(url, path, body)).text()).toContain(last);
      expect([last, records[0]?.outcome]).toEqual([last, "complete"]);
    }
  });

  test.each(protocols)("a whole answer under the header of a stream is one: %s", async (protocol) => {
    const [path, body] = asks[protocol];
    const answer = JSON.stringify({ id: "c", said: "hello" });
    const { url, records } = await start({
      protocol,
      answer: (_request, response) => json(response, 200, answer, { "content-type": "text/event-stream" }),
    });
    for (const stream of [undefined, true]) {
      const answered = await post(url, path, { ...body, stream });
      expect([answered.status, await answered.text()]).toEqual([200, answer]);
    }
    expect(records.map(({ outcome }) => outcome)).toEqual(["complete", "complete"]);
  });

  test("no answer that is cut behind a brace is complete, however its end is told", async () => {
    const [path, { stream: _stream, ...body }] = asks["openai-chat"] as readonly [string, Record<string, unknown>];
    const cut = '{"id":"c","choices":[{"index":0,"message":{"content":"hello"}}';
    const size = cut.length.toString(16);
    const heads = [
      [`content-length: ${cut.length + 3}`, ""],
      [`content-length: ${cut.length + 3}`, "connection: close"],
      ["transfer-encoding: chunked", ""],
      ["transfer-encoding: chunked", "connection: close"],
      ["connection: close", ""],
    ];
    for (const [framing = "", close = ""] of heads) {
      const service = await startRaw((socket) => {
        const lines = ["content-type: application/json", framing, close].filter((line) => line !== "");
        const said = framing.endsWith("chunked") ? `${size}\r\n${cut}\r\n` : cut;
        socket.end(`HTTP/1.1 200 OK\r\n${lines.join("\r\n")}\r\n\r\n${said}`);
      });
      const gateway = await createGateway({ to: `${service.origin}/v1` });
      const answer = await post((await gateway.listen()).url, path, body);
      expect([framing, close, answer.status]).toEqual([framing, close, 502]);
      await gateway.close();
    }
  });
});
