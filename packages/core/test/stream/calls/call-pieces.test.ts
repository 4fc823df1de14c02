import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../src/index.ts";
import { loadProtocol } from "../../../src/index.ts";
import { callsOf } from "../fault.ts";
import type { Body } from "../wire.ts";
import {
  anthropic,
  anthropicBlocks,
  block,
  call,
  chat,
  chatCalls,
  chunk,
  converted,
  decoded,
  done,
  end,
  events,
  finish,
  json,
  start,
  stop,
} from "../wire.ts";

const calls = (...pieces: Body[]): string => chunk({ tool_calls: pieces });
const ended = chunk({}, "tool_calls") + done;
const named = (name: string, text?: string): Body => call(0, undefined, name, text);
const custom = (inner: Body, more: Body = {}): Body => ({ index: 0, ...more, custom: inner });
const weather = { name: "get_weather", input: { c: 1 } };

const split: { readonly [name: string]: string } = {
  "in two pieces": calls(call(0, "a", "get_", "")) + calls(named("weather", '{"c":1}')) + ended,
  "in three pieces without arguments":
    calls(call(0, "a", "get", undefined)) +
    calls(named("_wea")) +
    calls(named("ther")) +
    calls(named("", '{"c":1}')) +
    ended,
  "before its id":
    calls(named("get_", "")) + calls(named("weather")) + calls(call(0, "a", undefined, '{"c":1}')) + ended,
  "in one chunk": calls(call(0, "a", "get_", ""), named("weather", '{"c":1}')) + ended,
  "and repeated whole":
    calls(call(0, "a", "get_", "")) + calls(named("weather", '{"c"')) + calls(named("get_weather", ":1}")) + ended,
  "of the deprecated form":
    chunk({ function_call: { name: "get_", arguments: "" } }) +
    chunk({ function_call: { name: "weather" } }) +
    chunk({ function_call: { arguments: '{"c":1}' } }, "function_call") +
    done,
};

describe.each(Object.entries(split))("a name %s", (_name, stream) => {
  test("is joined", async () => {
    const { value } = await decoded(stream, chat);
    expect(callsOf(value)).toMatchObject([weather]);
    const { frames, losses } = await converted(stream, chat, anthropic);
    const blocks = anthropicBlocks(frames);
    expect(blocks).toMatchObject([{ name: weather.name }]);
    expect(JSON.parse(blocks[0].json)).toEqual(weather.input);
    expect(losses.map(({ code }) => code)).not.toContain("tool_call.name");
  });

  test("goes to its own protocol as it came", async () => {
    const { text } = await converted(stream, chat, chat);
    expect(text.replaceAll(/^:.*\n\n/gm, "")).toBe(stream);
  });
});

test("a name in pieces of a free-text tool is joined", async () => {
  const stream =
    calls(custom({ name: "apply_" }, { id: "a", type: "custom" })) +
    calls(custom({ name: "patch", input: "x" })) +
    ended;
  const { frames } = await converted(stream, chat, anthropic);
  expect(anthropicBlocks(frames)).toMatchObject([{ name: "apply_patch", json: '{"input":"x"}' }]);
});

test("a name that is said again is one name", async () => {
  const stream = calls(call(0, "a", "f", "")) + calls(named("f", '{"c"')) + calls(named("f", ":1}")) + ended;
  const { frames, losses } = await converted(stream, chat, anthropic);
  expect(anthropicBlocks(frames)).toMatchObject([{ name: "f", json: '{"c":1}' }]);
  const repeated = losses.filter(({ code }) => code === "field.repeated").map(({ path }) => path);
  expect(repeated).toEqual([1, 2].map((at) => `/events/${at}/choices/0/delta/tool_calls/0/function/name`));
});

test("another name after the first arguments is reported as dropped", async () => {
  const stream = calls(call(0, "a", "f", '{"c"')) + calls(named("g", ":1}")) + ended;
  const { frames, losses } = await converted(stream, chat, anthropic);
  expect(anthropicBlocks(frames)).toMatchObject([{ name: "f", json: '{"c":1}' }]);
  expect(losses.filter(({ code }) => code.startsWith("tool_call"))).toMatchObject([
    { code: "tool_call.name", kind: "dropped", path: "/events/1/choices/0/delta/tool_calls/0/function/name" },
  ]);
});

test.each<[string, Exchange]>([
  ["renamed", { from: anthropic, to: chat, toolNames: { get_weather: "get.weather" } }],
  ["free-text", { from: anthropic, to: chat, customTools: ["get_weather"] }],
])("the name in pieces of a %s tool is brought back", async (kind, exchange) => {
  const stream = calls(call(0, "a", "get_", "")) + calls(named("weather", '{"input":"x"}')) + ended;
  for (const to of [anthropic, chat] as const) {
    const { frames } = await converted(stream, chat, to, { exchange });
    const name = kind === "renamed" ? "get.weather" : "get_weather";
    if (to === anthropic) expect(anthropicBlocks(frames)).toMatchObject([{ name, json: '{"input":"x"}' }]);
    else if (kind === "renamed") expect(chatCalls(frames)).toMatchObject([{ name, arguments: '{"input":"x"}' }]);
    else {
      const sent = frames.flatMap(({ data }) => data.choices?.[0]?.delta?.tool_calls ?? []);
      expect(sent.map((piece: Body) => piece.custom?.name ?? "").join("")).toBe(name);
      expect(sent.map((piece: Body) => piece.custom?.input ?? "").join("")).toBe("x");
    }
  }
});

describe("arguments at the start of a block", () => {
  const used = (type: string, input: Body, ...pieces: string[]): string =>
    events(
      start(),
      block(0, { type, id: "toolu_1", name: "f", input }),
      ...pieces.map((piece) => json(0, piece)),
      stop(0),
      finish("tool_use"),
      end,
    );
  const place = "/events/1/content_block/input";

  test.each(["tool_use", "server_tool_use"])("of %s give way to pieces, which is reported", async (type) => {
    const { value, codes } = await decoded(used(type, { a: 1 }, '{"b"', ":2}"), anthropic);
    expect(value.content).toMatchObject([type === "tool_use" ? { arguments: { b: 2 } } : { input: { b: 2 } }]);
    expect(codes).toEqual(["tool_call.replaced"]);
  });

  test("are lost at their place", async () => {
    const { frames, losses } = await converted(used("tool_use", { a: 1 }, '{"b":2}'), anthropic, chat);
    expect(chatCalls(frames)).toMatchObject([{ arguments: '{"b":2}' }]);
    expect(losses.filter(({ path }) => path === place)).toMatchObject([
      { code: "tool_call.replaced", kind: "dropped" },
    ]);
  });

  test("are said again by equal pieces", async () => {
    const { losses } = await converted(used("tool_use", { a: 1 }, '{ "a": ', "1 }"), anthropic, chat);
    expect(losses.filter(({ path }) => path === place)).toMatchObject([{ code: "field.repeated" }]);
  });

  test("count where no piece comes", async () => {
    const { frames, losses } = await converted(used("tool_use", { a: 1 }, ""), anthropic, chat);
    expect(JSON.parse(chatCalls(frames)[0].arguments)).toEqual({ a: 1 });
    expect(losses.filter(({ path }) => path === place)).toEqual([]);
  });
});

const twins: { readonly [name: string]: string } = {
  "whole at once": calls(call(0, "a", "f", '{"x":1}')) + calls(call(1, "a", "g", '{"y":2}')) + ended,
  "in one chunk": calls(call(0, "a", "f", '{"x":1}'), call(1, "a", "g", '{"y":2}')) + ended,
  "in pieces side by side":
    calls(call(0, "a", "f", '{"x":')) +
    calls(call(1, "a", "g", '{"y":')) +
    calls(call(0, undefined, undefined, "1}")) +
    calls(call(1, undefined, undefined, "2}")) +
    ended,
  "with the id in each piece":
    calls(call(0, "a", "f", '{"x":')) +
    calls(call(1, "a", "g", '{"y":')) +
    calls(call(0, "a", undefined, "1}")) +
    calls(call(1, "a", undefined, "2}")) +
    ended,
};

describe.each(Object.entries(twins))("two calls that have one id, %s", (_name, stream) => {
  test("stay two, and the second gets an id of its own, as in a whole answer", async () => {
    const { value } = await decoded(stream, chat);
    const tool_calls = [call(undefined, "a", "f", '{"x":1}'), call(undefined, "a", "g", '{"y":2}')];
    const message = { role: "assistant", content: null, tool_calls };
    const whole = (await loadProtocol(chat)).decodeResponse({ choices: [{ index: 0, message }] }).value;
    const inputs = [
      { name: "f", input: { x: 1 } },
      { name: "g", input: { y: 2 } },
    ];
    expect(callsOf(value)).toMatchObject(inputs);
    expect(callsOf(value).map(({ id }) => id)).toEqual(callsOf(whole).map(({ id }) => id));
    const blocks = anthropicBlocks((await converted(stream, chat, anthropic)).frames);
    expect(blocks.map(({ name, json: input }) => ({ name, input: JSON.parse(input) }))).toEqual(inputs);
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(2);
  });
});

test("a piece that names no tool goes to the call of its id, whatever its index", async () => {
  const stream = calls(call(0, "a", "f", '{"x":')) + calls(call(1, "a", undefined, "1}")) + ended;
  const { value } = await decoded(stream, chat);
  expect(callsOf(value)).toMatchObject([{ name: "f", input: { x: 1 } }]);
});
