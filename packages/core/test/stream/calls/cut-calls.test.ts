import { describe, expect, test } from "vitest";
import type { ProtocolId } from "../../../src/index.ts";
import { createArgumentSnapshot, createConverter, loadProtocol } from "../../../src/index.ts";
import type { Frame } from "../wire.ts";
import {
  anthropic,
  block,
  call,
  chat,
  chunk,
  converted,
  data,
  done,
  end,
  events,
  finish,
  framesOf,
  gemini,
  json,
  responses,
  start,
  stop,
  text,
} from "../wire.ts";

/** Beginnings of an object that lenient clients complete. */
const cuts = [
  '{"path":"/srv","filter":"*.lo',
  "{",
  '{"a"',
  '{"a":',
  '{"a":1,',
  '{"a":[1,{"b":tru',
  '{"a":"\\',
  ' {"a":"\\u00',
];
/** Text of arguments in pieces of a few characters. */
const pieces = (whole: string): string[] => whole.match(/[\s\S]{1,4}/g) ?? [];

const fromChat = (whole: string, reason: string): string =>
  chunk({ content: "Hi" }) +
  chunk({ tool_calls: [call(0, "c1", "f", "")] }) +
  pieces(whole)
    .map((piece) => chunk({ tool_calls: [call(0, undefined, undefined, piece)] }))
    .join("") +
  chunk({}, reason) +
  done;
const fromMessages = (whole: string, reason: string): string =>
  events(
    start(),
    block(0, { type: "text", text: "" }),
    text(0, "Hi"),
    stop(0),
    block(1, { type: "tool_use", id: "c1", name: "f", input: {} }),
    ...pieces(whole).map((piece) => json(1, piece)),
    stop(1),
    finish(reason),
    end,
  );
const sources: readonly (readonly [ProtocolId, string, (whole: string) => string])[] = [
  [chat, "tool_calls", (whole) => fromChat(whole, "tool_calls")],
  [chat, "stop", (whole) => fromChat(whole, "stop")],
  [anthropic, "tool_use", (whole) => fromMessages(whole, "tool_use")],
  [anthropic, "end_turn", (whole) => fromMessages(whole, "end_turn")],
];

const typesOf = (frames: readonly Frame[]): string[] => frames.map(({ data: value }) => value.type);
const lastOf = (frames: readonly Frame[]): Frame["data"] => frames.at(-1)?.data;
/** That a stream of each protocol failed before a client could take the call for whole. */
const failed: { readonly [to: string]: (frames: readonly Frame[]) => void } = {
  [anthropic](frames) {
    expect(lastOf(frames)).toMatchObject({ type: "error", error: { message: expect.stringContaining("not whole") } });
    expect(typesOf(frames)).not.toContain("message_stop");
    expect(typesOf(frames)).not.toContain("message_delta");
    expect(typesOf(frames).filter((type) => type === "content_block_stop")).toHaveLength(1);
  },
  [chat](frames) {
    expect(lastOf(frames)).toMatchObject({ error: { message: expect.stringContaining("not whole") } });
    expect(frames.some(({ data }) => typeof data.choices?.[0]?.finish_reason === "string")).toBe(false);
  },
  [responses](frames) {
    const last = lastOf(frames);
    expect(last).toMatchObject({
      type: "response.failed",
      response: { error: { message: expect.stringContaining("not whole") } },
    });
    expect(typesOf(frames)).not.toContain("response.function_call_arguments.done");
    expect(frames.filter(({ data: value }) => value.type === "response.output_item.done")).toHaveLength(1);
  },
};

const pairs = sources.flatMap(([from, reason, of]) =>
  [anthropic, chat, responses].filter((to) => to !== from).map((to) => [from, reason, to, of] as const),
);

describe.each(pairs)("arguments of %s that are cut before %s, toward %s", (from, _reason, to, of) => {
  test.each(cuts)("end the stream in an error: %s", async (whole) => {
    const { frames, losses } = await converted(of(whole), from, to);
    failed[to]?.(frames);
    expect(losses.map(({ code }) => code)).toContain("tool_call.cut");
    expect(losses.find(({ code }) => code === "tool_call.cut")?.path).toMatch(/^\/events\/\d+\//);
  });
});

describe.each(sources)("arguments of %s that are cut before %s", (from, _reason, of) => {
  test.each(cuts)("go to Gemini whole, under a mark: %s", async (whole) => {
    const { frames } = await converted(of(whole), from, gemini);
    const parts = frames.flatMap(({ data: value }) => value.candidates?.[0]?.content?.parts ?? []);
    expect(parts.find((part: Frame["data"]) => part.functionCall !== undefined)?.functionCall.args).toEqual({
      _raw_arguments: whole,
    });
  });
});

test.each(["not an object", '["a"', '{"a":1}}', '{"a":nope}', '{"a":1} x'])(
  "text that no client completes stays as it is toward a protocol with text: %s",
  async (whole) => {
    const { frames, losses } = await converted(fromChat(whole, "tool_calls"), chat, responses);
    expect(lastOf(frames)).toMatchObject({ type: "response.completed" });
    expect(lastOf(frames).response.output.at(-1).arguments).toBe(whole);
    expect(losses.map(({ code }) => code)).not.toContain("tool_call.cut");
  },
);

test.each(['{"a":1}}', '{"a":nope}', '{"a":1} x', '{"x":1e400}'])(
  "text that begins like an object and is none never ends as a call of Messages: %s",
  async (whole) => {
    const { frames } = await converted(fromChat(whole, "tool_calls"), chat, anthropic);
    failed[anthropic]?.(frames);
  },
);

describe("a reason to end that says that the answer was cut is kept", () => {
  const cut = '{"path":"/srv","filter":"*.lo';
  test.each([
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
  ])("toward Messages: %s", async (reason, sent) => {
    const { frames, losses } = await converted(fromChat(cut, reason), chat, anthropic);
    expect(typesOf(frames).slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    expect(frames.at(-2)?.data.delta.stop_reason).toBe(sent);
    expect(losses.map(({ code }) => code)).toContain("tool_call.cut");
  });

  test("toward Responses, where the item is incomplete", async () => {
    const { frames } = await converted(fromChat(cut, "length"), chat, responses);
    expect(lastOf(frames)).toMatchObject({
      type: "response.incomplete",
      response: { output: [{}, { arguments: cut, status: "incomplete" }] },
    });
  });

  test("toward Chat", async () => {
    const { frames } = await converted(fromMessages(cut, "max_tokens"), anthropic, chat);
    expect(lastOf(frames)).toBe("[DONE]");
  });

  test("but not for a call that others follow: it was not cut by the end", async () => {
    const source =
      chunk({ tool_calls: [call(0, "a", "f", '{"x":')] }) +
      chunk({ tool_calls: [call(1, "b", "g", '{"y":')] }) +
      chunk({}, "length") +
      done;
    const { frames } = await converted(source, chat, anthropic);
    expect(lastOf(frames)).toMatchObject({ type: "error" });
    expect(typesOf(frames)).not.toContain("content_block_stop");
  });
});

test("whole calls before a cut one reach the client", async () => {
  const source =
    chunk({ tool_calls: [call(0, "a", "f", '{"x":1}')] }) +
    chunk({ tool_calls: [call(1, "b", "g", '{"y":')] }) +
    chunk({}, "tool_calls") +
    done;
  const { frames } = await converted(source, chat, anthropic);
  failed[anthropic]?.(frames);
  expect(frames.filter(({ data: value }) => value.type === "content_block_start")).toHaveLength(2);
});

describe("a failed answer of Responses, whose failure some clients read over", () => {
  const whole = '{"a\\u00e9":[1,{"b\\"":true,"c":[[],{}]}],"d":"\\\\x","e":-1.5e3}';
  const starts = Array.from({ length: whole.length + 1 }, (_, length) => whole.slice(0, length));

  test.each(starts)("ends no call, and breaks its arguments: %s", async (begun) => {
    const source = chunk({ tool_calls: [call(0, "a", "f", begun)] });
    const { frames } = await converted(source, chat, responses);
    expect(typesOf(frames)).not.toContain("response.output_item.done");
    expect(lastOf(frames).type).toBe("response.failed");
    const deltas = frames.filter(({ data: value }) => value.type === "response.function_call_arguments.delta");
    const sent = deltas.map(({ data: value }) => value.delta).join("");
    expect(sent.startsWith(begun)).toBe(true);
    const snapshot = createArgumentSnapshot();
    snapshot.push(sent);
    expect(snapshot.invalid).toBe(true);
  });
});

test.each(["tool_calls", "stop", "length"])("a whole response has the text under a mark: %s", async (reason) => {
  const cut = '{"path":"/srv","filter":"*.lo';
  const [client, server] = await Promise.all([loadProtocol(anthropic), loadProtocol(chat)]);
  const { value } = await createConverter(client, server).collectStream(fromChat(cut, reason));
  expect((value["content"] as Frame["data"])[1]).toMatchObject({ type: "tool_use", input: { _raw_arguments: cut } });
});

test("the frames of one protocol come back as they came", async () => {
  const source = fromChat('{"a":', "tool_calls");
  const { frames } = await converted(source, chat, chat);
  expect(frames).toEqual(framesOf(source));
});

describe("a whole answer that becomes a stream", () => {
  const cut = '{"path":"/srv","filter":"*.lo';
  const item = { type: "function_call", id: "fc1", call_id: "c1", name: "f", arguments: cut, status: "completed" };
  const message = { role: "assistant", content: null, tool_calls: [call(undefined, "c1", "f", cut)] };
  const answers: { readonly [from: string]: (reason: string) => Frame["data"] } = {
    [chat]: (reason) => ({ id: "c", model: "m", choices: [{ index: 0, message, finish_reason: reason }] }),
    [responses]: (reason) => ({
      id: "r",
      object: "response",
      model: "m",
      status: reason === "length" ? "incomplete" : "completed",
      incomplete_details: reason === "length" ? { reason: "max_output_tokens" } : null,
      output: [item],
    }),
  };

  test.each([
    [chat, responses],
    [responses, chat],
  ])("fails where its call is cut, unless its reason says so: %s toward %s", async (from, to) => {
    const [client, server] = await Promise.all([loadProtocol(to), loadProtocol(from)]);
    const converter = createConverter(client, server);
    const streamed = converter.streamResponse(answers[from]?.("tool_calls"));
    expect(JSON.stringify(streamed.losses)).toContain("tool_call.cut");
    const frames = framesOf(streamed.value);
    expect(JSON.stringify(frames.at(-1)?.data)).toContain("not whole");
    expect(typesOf(frames)).not.toContain("response.output_item.done");
    const told = framesOf(converter.streamResponse(answers[from]?.("length")).value);
    expect(JSON.stringify(told)).not.toContain("not whole");
  });
});

describe("a call of Gemini whose arguments come in pieces", () => {
  const piece = (functionCall: Frame["data"]): string =>
    data({ candidates: [{ index: 0, content: { role: "model", parts: [{ functionCall }] } }] });
  const begun =
    data({ candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Hi" }] } }] }) +
    piece({ name: "f", willContinue: true }) +
    piece({ partialArgs: [{ jsonPath: "$.path", stringValue: "/srv" }], willContinue: true });
  const ended = data({ candidates: [{ index: 0, finishReason: "STOP" }] });

  test.each([anthropic, chat, responses])("is cut where more of it was to come, toward %s", async (to) => {
    failed[to]?.((await converted(begun + ended, gemini, to)).frames);
  });

  test.each([
    ["an empty piece", piece({})],
    ["a last piece", piece({ partialArgs: [{ jsonPath: "$.all", boolValue: true }] })],
  ])("is whole behind %s", async (_name, last) => {
    const { frames, losses } = await converted(begun + last + ended, gemini, anthropic);
    expect(typesOf(frames).at(-1)).toBe("message_stop");
    expect(losses.map(({ code }) => code)).not.toContain("tool_call.cut");
  });
});
