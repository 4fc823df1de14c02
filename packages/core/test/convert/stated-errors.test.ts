import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { convertResponse, convertStream, createConverter, loadProtocol } from "../../src/index.ts";

const chat = (choice: JsonObject, top: JsonObject = {}): JsonObject => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  ...top,
  choices: [choice],
});
const message = { role: "assistant", content: "" };
const error = { message: "provider down", code: 502 };

/** Answers of Chat that failed, though nothing but their body says so. */
const failed: readonly (readonly [string, JsonObject])[] = [
  ["an error and no candidate", { error, choices: [] }],
  ["an error in the candidate", chat({ index: 0, message, finish_reason: "error", error })],
  ["an error in a candidate that ends well", chat({ index: 0, message, finish_reason: "stop", error })],
  ["an error beside an empty candidate", chat({ index: 0, message, finish_reason: null }, { error })],
  [
    "an error beside a full one",
    chat({ index: 0, message: { ...message, content: "x" }, finish_reason: "stop" }, { error }),
  ],
  ["an error as text", chat({ index: 0, message, finish_reason: "stop" }, { error: "provider down" })],
];

describe("an answer that states an error", () => {
  test.each(failed)("%s is a failed message", async (_name, body) => {
    const protocol = await loadProtocol("openai-chat");
    const { value } = protocol.decodeResponse(body);
    expect(value).toMatchObject({ stopReason: "error", errorMessage: "provider down" });
    expect(protocol.findError(body)?.body).toHaveProperty("error");
  });

  test.each(failed)("%s is reported across protocols, and kept in its own", async (_name, body) => {
    const across = await convertResponse(body, { from: "openai-chat", to: "anthropic-messages" });
    expect(across.losses.map(({ code }) => code)).toContain("response.error");
    const own = await convertResponse(body, { from: "openai-chat", to: "openai-chat" });
    expect(own.value).toEqual(body);
    expect(own.losses).toEqual([]);
  });

  test.each(failed)("%s ends a stream that is made of it", async (_name, body) => {
    const [client, service] = [await loadProtocol("anthropic-messages"), await loadProtocol("openai-chat")];
    const across = createConverter(client, service).streamResponse(body);
    expect(across.value).toMatch(/event: error\ndata: .*provider down.*\n\n$/);
    expect(across.value).not.toContain('stop_reason":"end_turn');
    const own = createConverter(service, service).streamResponse(body).value.trim().split("\n\n");
    expect(own.filter((frame) => frame.includes("provider down"))).toEqual([own.at(-1)]);
  });

  test.each([null, false, "", {}, { message: "", code: 0 }])("%j is none", async (nothing) => {
    const body = chat({ index: 0, message: { ...message, content: "x" }, finish_reason: "stop" }, { error: nothing });
    const { losses, value } = await convertResponse(body, { from: "openai-chat", to: "anthropic-messages" });
    expect(losses.map(({ code }) => code)).not.toContain("response.error");
    expect(value).toMatchObject({ stop_reason: "end_turn" });
  });

  test("an answer of Messages can state one as well", async () => {
    const body = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "c",
      content: [],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
      error,
    };
    const across = await convertResponse(body, { from: "anthropic-messages", to: "openai-chat" });
    expect(across.losses.map(({ code }) => code)).toContain("response.error");
    const own = await convertResponse(body, { from: "anthropic-messages", to: "anthropic-messages" });
    expect(own.value).toEqual(body);
  });

  test("the status is the one that it names", async () => {
    const protocol = await loadProtocol("openai-chat");
    const stated = (value: JsonObject) => protocol.findError({ error: value, choices: [] })?.status;
    expect(stated({ message: "x", code: 429 })).toBe(429);
    expect(stated({ message: "x", code: "502" })).toBe(502);
    expect(stated({ message: "x", status: 401 })).toBe(401);
    expect(stated({ message: "x", code: 200 })).toBeUndefined();
    expect(stated({ message: "x", code: "server_error" })).toBeUndefined();
  });

  test("a reason to end that says so is an error without words", async () => {
    const protocol = await loadProtocol("openai-chat");
    const body = chat({ index: 0, message, finish_reason: "error", native_finish_reason: "MALFORMED" });
    expect(protocol.findError(body)?.body).toMatchObject({ error: { message: "the model failed: MALFORMED" } });
  });
});

describe("a chunk that states an error", () => {
  const chunk = (choice: JsonObject, top: JsonObject = {}): string =>
    `data: ${JSON.stringify({ ...chat(choice, top), object: "chat.completion.chunk" })}\n\n`;
  const said = chunk({ index: 0, delta: { content: "a" }, finish_reason: null });
  const empty = { content: "" };
  const streams: readonly (readonly [string, string])[] = [
    ["first, in its candidate", chunk({ index: 0, delta: empty, finish_reason: "error", error })],
    ["later, in its candidate", said + chunk({ index: 0, delta: empty, finish_reason: "error", error })],
    ["with content", said + chunk({ index: 0, delta: { content: "b" }, finish_reason: "error", error })],
    ["beside a candidate", said + chunk({ index: 0, delta: empty, finish_reason: "error" }, { error })],
    ["as vLLM does", `${said}data: {"object":"error","message":"provider down","type":"X","code":502}\n\n`],
    ["by the name of its event", `${said}event: error\ndata: {"message":"provider down"}\n\n`],
  ];
  const end = chunk({ index: 0, delta: {}, finish_reason: "stop" });

  test.each(streams)("%s ends the stream, once and for all", async (_name, text) => {
    let sent = "";
    for await (const piece of convertStream([`${text}${end}data: [DONE]\n\n`], {
      from: "openai-chat",
      to: "anthropic-messages",
    }))
      sent += piece;
    expect(sent.match(/event: error/g)).toHaveLength(1);
    expect(sent).toMatch(/event: error\ndata: .*provider down.*\n\n$/);
    expect(sent).not.toContain("message_stop");
  });

  test.each(streams)("%s comes back as it was", async (_name, text) => {
    let sent = "";
    for await (const piece of convertStream([text], { from: "openai-chat", to: "openai-chat" })) sent += piece;
    expect(sent).toBe(text);
  });

  test("what it says as well is not lost", async () => {
    const protocol = await loadProtocol("openai-chat");
    const [, , last] = streams;
    const { value } = await protocol.decodeStream([(last as readonly string[])[1] as string]);
    expect(value).toMatchObject({ content: [{ text: "ab" }], stopReason: "error", error: { status: 502 } });
  });

  test("of Messages without a type is an error, too", async () => {
    const protocol = await loadProtocol("anthropic-messages");
    const start = {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "c",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    };
    const frames = [start, { error }].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
    expect((await protocol.decodeStream(frames)).value).toMatchObject({
      stopReason: "error",
      errorMessage: "provider down",
    });
  });
});
