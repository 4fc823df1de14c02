import { expect, test } from "vitest";
import { convertRequest, EncodeError } from "../../src/index.ts";
import type { Body } from "./fault.ts";
import { anthropic, chat, has, testFaults } from "./fault.ts";

const roles = (value: Body): string[] => value.messages.map((m: Body) => m.role);
const call = (id: string): Body => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
const use = (id: string): Body => ({ type: "tool_use", id, name: "f", input: {} });
const result = (id: string, content: Body): Body => ({ type: "tool_result", tool_use_id: id, content });
const text = (words: string): Body => ({ type: "text", text: words });

const mixed = (user: Body[]): Body => ({
  model: "m",
  max_tokens: 9,
  messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: [use("a"), use("b")] },
    { role: "user", content: user },
  ],
});

testFaults("order", {
  "anthropic-mixed-user-order": {
    from: anthropic,
    to: chat,
    mode: "request",
    siblings: [
      mixed([text("x"), text("y"), result("b", "2"), result("a", "1")]),
      mixed([result("a", "1"), text("x"), result("b", "2"), text("y")]),
      mixed([result("a", "1"), result("b", "2"), text("x"), text("y")]),
    ],
    async check(input, convert) {
      const { value } = await convert();
      expect(roles(value)).toEqual(["user", "assistant", "tool", "tool", "user"]);
      expect(value.messages[4].content.map((part: Body) => part.text)).toEqual(["x", "y"]);
      const ids = input.messages[2].content
        .filter((b: Body) => b.type === "tool_result")
        .map((b: Body) => b.tool_use_id);
      expect(value.messages.slice(2, 4).map((m: Body) => m.tool_call_id)).toEqual(ids);
    },
  },
  "tool-results-merge-for-anthropic": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [1, 2, 5].map((count) => ({
      model: "m",
      messages: [
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: null,
          tool_calls: Array.from({ length: count }, (_, index) => call(`c${index}`)),
        },
        ...Array.from({ length: count }, (_, index) => ({
          role: "tool",
          tool_call_id: `c${index}`,
          content: `${index}`,
        })),
        { role: "user", content: "and now?" },
      ],
    })),
    async check(input, convert) {
      const { value, losses } = await convert();
      expect(roles(value)).toEqual(["user", "assistant", "user"]);
      const count = input.messages[1].tool_calls.length;
      expect(value.messages[2].content.map((b: Body) => b.type)).toEqual([...Array(count).fill("tool_result"), "text"]);
      expect(losses.filter((loss) => loss.code.startsWith("turn."))).toEqual([]);
    },
  },
  "consecutive-same-role": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      {
        model: "m",
        messages: [
          { role: "system", content: "S1" },
          { role: "system", content: "S2" },
          { role: "user", content: "a" },
          { role: "user", content: "b" },
          { role: "user", content: "c" },
        ],
      },
    ],
    async check(_input, convert) {
      const outcome = await convert();
      expect(outcome.value.system).toEqual([text("S1"), text("S2")]);
      expect(new Set(roles(outcome.value).map((role, index, all) => role === all[index + 1])).has(true)).toBe(false);
      expect(outcome.value.messages[0].content.slice(0, 2)).toEqual([text("a"), text("b")]);
      expect(has(outcome, "turn.merged")).toBe(true);
    },
  },
  "orphan-tool-result": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      {
        model: "m",
        messages: [
          { role: "user", content: "go" },
          { role: "tool", tool_call_id: "gone", content: "old" },
          { role: "user", content: "next" },
        ],
      },
      {
        model: "m",
        messages: [
          { role: "user", content: "go" },
          { role: "assistant", content: null, tool_calls: [call("a")] },
          { role: "tool", tool_call_id: "a", content: "1" },
          { role: "tool", tool_call_id: "gone", content: "2" },
          { role: "user", content: "next" },
        ],
      },
    ],
    async check(input, convert) {
      const outcome = await convert();
      const index = input.messages.findIndex((m: Body) => m.tool_call_id === "gone");
      expect(JSON.stringify(outcome.value)).not.toContain('"tool_use_id":"gone"');
      expect(JSON.stringify(outcome.value)).not.toContain(input.messages[index].content === "2" ? '"2"' : "old");
      expect(has(outcome, "tool_result.orphan", `/messages/${index}`)).toBe(true);
      await expect(convertRequest(input, { from: chat, to: anthropic, onLoss: "throw" })).rejects.toThrow(
        /loss policy/,
      );
    },
  },
  "assistant-prefill": {
    from: chat,
    to: anthropic,
    mode: "request",
    target: { supportsPrefill: false },
    siblings: [
      {
        model: "m",
        messages: [
          { role: "user", content: "go" },
          { role: "assistant", content: "Sure: \n" },
        ],
      },
    ],
    async check(input, convert) {
      const last = input.messages.at(-1).content;
      const refused = await convert({ supportsPrefill: false });
      expect(roles(refused.value)).toEqual(["user", "assistant", "user"]);
      expect(refused.value.messages[1].content[0].text).toBe(last);
      expect(has(refused, "turn.prefill")).toBe(true);
      const kept = await convert({ supportsPrefill: true });
      expect(roles(kept.value)).toEqual(["user", "assistant"]);
      expect(kept.value.messages[1].content[0].text).toBe(last.trimEnd());
      expect(has(kept, "text.trailing_whitespace")).toBe(true);
    },
  },
  "only-system-message": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      {
        model: "m",
        messages: [
          { role: "developer", content: "a" },
          { role: "system", content: "b" },
        ],
      },
    ],
    async check(input, convert) {
      const outcome = await convert();
      expect(outcome.value.messages.length).toBeGreaterThan(0);
      expect(outcome.value.messages[0].role).toBe("user");
      expect(outcome.value.messages[0].content.map((b: Body) => b.text)).toEqual(
        input.messages.map((m: Body) => m.content),
      );
      expect(has(outcome, "instruction.lowered")).toBe(true);
    },
  },
  "mid-conversation-system-to-anthropic": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      {
        model: "m",
        messages: [
          { role: "system", content: "A" },
          { role: "developer", content: "B" },
          { role: "user", content: "q" },
          { role: "system", content: "C" },
          { role: "assistant", content: "r" },
          { role: "user", content: "s" },
        ],
      },
    ],
    async check(_input, convert) {
      const hoisted = await convert();
      expect(hoisted.value.system.map((b: Body) => b.text)).toEqual(["A", "B", "C"]);
      expect(hoisted.value.messages.map((m: Body) => m.content[0].text)).toEqual(["q", "r", "s"]);
      for (const code of ["instruction.authority", "instruction.moved", "cache.prefix_changed"])
        expect(has(hoisted, code)).toBe(true);
      const native = await convert({ supportsMidConversationSystem: true });
      expect(native.value.system.map((b: Body) => b.text)).toEqual(["A", "B"]);
      expect(native.value.messages.find((m: Body) => m.role === "system").content[0].text).toBe("C");
      expect(has(native, "instruction.moved")).toBe(false);
    },
  },
});

test("an empty user turn is refused before any server sees it", async () => {
  for (const content of ["", []]) {
    const body = { model: "m", messages: [{ role: "user", content }] };
    const refused = convertRequest(body, { from: chat, to: anthropic });
    await expect(refused).rejects.toThrow(EncodeError);
    await expect(refused).rejects.toMatchObject({ path: "/messages/0" });
  }
});
