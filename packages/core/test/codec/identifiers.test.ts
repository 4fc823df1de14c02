import { createConverter } from "@rolecall/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignCallId, createCallIds, resolveCallId, startTurn } from "../../src/codec/identity/call-ids.ts";
import { hashName } from "../../src/codec/identity/hash.ts";
import { acceptableIdentifier, identifierRule, isAcceptable } from "../../src/codec/identity/identifiers.ts";
import { protocolOf } from "../protocols.ts";

const names = identifierRule(64, false, undefined);

describe("an identifier", () => {
  test.each([
    ["get_weather", true],
    ["mcp__server__tool-2", true],
    ["a".repeat(64), true],
    ["a".repeat(65), false],
    ["server.tool", false],
    ["wetter/jetzt", false],
    ["überall", false],
    ["", false],
  ])("%s is acceptable: %s", (name, expected) => {
    expect(isAcceptable(name, names)).toBe(expected);
  });

  test("that is not acceptable keeps what can be read, and a hash of the whole", () => {
    expect(acceptableIdentifier("server.tool", names)).toMatch(/^server_tool_[0-9A-Za-z]{22}$/);
  });

  test("becomes the same in every request", () => {
    expect(acceptableIdentifier("server.tool", names)).toBe(acceptableIdentifier("server.tool", names));
    expect(acceptableIdentifier("server.tool", names)).not.toBe(acceptableIdentifier("server/tool", names));
  });

  test("becomes acceptable, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) =>
        isAcceptable(acceptableIdentifier(name, names), names),
      ),
      { seed: 7 },
    );
  });

  test.each(["^[a-zA-Z0-9]{9}$", "[a-z0-9_-]{4,40}", "^call_[A-Za-z0-9]+$", "^[a-z0-9]{5}$|^call_[A-Za-z0-9]+$"])(
    "obeys the pattern %s of a profile",
    (pattern) => {
      const rule = identifierRule(64, false, pattern);
      const ids = ["toolu_01A", "call_x", "", "ö"].map((id) => acceptableIdentifier(id, rule));
      expect(ids.filter((id) => !isAcceptable(id, rule))).toEqual([]);
    },
  );

  test("is matched as a whole by a pattern that ends in an escaped dollar", () => {
    const rule = identifierRule(64, false, "[a-z]+\\$");
    expect(["cost$", "cost", "$cost$"].map((id) => isAcceptable(id, rule))).toEqual([true, false, false]);
  });

  test("of the own protocol is written as it came", () => {
    expect(isAcceptable("any thing, at any length", identifierRule(4, true, undefined))).toBe(true);
  });
});

describe("a hash", () => {
  test("is 22 letters and digits, and depends on nothing but the text", () => {
    expect(hashName("call")).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(hashName("call")).toBe(hashName("call"));
  });

  test("tells ten thousand near texts apart", () => {
    expect(new Set(Array.from({ length: 10_000 }, (_, index) => hashName(`call ${index}`))).size).toBe(10_000);
  });
});

describe("ids of calls", () => {
  test("are the wire's own while they are new", () => {
    const ids = createCallIds("openai-chat");
    expect(assignCallId(ids, "call_1", "read")).toEqual({ id: "call_1" });
    expect(resolveCallId(ids, "call_1")).toBe("call_1");
  });

  test.each(["", "call_1"])("are derived for a wire that says %j again, which stays in the state", (wireId) => {
    const ids = createCallIds("openai-chat");
    assignCallId(ids, "call_1", "read");
    startTurn(ids);
    const { id, state } = assignCallId(ids, wireId, "read");
    expect(id).toMatch(/^call_[0-9A-Za-z]{22}$/);
    expect(state).toEqual([{ protocol: "openai-chat", kind: "callId", value: wireId }]);
    expect(resolveCallId(ids, wireId)).toBe(id);
  });

  test("repeated within one turn are answered in order", () => {
    const ids = createCallIds("openai-chat");
    startTurn(ids);
    const calls = ["K", "K", "K"].map((wireId) => assignCallId(ids, wireId, "read").id);
    expect(["K", "K", "K", "K"].map((wireId) => resolveCallId(ids, wireId))).toEqual([...calls, calls[2]]);
  });

  test("of a turn that was not answered do not take the result of a later one", () => {
    const ids = createCallIds("openai-chat");
    const turns = [1, 2].map(() => {
      startTurn(ids);
      return assignCallId(ids, "K", "read").id;
    });
    expect(resolveCallId(ids, "K")).toBe(turns[1]);
  });

  test("of a result without a call are the wire's", () => {
    expect(resolveCallId(createCallIds("openai-chat"), "call_9")).toBe("call_9");
  });
});

test("a renamed tool comes back under its own name", () => {
  const converter = createConverter(protocolOf("openai-chat"), protocolOf("anthropic-messages"));
  const tool = { type: "function", function: { name: "files.read", parameters: { type: "object" } } };
  const { value, exchange, losses } = converter.convertRequest({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "hi" }],
    tools: [tool],
  });
  const sent = (value as unknown as { readonly tools: readonly { readonly name: string }[] }).tools[0]!.name;
  expect(sent).toMatch(/^[a-zA-Z0-9_-]+$/);
  expect(losses.map(({ code, path, replacement }) => ({ code, path, replacement }))).toContainEqual({
    code: "tool.name",
    path: "/tools/0/function/name",
    replacement: sent,
  });

  const content = [{ type: "tool_use", id: "toolu_1", name: sent, input: {} }];
  const usage = { input_tokens: 1, output_tokens: 1 };
  const answer = {
    id: "1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: "tool_use",
    stop_sequence: null,
    usage,
  };
  expect(JSON.stringify(converter.convertResponse(answer, { exchange }).value)).toContain('"name":"files.read"');
});
