import { expect } from "vitest";
import type { StreamFault } from "../fault.ts";
import { callsOf, testStreamFaults, textIn } from "../fault.ts";
import type { Body } from "../wire.ts";
import {
  anthropic,
  anthropicBlocks,
  block,
  call,
  chat,
  chatCalls,
  chunk,
  done,
  end,
  events,
  finish,
  json,
  start,
  stop,
  text,
} from "../wire.ts";

const calls = (...pieces: Body[]): string => chunk({ tool_calls: pieces });
const ended = chunk({}, "tool_calls") + done;
const lastDelta = (frames: readonly Body[]): Body => frames.find(({ data }) => data.type === "message_delta")?.data;

/** One call, seen alike by the IR and by a client of Anthropic. */
function oneCall(name: string, input: Body): StreamFault["check"] {
  return ({ message, target }) => {
    expect(callsOf(message)).toMatchObject([{ name, input }]);
    const blocks = anthropicBlocks(target.frames);
    expect(blocks).toMatchObject([{ type: "tool_use", name, input: {} }]);
    expect(JSON.parse(blocks[0].json)).toEqual(input);
    expect(blocks[0].id).not.toBe("");
    expect(lastDelta(target.frames).delta.stop_reason).toBe("tool_use");
  };
}

testStreamFaults("streams of calls", {
  "stream-duplicate-index": {
    from: chat,
    to: anthropic,
    siblings: [
      calls(call(0, "call_a", "time", '{"c":"pa')) +
        calls(call(0, undefined, undefined, 'ris"}')) +
        calls(call(0, "call_b", "weather", "")) +
        calls(call(0, undefined, undefined, '{"c":"paris"}')) +
        ended,
      calls(call(0, "call_a", "time", '{"c":"paris"}'), call(0, "call_b", "weather", '{"c":"paris"}')) + ended,
    ],
    check({ message, codes, target }) {
      const expected = [
        { id: "call_a", name: "time", input: { c: "paris" } },
        { id: "call_b", name: "weather", input: { c: "paris" } },
      ];
      expect(callsOf(message)).toEqual(expected);
      expect(codes).toContain("tool_call.index");
      expect(
        anthropicBlocks(target.frames).map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) })),
      ).toEqual(expected);
    },
  },
  "stream-foreign-index-continuation": {
    from: chat,
    to: anthropic,
    siblings: [
      calls(call(0, "call_a", "find", "")) +
        calls(call(7, undefined, undefined, '{"q":')) +
        calls(call(1, undefined, undefined, '"x"}')) +
        ended,
      calls(call(0, "a", "other", "{}")) +
        calls(call(1, "call_a", "find", '{"q":')) +
        calls(call(2, undefined, undefined, '"x"}')) +
        ended,
    ],
    check({ message, codes, target }) {
      expect(callsOf(message).at(-1)).toEqual({ id: "call_a", name: "find", input: { q: "x" } });
      expect(codes).toContain("tool_call.orphan");
      expect(JSON.parse(anthropicBlocks(target.frames).at(-1).json)).toEqual({ q: "x" });
    },
  },
  "orphan-piece-with-two-open-calls": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [
      calls(call(0, "a", "f", '{"q":')) +
        calls(call(1, "b", "g", '{"r":')) +
        calls(call(5, undefined, undefined, '"x"}')) +
        ended,
    ],
    check({ message, target }) {
      expect(message.stopReason).toBe("error");
      expect(target.frames.at(-1)).toMatchObject({ event: "error", data: { type: "error" } });
      expect(target.text).not.toContain("message_stop");
    },
  },
  "stream-name-repeated": {
    from: chat,
    to: anthropic,
    siblings: [
      calls(call(0, "c1", "read_file", "")) +
        calls(call(0, undefined, "read_file", '{"p"')) +
        calls(call(0, "", "read_file", ':"a"}')) +
        ended,
    ],
    check: oneCall("read_file", { p: "a" }),
  },
  "stream-empty-custom-field": {
    from: chat,
    to: anthropic,
    siblings: [
      calls({ ...call(0, "c1", "read", ""), custom: {} }) +
        calls({ index: 0, custom: {}, function: { arguments: '{"p":"/t"}' } }) +
        ended,
      calls({ index: 0, id: "c1", custom: {}, function: { name: "read", arguments: '{"p":"/t"}' } }) + ended,
    ],
    check: oneCall("read", { p: "/t" }),
  },
  "stream-args-before-name": {
    from: chat,
    to: anthropic,
    siblings: [
      calls({ index: 0, id: "c1", function: { arguments: '{"a"' } }) +
        calls({ index: 0, function: { arguments: ":" } }) +
        calls({ index: 0, function: { name: "f", arguments: "1}" } }) +
        ended,
      calls(call(0, "c1", undefined, "")) + calls(call(0, undefined, "f", '{"a":1}')) + ended,
      calls({ function: { name: "f", arguments: '{"a":1}' } }) + ended,
      calls({ index: 3, function: { name: "f", arguments: '{"a":' } }) +
        calls(call(3, undefined, undefined, "1}")) +
        ended,
    ],
    check: oneCall("f", { a: 1 }),
  },
  "call-without-a-name": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [calls(call(0, "c1", undefined, '{"a":1}')) + ended, calls(call(0, "c1", "", '{"a":1}')) + done],
    check({ message, target }) {
      expect(message.stopReason).toBe("error");
      expect(callsOf(message)).toEqual([]);
      expect(target.frames.at(-1)?.event).toBe("error");
    },
  },
  "arguments-as-object": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [calls(call(0, "c1", "f", { a: 1 })) + ended],
    check(outcome, input) {
      oneCall("f", { a: 1 })(outcome, input);
      expect(outcome.codes).toContain("tool_call.shape");
    },
  },
  "interleaved-calls": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [
      calls(call(0, "a", "f", '{"x":')) +
        calls(call(1, "b", "g", '{"y":')) +
        calls(call(0, undefined, undefined, "1"), call(1, undefined, undefined, "2")) +
        calls(call(1, undefined, undefined, "}")) +
        calls(call(0, undefined, undefined, "}")) +
        ended,
      // Without an index a piece goes by its id, or to the last call.
      calls(call(undefined, "a", "f", '{"x":')) +
        calls(call(undefined, undefined, undefined, "1}")) +
        calls(call(undefined, "b", "g", '{"y":')) +
        calls(call(undefined, "b", undefined, "2}")) +
        ended,
    ],
    check({ message, target }) {
      const expected = [
        { id: "a", name: "f", input: { x: 1 } },
        { id: "b", name: "g", input: { y: 2 } },
      ];
      expect(callsOf(message)).toEqual(expected);
      expect(
        anthropicBlocks(target.frames).map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) })),
      ).toEqual(expected);
    },
  },
  "anthropic-start-block-input": {
    from: anthropic,
    to: anthropic,
    siblings: [
      events(
        start(),
        block(0, { type: "tool_use", id: "t1", name: "bash", input: { cmd: "ls" } }),
        stop(0),
        finish("tool_use"),
        end,
      ),
      events(
        start(),
        block(0, { type: "tool_use", id: "t1", name: "bash", input: { cmd: "rm" } }),
        json(0, '{"cmd":'),
        json(0, '"ls"}'),
        stop(0),
        finish("tool_use"),
        end,
      ),
    ],
    check({ message, target }) {
      expect(callsOf(message)).toEqual([{ id: "t1", name: "bash", input: { cmd: "ls" } }]);
      const [only] = anthropicBlocks(target.frames);
      expect(only.input).toEqual({});
      expect(JSON.parse(only.json)).toEqual({ cmd: "ls" });
    },
  },
  "anthropic-empty-and-split-json-delta": {
    from: anthropic,
    to: chat,
    siblings: [
      events(
        start(),
        block(0, { type: "tool_use", id: "t1", name: "w", input: {} }),
        json(0, ""),
        ...[...'{"file_path":"a","n":1}'].map((piece) => json(0, piece)),
        stop(0),
        finish("tool_use"),
        end,
      ),
    ],
    check({ message, target }) {
      const args = '{"file_path":"a","n":1}';
      expect(callsOf(message)).toEqual([{ id: "t1", name: "w", input: JSON.parse(args) }]);
      expect(chatCalls(target.frames)).toEqual([{ index: 0, id: "t1", name: "w", arguments: args }]);
      expect(target.losses).toEqual([]);
      expect(target.frames.some(({ data }) => data.choices?.[0]?.delta?.content)).toBe(false);
    },
  },
  "anthropic-to-chat-tool-index": {
    from: anthropic,
    to: chat,
    siblings: [
      events(
        start(),
        block(0, { type: "text", text: "" }),
        text(0, "ok"),
        stop(0),
        block(1, { type: "tool_use", id: "t1", name: "a", input: {} }),
        stop(1),
        block(2, { type: "tool_use", id: "t2", name: "b", input: {} }),
        json(2, '{"x":1}'),
        stop(2),
        finish("tool_use"),
        end,
      ),
    ],
    check({ message, target }) {
      expect(textIn(message)).toBe("ok");
      expect(chatCalls(target.frames)).toMatchObject([
        { index: 0, id: "t1" },
        { index: 1, id: "t2" },
      ]);
      const deltas = target.frames.map(({ data }) => data.choices?.[0]?.delta ?? {});
      const said = deltas.findIndex((delta) => delta.content === "ok");
      expect(said).toBeLessThan(deltas.findIndex((delta) => delta.tool_calls !== undefined));
      const reasons = target.frames.map(({ data }) => data.choices?.[0]?.finish_reason).filter(Boolean);
      expect(reasons).toEqual(["tool_calls"]);
    },
  },
  "chat-to-anthropic-block-order": {
    from: chat,
    to: anthropic,
    siblings: [
      chunk({ content: "a" }) +
        chunk({ reasoning: "hm" }) +
        calls(call(0, "c1", "f", '{"x":')) +
        chunk({ content: "b" }) +
        calls(call(0, undefined, undefined, "1}")) +
        ended,
    ],
    check({ target }) {
      expect(anthropicBlocks(target.frames).map((part) => part.type)).toEqual(["text", "thinking", "tool_use", "text"]);
      const types = target.frames.map(({ data }) => data.type);
      expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
      expect(types.filter((type) => type === "message_delta")).toHaveLength(1);
      expect(lastDelta(target.frames).delta.stop_reason).toBe("tool_use");
      expect(target.losses.map((loss) => loss.code)).toContain("reasoning.signature");
    },
  },
  "arguments-that-are-no-object": {
    own: true,
    from: chat,
    to: anthropic,
    siblings: [calls(call(0, "c1", "f", "rm ")) + calls(call(0, undefined, undefined, "-rf")) + ended],
    check({ message, target }) {
      expect(message.content[0]).toMatchObject({ argumentsText: "rm -rf", argumentsError: expect.any(String) });
      expect(JSON.parse(anthropicBlocks(target.frames)[0].json)).toEqual({ _raw_arguments: "rm -rf" });
      expect(target.losses.map((loss) => loss.code)).toContain("tool_call.arguments");
    },
  },
});
