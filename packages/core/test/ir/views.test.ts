import type { Conversation, Json, Message, MessageInput } from "@rolecall/core";
import {
  createMessage,
  instructions,
  jsonEqual,
  opaqueItems,
  pointerSegments,
  setOwn,
  textOf,
  toolCalls,
  turns,
  valueAt,
  visitNodes,
  withoutWire,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";

const conversation = (...inputs: MessageInput[]): Conversation => ({
  messages: inputs.map(createMessage),
  settings: {},
});

describe("instructions", () => {
  const mixed = conversation(
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
    { role: "system", authority: "developer", content: "In German." },
  );

  test("with their places, and the dialogue without them", () => {
    expect(instructions(mixed).map(({ index }) => index)).toEqual([0, 2]);
    expect(turns(mixed).map(({ role }) => role)).toEqual(["user"]);
  });
});

describe("calls", () => {
  const state = [{ protocol: "openai-chat" as const, kind: "callId" as const, value: "call_1" }];
  const messages = conversation(
    { role: "assistant", content: [{ type: "toolCall", kind: "function", id: "a", name: "read", arguments: {} }] },
    { role: "toolResult", toolCallId: "a", content: "1" },
    {
      role: "assistant",
      content: [{ type: "toolCall", kind: "function", id: "b", name: "read", arguments: {}, state }],
    },
    { role: "toolResult", toolCallId: "a", content: "again" },
  );

  test("come with the first result and both ids", () => {
    const found = toolCalls(messages).map(({ id, providerCallId, messageIndex, result }) => [
      id,
      providerCallId,
      messageIndex,
      result && textOf(result),
    ]);
    expect(found).toEqual([
      ["a", "a", 0, "1"],
      ["b", "call_1", 2, undefined],
    ]);
  });
});

describe("what only its issuer understands", () => {
  test("is found on every node, with its place", () => {
    const signature = { protocol: "anthropic-messages" as const, kind: "signature" as const, value: "sig" };
    const found = opaqueItems(
      conversation(
        { role: "assistant", content: [{ type: "thinking", thinking: "", state: [signature] }] },
        {
          role: "user",
          content: [
            {
              type: "document",
              source: {
                type: "content",
                content: [{ type: "opaque", protocol: "anthropic-messages", slot: "block", value: {} }],
              },
            },
          ],
        },
      ),
    );
    expect(found.map(({ type, pointer }) => `${type} ${pointer}`)).toEqual([
      "state /messages/0/content/0",
      "part /messages/1/content/0/source/content/0",
    ]);
  });
});

describe("a value without wire and state", () => {
  const wire = { protocol: "openai-chat" as const };

  test("is free of them at every node", () => {
    const message: Message = { role: "user", content: [{ type: "text", text: "x", wire, state: [] }], wire };
    expect(withoutWire(message)).toEqual({ role: "user", content: [{ type: "text", text: "x" }] });
  });

  test("keeps what is only called so in JSON of others", () => {
    const call: Message = {
      role: "assistant",
      content: [{ type: "toolCall", kind: "function", id: "a", name: "b", arguments: { wire: 1, state: 2, raw: 3 } }],
    };
    expect(withoutWire(call)).toEqual(call);
  });

  test("keeps counts and loses the service's own object", () => {
    expect(withoutWire({ totalTokens: 2, raw: { total: 2 } })).toEqual({ totalTokens: 2 });
  });
});

test("nodes are visited in document order, marks and sources only with residue", () => {
  const wire = { protocol: "anthropic-messages" as const, rest: { x: 1 } };
  const visited: string[] = [];
  const value: Conversation = {
    ...conversation(
      { role: "system", toolsAdded: [{ name: "read", cacheBreakpoint: { wire } }] },
      { role: "user", content: "hi" },
    ),
    settings: { cache: { breakpoint: { wire } } },
  };
  visitNodes(value, (_node, pointer) => visited.push(pointer));
  expect(visited).toEqual([
    "",
    "/settings/cache/breakpoint",
    "/messages/0",
    "/messages/0/toolsAdded/0",
    "/messages/0/toolsAdded/0/cacheBreakpoint",
    "/messages/1",
    "/messages/1/content/0",
  ]);
});

describe("JSON", () => {
  test.each<[left: Json, right: Json, equal: boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{}, [], false],
    [null, {}, false],
    [0, -0, true],
    [JSON.parse('{"__proto__": 1}'), {}, false],
    [{ a: { b: [1, { c: null }] } }, { a: { b: [1, { c: null }] } }, true],
  ])("%j equals %j: %s", (left, right, equal) => {
    expect(jsonEqual(left, right)).toBe(equal);
    expect(jsonEqual(right, left)).toBe(equal);
  });

  test("pointers name own values only", () => {
    const value = { "a/b": [{ "c~": 1 }] };
    expect(valueAt(value, "/a~1b/0/c~0")).toBe(1);
    expect(valueAt(value, "")).toBe(value);
    expect(valueAt(value, "/constructor")).toBeUndefined();
    expect(valueAt(value, "/a~1b/length")).toBe(1);
    expect(pointerSegments("a~1b/0")).toEqual(["a/b", "0"]);
  });

  test("a key called __proto__ is a key", () => {
    const value: { [key: string]: unknown } = {};
    setOwn(value, "__proto__", 1);
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
