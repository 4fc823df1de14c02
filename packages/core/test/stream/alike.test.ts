import { describe, expect, test } from "vitest";
import type { ProtocolId } from "../../src/index.ts";
import { createConverter, loadProtocol } from "../../src/index.ts";
import type { Body } from "./wire.ts";
import {
  anthropic,
  anthropicBlocks,
  block,
  chat,
  chunk,
  converted,
  data,
  decoded,
  done,
  end,
  events,
  finish,
  gemini,
  responses,
  stop,
  text,
} from "./wire.ts";

const whole = async (body: Body, from: ProtocolId, to: ProtocolId): Promise<Body> => {
  const [client, server] = await Promise.all([loadProtocol(to), loadProtocol(from)]);
  return createConverter(client, server).convertResponse(body);
};
const chatAnswer = (message: Body): Body => ({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop", logprobs: null }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const thinking = (...texts: string[]): Body => ({ type: "thinking", thinking: texts.map((item) => said(item)) });
const said = (item: string): Body => ({ type: "text", text: item });

describe("reasoning within the content", () => {
  test.each([
    ["one text", [thinking("8 is a sum."), said("8.")]],
    ["several texts", [thinking("8 is ", "a sum."), said("8.")]],
    ["fields of its own", [{ ...thinking("8 is a sum."), closed: true }, said("8.")]],
  ])("is the same in a stream and in a whole answer: %s", async (_name, content) => {
    const stream = chunk({ role: "assistant", content: "" }) + chunk({ content }) + chunk({}, "stop") + done;
    const streamed = await decoded(stream, chat);
    const read = (await loadProtocol(chat)).decodeResponse(chatAnswer({ content })).value;
    const bare = (parts: Body): Body => parts.map(({ wire: _wire, ...part }: Body) => part);
    expect(bare(read.content)).toEqual(bare(streamed.value.content));
    expect(bare(read.content)).toEqual([
      { type: "thinking", thinking: "8 is a sum." },
      { type: "text", text: "8." },
    ]);
    const { value, losses } = await whole(chatAnswer({ content }), chat, anthropic);
    const blocks = anthropicBlocks((await converted(stream, chat, anthropic)).frames);
    expect(value.content.map(({ type }: Body) => type)).toEqual(blocks.map(({ type }) => type));
    expect(losses.map(({ code }: Body) => code)).not.toContain("part.opaque");
  });

  test.each([
    ["in an answer", [thinking("8 is ", "a sum."), said("8.")]],
    ["behind a text", [said("8."), { ...thinking("a sum."), closed: true }]],
    ["that says nothing", [thinking(""), thinking(), said("8.")]],
    ["of another form", [{ type: "thinking", thinking: "8" }, said("8.")]],
  ])("comes back as it was %s", async (_name, content) => {
    const body = chatAnswer({ content });
    const { value, losses } = await whole(body, chat, chat);
    expect(value).toEqual(body);
    expect(losses).toEqual([]);
    const request = {
      model: "m",
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content },
      ],
    };
    const protocol = await loadProtocol(chat);
    const conversation = protocol.decodeRequest({ body: request }).value;
    expect(protocol.encodeRequest(conversation).value.body).toMatchObject({ messages: [{}, { content }] });
  });
});

describe("a stream without its start", () => {
  const stream = events(block(0, { type: "text", text: "" }), text(0, "Hello"), stop(0), finish("end_turn"), end);

  test("is whole toward Chat", async () => {
    const { frames } = await converted(stream, anthropic, chat);
    expect(frames[0]?.data.choices[0].delta).toMatchObject({ role: "assistant" });
    expect(frames.filter(({ data: value }) => value.choices?.[0]?.finish_reason === "stop")).toHaveLength(1);
    expect(frames.find(({ data: value }) => value.usage !== undefined)?.data.usage).toMatchObject({
      completion_tokens: 9,
    });
    expect(frames.at(-1)?.data).toBe("[DONE]");
  });

  test("is whole toward the others", async () => {
    expect((await converted(stream, anthropic, responses)).frames.at(-1)?.data).toMatchObject({
      type: "response.completed",
      response: { usage: { output_tokens: 9 } },
    });
    expect((await converted(stream, anthropic, gemini)).frames.at(-1)?.data).toMatchObject({
      candidates: [{ finishReason: "STOP" }],
      usageMetadata: { candidatesTokenCount: 9 },
    });
  });
});

describe("an answer without any choice", () => {
  const chunks = data({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [] });
  const usage = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 };
  const counted = data({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage });

  test.each([chunks + done, chunks + chunks + done, counted + done, chunks + counted + done])(
    "ends alike, whole and in a stream",
    async (stream) => {
      const { value, losses } = await whole({ ...chatAnswer({}), choices: [] }, chat, anthropic);
      const { frames, losses: streamed } = await converted(stream, chat, anthropic);
      const last = frames.find(({ data: frame }) => frame.type === "message_delta")?.data;
      expect(last.delta.stop_reason).toBe(value.stop_reason);
      expect(anthropicBlocks(frames)).toEqual(value.content);
      for (const list of [losses, streamed]) expect(list.map(({ code }: Body) => code)).toContain("stop.unknown");
    },
  );

  test("is written again as it came", async () => {
    const { text: back } = await converted(chunks + counted + done, chat, chat);
    expect(back).toBe(chunks + counted + done);
  });

  test.each([
    ["", chunks],
    ["an end alone", done],
  ])("fails where nothing says that it ended: %s", async (_name, stream) => {
    const { frames } = await converted(stream, chat, anthropic);
    expect(frames.at(-1)?.data.type).toBe("error");
  });
});

describe("a call of Gemini without a name", () => {
  const parts = [{ functionCall: { name: "", args: { a: 1 } } }];
  const candidate = { index: 0, content: { role: "model", parts }, finishReason: "STOP" };

  test.each([chat, anthropic, responses])("is reported toward %s, whole and in a stream", async (to) => {
    const { losses } = await whole({ candidates: [candidate] }, gemini, to);
    const { losses: streamed, text: written } = await converted(data({ candidates: [candidate] }), gemini, to);
    for (const list of [losses, streamed]) expect(list.map(({ code }: Body) => code)).toContain("part.opaque");
    expect(written).not.toContain('"name":""');
  });

  test("comes back as it was", async () => {
    expect((await whole({ candidates: [candidate] }, gemini, gemini)).value).toEqual({ candidates: [candidate] });
    const { frames } = await converted(data({ candidates: [candidate] }), gemini, gemini);
    expect(frames.map(({ data: frame }) => frame)).toEqual([{ candidates: [candidate] }]);
  });

  test("is reported where its arguments come in pieces", async () => {
    const piece = (functionCall: Body, more: Body = {}): string =>
      data({ candidates: [{ index: 0, content: { role: "model", parts: [{ functionCall }] }, ...more }] });
    const stream =
      piece({ name: "", willContinue: true }) +
      piece({ partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] }) +
      piece({}, { finishReason: "STOP" });
    const { losses, text: written } = await converted(stream, gemini, chat);
    expect(losses.map(({ path }) => path)).toContain("/events/1/candidates/0/content/parts/0/functionCall/partialArgs");
    expect(written).not.toContain("tool_calls");
  });
});

test("a collected stream of Gemini keeps the finer digits of its time", async () => {
  const createTime = "2026-11-30T22:41:39.123456Z";
  const candidates = [{ index: 0, content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }];
  const protocol = await loadProtocol(gemini);
  const { value, losses } = await createConverter(protocol, protocol).collectStream(data({ candidates, createTime }));
  expect(value).toEqual({ candidates, createTime });
  expect(losses).toEqual([]);
});
