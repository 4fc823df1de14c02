import { expect } from "vitest";
import type { Body } from "./fault.ts";
import { anthropic, chat, decoded, has, testFaults } from "./fault.ts";

const message = (more: Body): Body => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
  ...more,
});
const choice = (inner: Body, finish_reason: string): Body => ({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: null, refusal: null, ...inner }, finish_reason, logprobs: null },
  ],
});

testFaults("answers", {
  "refusal-to-chat": {
    from: anthropic,
    to: chat,
    mode: "response",
    siblings: [
      message({ stop_reason: "refusal", stop_details: { type: "refusal", category: "bio", explanation: null } }),
      message({
        stop_reason: "refusal",
        content: [{ type: "text", text: "partial" }],
        stop_details: { type: "refusal", category: null, explanation: "no" },
      }),
      message({ stop_reason: "refusal", stop_details: null }),
    ],
    async check(input, convert) {
      const outcome = await convert();
      expect(outcome.value.choices[0].finish_reason).toBe("content_filter");
      const ir = await decoded(anthropic, input, "response");
      expect(ir.stopReason).not.toBe("stop");
      expect(ir.stopDetail).toBe("refusal");
      const { category, explanation } = input.stop_details ?? {};
      if (typeof explanation === "string") expect(outcome.value.choices[0].message.refusal).toBe(explanation);
      if (typeof category === "string") {
        expect(ir.content.find((part: Body) => part.type === "refusal").category).toBe(category);
        expect(has(outcome, "refusal.detail", "/stop_details/category")).toBe(true);
      }
    },
  },
  "content-filter-to-anthropic": {
    from: chat,
    to: anthropic,
    mode: "response",
    siblings: [
      choice({}, "content_filter"),
      choice({ refusal: "no" }, "stop"),
      choice({ content: "cut he" }, "content_filter"),
    ],
    async check(input, convert) {
      const outcome = await convert();
      expect(outcome.value.stop_reason).toBe("refusal");
      const { refusal } = input.choices[0].message;
      if (typeof refusal === "string") {
        expect(outcome.value.stop_details).toEqual({ type: "refusal", category: null, explanation: refusal });
        expect(has(outcome, "refusal.text", "/choices/0/message/refusal")).toBe(true);
      } else expect(outcome.value.stop_details ?? null).toBeNull();
    },
  },
  "usage-anthropic-cache-to-chat": {
    from: anthropic,
    to: chat,
    mode: "response",
    siblings: [
      message({
        usage: { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 7, output_tokens: 2 },
      }),
      message({ usage: { input_tokens: 0, cache_read_input_tokens: 5, output_tokens: 0 } }),
      message({ usage: { input_tokens: 4, output_tokens: 6, output_tokens_details: { thinking_tokens: 5 } } }),
    ],
    async check(input, convert) {
      const given = input.usage;
      const { usage } = (await convert()).value;
      const prompt =
        given.input_tokens + (given.cache_read_input_tokens ?? 0) + (given.cache_creation_input_tokens ?? 0);
      expect(usage).toMatchObject({
        prompt_tokens: prompt,
        completion_tokens: given.output_tokens,
        total_tokens: prompt + given.output_tokens,
      });
      expect(usage.prompt_tokens_details?.cached_tokens).toBe(given.cache_read_input_tokens);
      const ir = await decoded(anthropic, input, "response");
      expect(ir.usage).toMatchObject({
        input: given.input_tokens,
        cacheRead: given.cache_read_input_tokens ?? 0,
        cacheWrite: given.cache_creation_input_tokens ?? 0,
      });
    },
  },
  "length-with-calls": {
    own: true,
    from: chat,
    to: anthropic,
    mode: "response",
    siblings: [
      choice({ tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"a":' } }] }, "length"),
    ],
    async check(input, convert) {
      const ir = await decoded(chat, input, "response");
      expect(ir.stopReason).toBe("length");
      expect(ir.content[0].argumentsError).toBe("the arguments are not valid JSON");
      const outcome = await convert();
      expect(outcome.value.stop_reason).toBe("max_tokens");
      expect(has(outcome, "tool_call.arguments")).toBe(true);
    },
  },
});
