import { expect } from "vitest";
import type { Body } from "./fault.ts";
import { anthropic, chat, chatCall, codes, decoded, has, responses, testFaults } from "./fault.ts";

const items = (...input: Body[]): Body => ({ model: "m", input: [{ role: "user", content: "go" }, ...input] });
const call = (id: string, more: Body = {}): Body => ({
  type: "function_call",
  call_id: id,
  name: "f",
  arguments: "{}",
  ...more,
});
const result = (id: string, output: Body = "ok"): Body => ({ type: "function_call_output", call_id: id, output });
const tool = (more: Body): Body => ({
  type: "function",
  function: { name: "f", parameters: { type: "object", properties: { a: { type: "string" } } }, ...more },
});

const closed = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

testFaults("Responses", {
  "tool-id-composite": {
    from: responses,
    to: anthropic,
    mode: "request",
    siblings: [
      items(call("call_1", { id: "fc_9" }), result("call_1")),
      items(call("call_2", { id: "fc_9" }), result("call_2")),
    ],
    async check(input, convert) {
      const { value } = await convert();
      const id = input.input[1].call_id;
      expect(value.messages[1].content[0].id).toBe(id);
      expect(value.messages[2].content[0].tool_use_id).toBe(id);
      expect(JSON.stringify(value)).not.toContain("fc_9");
      const ir = await decoded(responses, input, "request");
      expect(ir.messages[1].content[0].state).toMatchObject([{ kind: "itemId", value: "fc_9" }]);
    },
  },
  "foreign-signature": {
    from: responses,
    to: anthropic,
    mode: "request",
    siblings: [
      items(
        { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "gAAA" },
        { role: "assistant", content: "hi" },
        { role: "user", content: "more" },
      ),
    ],
    async check(_input, convert) {
      const outcome = await convert();
      expect(JSON.stringify(outcome.value)).not.toContain("gAAA");
      const assistant = outcome.value.messages.find((message: Body) => message.role === "assistant");
      expect(assistant.content).toEqual([{ type: "text", text: "hi" }]);
      expect(has(outcome, "reasoning.foreign", "/input/1")).toBe(true);
    },
  },
  "responses-reasoning-store-false": {
    from: responses,
    to: responses,
    mode: "request",
    siblings: [
      {
        ...items(
          {
            type: "reasoning",
            summary: [
              { type: "summary_text", text: "a" },
              { type: "summary_text", text: "b" },
            ],
            encrypted_content: "x",
          },
          call("c1"),
          result("c1"),
        ),
        store: false,
        include: ["message.output_text.logprobs", "reasoning.encrypted_content"],
      },
    ],
    async check(input, convert) {
      const outcome = await convert();
      expect(outcome.value).toEqual(input);
      expect(codes(outcome)).toEqual([]);
    },
  },
  "responses-sibling-text-lost": {
    from: anthropic,
    to: responses,
    mode: "request",
    siblings: [
      {
        model: "m",
        max_tokens: 99,
        messages: [
          { role: "user", content: "go" },
          {
            role: "assistant",
            content: [
              { type: "text", text: "first" },
              { type: "tool_use", id: "a", name: "f", input: {} },
            ],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "a", content: "1" },
              { type: "text", text: "now answer" },
            ],
          },
        ],
      },
    ],
    async check(_input, convert) {
      const { value } = await convert();
      expect(value.input.at(-2)).toMatchObject({ type: "function_call_output", call_id: "a", output: "1" });
      expect(value.input.at(-1)).toEqual({ role: "user", content: "now answer" });
    },
  },
  "mid-conversation-system": {
    from: anthropic,
    to: responses,
    mode: "request",
    siblings: [
      {
        model: "m",
        max_tokens: 99,
        system: "Base",
        messages: [
          { role: "user", content: "go" },
          { role: "system", content: [{ type: "text", text: "Tools changed." }] },
        ],
      },
    ],
    async check(_input, convert) {
      const { value } = await convert();
      expect(value.instructions).toBe("Base");
      expect(value.input[1]).toMatchObject({ role: "system", content: "Tools changed." });
      expect(JSON.stringify(value)).not.toContain('"role":"assistant"');
    },
  },
  "developer-role-unsupported": {
    from: responses,
    to: chat,
    mode: "request",
    target: { supportsDeveloperRole: false },
    siblings: [
      {
        model: "m",
        instructions: "A",
        input: [
          { type: "message", role: "developer", content: [{ type: "input_text", text: "B" }] },
          { role: "user", content: "q" },
        ],
      },
    ],
    async check(_input, convert) {
      const outcome = await convert();
      expect(outcome.value.messages.map((message: Body) => message.role)).toEqual(["system", "system", "user"]);
      expect(codes(outcome)).toContain("instruction.authority");
      const taken = await convert({ supportsDeveloperRole: true });
      expect(taken.value.messages.map((message: Body) => message.role)).toEqual(["system", "developer", "user"]);
    },
  },
  "responses-strict-default": {
    from: chat,
    to: responses,
    mode: "request",
    siblings: [
      chatCall("c1", "f", "{}", "ok", { tools: [tool({}), tool({ name: "g", strict: true, parameters: closed })] }),
    ],
    async check(_input, convert) {
      const { value } = await convert();
      expect(value.tools.map((entry: Body) => entry.strict)).toEqual([false, true]);
      expect(Object.keys(value.tools[0]).sort()).toEqual(
        expect.arrayContaining(["name", "parameters", "strict", "type"]),
      );
    },
  },
  "responses-strict-unsaid": {
    own: true,
    from: responses,
    to: chat,
    mode: "request",
    siblings: [
      { ...items(), tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }] },
    ],
    async check(_input, convert) {
      const outcome = await convert();
      expect(has(outcome, "field.absent", "/tools/0/strict")).toBe(true);
    },
  },
  "responses-stored": {
    own: true,
    from: responses,
    to: anthropic,
    mode: "request",
    siblings: [
      { ...items(), previous_response_id: "resp_1" },
      { ...items(), conversation: "conv_1" },
      { model: "m", prompt: { id: "pmpt_1" } },
    ],
    async check(input, convert) {
      const field = ["previous_response_id", "conversation", "prompt"].find((key) => key in input);
      await expect(convert()).rejects.toMatchObject({ code: "unsupported", path: `/${field}` });
    },
  },
  "responses-echo": {
    own: true,
    from: responses,
    to: chat,
    mode: "request",
    siblings: [
      { ...items(), temperature: 0.5, tools: [{ type: "function", name: "f", parameters: null, strict: false }] },
    ],
    async check(input, convert) {
      const { exchange } = await convert();
      expect(exchange?.echo).toEqual({ temperature: 0.5, tools: input.tools });
    },
  },
});
