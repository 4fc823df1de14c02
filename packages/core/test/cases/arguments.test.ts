import { expect } from "vitest";
import type { Body } from "./fault.ts";
import { anthropic, chat, chatCall, decoded, has, testFaults } from "./fault.ts";

const answer = (call: Body): Body => ({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: { role: "assistant", content: null, refusal: null, tool_calls: [call] },
      logprobs: null,
    },
  ],
});
const useOf = (value: Body): Body => value.messages[1].content.find((block: Body) => block.type === "tool_use");

testFaults("arguments", {
  "args-as-object": {
    from: chat,
    to: chat,
    mode: "response",
    siblings: [
      answer({ id: "a", type: "function", function: { name: "w", arguments: {} } }),
      answer({ id: "a", type: "function", function: { name: "w", arguments: { deep: { list: [1, null, "x"] } } } }),
    ],
    async check(input, convert) {
      const given = input.choices[0].message.tool_calls[0].function.arguments;
      const outcome = await convert();
      const sent = outcome.value.choices[0].message.tool_calls[0].function.arguments;
      expect(sent).toBe(JSON.stringify(given));
      expect(has(outcome, "tool_call.shape", "/choices/0/message/tool_calls/0/function/arguments")).toBe(true);
      const ir = await decoded(chat, input, "response");
      expect(JSON.parse(ir.content[0].argumentsText)).toEqual(given);
    },
  },
  "args-empty-string": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      chatCall("c", "now", "", "12:00"),
      chatCall("c", "now", "  \n", "12:00"),
      chatCall("c", "now", "{}", "12:00"),
    ],
    async check(_input, convert) {
      const { value, losses } = await convert();
      expect(useOf(value).input).toEqual({});
      expect(losses.filter((loss) => loss.code.startsWith("tool_call."))).toEqual([]);
    },
  },
  "args-invalid-json-replay": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      chatCall("c", "f", '{"a":', "x"),
      chatCall("c", "f", "[1,2]", "x"),
      chatCall("c", "f", '"text"', "x"),
      chatCall("c", "f", "{'a':1}", "x"),
      chatCall("c", "f", '{"a":1}}', "x"),
      chatCall("c", "f", '{"x":1e400}', "x"),
    ],
    async check(input, convert) {
      const text = input.messages[1].tool_calls[0].function.arguments;
      const outcome = await convert();
      const use = useOf(outcome.value);
      expect(use.input).toEqual({ _raw_arguments: text });
      expect(outcome.value.messages[2].content[0].tool_use_id).toBe(use.id);
      expect(has(outcome, "tool_call.arguments", "/messages/1/tool_calls/0/function/arguments")).toBe(true);
      const ir = await decoded(chat, input, "request");
      expect(ir.messages[1].content[0].argumentsText).toBe(text);
    },
  },
  "args-precision": {
    own: true,
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      chatCall("c", "f", '{"id":12345678901234567890}', "x"),
      chatCall("c", "f", '{"a":1,"a":2}', "x"),
      chatCall("c", "f", '{"a":[{"b":1,"b":1}]}', "x"),
    ],
    async check(_input, convert) {
      expect(has(await convert(), "tool_call.precision")).toBe(true);
    },
  },
  "args-exact": {
    own: true,
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      chatCall("c", "f", '{"a":1.0,"b":1e3,"c":-0.5}', "x"),
      chatCall("c", "f", '{ "a" : "12345678901234567890" }', "x"),
      chatCall("c", "f", '{"a":{"k":1},"b":{"k":2}}', "x"),
      chatCall("c", "f", '{"a":"\\"quoted\\" \\"a\\":1"}', "x"),
    ],
    async check(input, convert) {
      const { value, losses } = await convert();
      expect(losses.filter((loss) => loss.code.startsWith("tool_call."))).toEqual([]);
      expect(useOf(value).input).toEqual(JSON.parse(input.messages[1].tool_calls[0].function.arguments));
    },
  },
});
