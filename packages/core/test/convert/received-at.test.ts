import { convertResponse, convertStream, createConverter, loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const receivedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const created = Math.floor(receivedAt / 1000);

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 12,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const pair = { from: "anthropic-messages", to: "openai-chat" } as const;
const loaded = Promise.all([loadProtocol("openai-chat"), loadProtocol("anthropic-messages")]);
const createdIn = (stream: string) => Array.from(stream.matchAll(/"created":(\d+)/g), ([, time]) => Number(time));

describe("a client whose protocol tells the time of an answer", () => {
  test("gets the time at which the answer came, where the service tells none", async () => {
    expect((await convertResponse(message, { ...pair, receivedAt })).value).toMatchObject({ created });
  });

  test("gets it in each chunk of a stream, however the service answers", async () => {
    const [chat, messages] = await loaded;
    const converter = createConverter(chat, messages);
    const stream = createConverter(messages, messages).streamResponse(message).value;
    let streamed = "";
    for await (const text of convertStream(stream, { ...pair, receivedAt })) streamed += text;
    for (const text of [streamed, converter.streamResponse(message, { receivedAt }).value]) {
      expect(createdIn(text).length).toBeGreaterThan(1);
      expect(new Set(createdIn(text))).toEqual(new Set([created]));
    }
    expect((await converter.collectStream(stream, { receivedAt })).value).toMatchObject({ created });
  });

  test("gets the time that the service tells", async () => {
    const [chat] = await loaded;
    const same = { from: "openai-chat", to: "openai-chat", receivedAt } as const;
    expect((await convertResponse(completion, same)).value).toEqual(completion);
    const { created: _created, ...timeless } = completion;
    expect((await convertResponse(timeless, same)).value).toEqual(timeless);
    expect(createdIn(createConverter(chat, chat).streamResponse(completion, { receivedAt }).value)[0]).toBe(12);
  });
});
