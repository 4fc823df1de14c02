import { expect } from "vitest";
import { toolCalls } from "../../src/index.ts";
import type { Body } from "./fault.ts";
import { anthropic, chat, chatCall, decoded, has, testFaults } from "./fault.ts";

const pattern = /^[a-zA-Z0-9_-]+$/;
const uses = (value: Body): Body[] =>
  value.messages.flatMap((m: Body) =>
    Array.isArray(m.content) ? m.content.filter((b: Body) => b.type === "tool_use") : [],
  );
const results = (value: Body): Body[] =>
  value.messages.flatMap((m: Body) =>
    Array.isArray(m.content) ? m.content.filter((b: Body) => b.type === "tool_result") : [],
  );

const two = (first: string, second: string): Body => ({
  model: "m",
  messages: [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: first, type: "function", function: { name: "f", arguments: '{"p":"a"}' } },
        { id: second, type: "function", function: { name: "f", arguments: '{"p":"b"}' } },
      ],
    },
    { role: "tool", tool_call_id: first, content: "A" },
    { role: "tool", tool_call_id: second, content: "B" },
  ],
});

testFaults("identifiers", {
  "tool-id-sanitise": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      two("a.b:0", "a_b_0"),
      two("x|y", "x/y"),
      two("ü-1", "_-1"),
      two("call 1", "call\n1"),
      two("x".repeat(80), `${"x".repeat(79)}y`),
    ],
    async check(input, convert) {
      const outcome = await convert();
      const [a, b] = uses(outcome.value);
      const [first, second] = results(outcome.value);
      for (const id of [a.id, b.id, first.tool_use_id, second.tool_use_id]) expect(id).toMatch(pattern);
      expect(a.id).not.toBe(b.id);
      expect(a.input).toEqual({ p: "a" });
      expect([first.tool_use_id, second.tool_use_id]).toEqual([a.id, b.id]);
      expect([first.content, second.content]).toEqual(["A", "B"]);
      for (const call of input.messages[1].tool_calls) {
        if (pattern.test(call.id) && call.id.length <= 64)
          expect(uses(outcome.value).map((use) => use.id)).toContain(call.id);
      }
      expect((await convert()).value).toEqual(outcome.value);
      expect(has(outcome, "tool.id")).toBe(true);
      const ir = await decoded(chat, input, "request");
      expect(toolCalls(ir).map((view) => view.providerCallId)).toEqual(
        input.messages[1].tool_calls.map((c: Body) => c.id),
      );
    },
  },
  "tool-id-profile": {
    from: chat,
    to: chat,
    mode: "request",
    siblings: [
      chatCall("2968-xY", "f", "{}", "ok"),
      chatCall("call_0123456789", "f", "{}", "ok"),
      chatCall("a", "f", "{}", "ok"),
    ],
    async check(input, convert) {
      const plain = await convert();
      expect(plain.value).toEqual(input);
      const { value } = await convert({ toolCallIdPattern: "^[a-zA-Z0-9]{9}$" });
      const call = value.messages[1].tool_calls[0].id;
      expect(call).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(value.messages[2].tool_call_id).toBe(call);
    },
  },
  "tool-id-reused-across-turns": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [repeated("K", 2), repeated("call_1", 3), repeated("", 2)],
    async check(input, convert) {
      const outcome = await convert();
      const calls = uses(outcome.value);
      expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
      const expected = input.messages.filter((m: Body) => m.role === "tool").map((m: Body) => m.content);
      expect(results(outcome.value).map((result) => result.content)).toEqual(expected);
      expect(results(outcome.value).map((result) => result.tool_use_id)).toEqual(calls.map((call) => call.id));
      outcome.value.messages.forEach((message: Body, index: number) => {
        const call = Array.isArray(message.content)
          ? message.content.find((b: Body) => b.type === "tool_use")
          : undefined;
        if (call !== undefined) expect(outcome.value.messages[index + 1].content[0].tool_use_id).toBe(call.id);
      });
      expect(outcome.losses.filter((loss) => loss.kind === "dropped")).toEqual([]);
    },
  },
  "tool-name-sanitise": {
    from: anthropic,
    to: chat,
    mode: "request",
    siblings: [
      named(["a b", "a_b"]),
      named(["工具", "x"]),
      named(["n".repeat(100), "n".repeat(99)]),
      named(["ns:tool/v1", "ns_tool_v1"]),
    ],
    async check(input, convert) {
      const { value, losses, exchange } = await convert();
      const names: string[] = value.tools.map((tool: Body) => tool.function.name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      input.tools.forEach((tool: Body, index: number) => {
        if (/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) expect(names[index]).toBe(tool.name);
        else expect(exchange?.toolNames?.[names[index] as string]).toBe(tool.name);
      });
      const called = input.messages[1].content[0].name;
      const sent = names[input.tools.findIndex((tool: Body) => tool.name === called)];
      expect(value.messages[1].tool_calls[0].function.name).toBe(sent);
      expect(value.tool_choice.function.name).toBe(sent);
      expect(losses.some((loss) => loss.code === "tool.name")).toBe(true);
      const { convertResponse } = await import("../../src/index.ts");
      const answer = {
        id: "c",
        object: "chat.completion",
        created: 1,
        model: "m",
        choices: [
          {
            index: 0,
            finish_reason: "tool_calls",
            message: {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "x", type: "function", function: { name: sent, arguments: "{}" } }],
            },
          },
        ],
      };
      const back = await convertResponse(answer, {
        from: chat,
        to: anthropic,
        ...(exchange !== undefined && { exchange }),
      });
      expect((back.value as Body).content[0].name).toBe(called);
    },
  },
});

function repeated(id: string, turns: number): Body {
  const messages: Body[] = [{ role: "user", content: "go" }];
  for (let turn = 1; turn <= turns; turn++) {
    messages.push(
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "f", arguments: `{"n":${turn}}` } }],
      },
      { role: "tool", tool_call_id: id, content: `result ${turn}` },
    );
  }
  return { model: "m", messages };
}

function named(names: readonly string[]): Body {
  return {
    model: "m",
    max_tokens: 10,
    messages: [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: names[0], input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "1" }] },
    ],
    tools: names.map((name) => ({ name, input_schema: { type: "object" } })),
    tool_choice: { type: "tool", name: names[0] },
  };
}
