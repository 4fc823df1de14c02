import { expect } from "vitest";
import type { Body } from "./fault.ts";
import { anthropic, chat, decoded, has, testFaults } from "./fault.ts";

const turn = (thinking: Body): Body => ({
  model: "m",
  max_tokens: 256,
  messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: [thinking, { type: "tool_use", id: "t1", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
  ],
});
const echo = (fields: Body): Body => ({
  model: "m",
  messages: [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      ...fields,
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "ok" },
  ],
});
const message = (content: Body[], more: Body = {}): Body => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content,
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
  ...more,
});

testFaults("reasoning", {
  "thinking-signed-empty-text": {
    from: anthropic,
    to: anthropic,
    mode: "request",
    siblings: [
      turn({ type: "thinking", thinking: "", signature: "SIG" }),
      turn({ type: "thinking", thinking: "text", signature: "" }),
      turn({ type: "redacted_thinking", data: "x" }),
    ],
    async check(input, convert) {
      const { value } = await convert();
      expect(value).toEqual(input);
    },
  },
  "thinking-unsigned-empty-text": {
    own: true,
    from: anthropic,
    to: anthropic,
    mode: "request",
    siblings: [turn({ type: "thinking", thinking: "" }), turn({ type: "thinking", thinking: "", signature: "" })],
    async check(_input, convert) {
      const outcome = await convert();
      expect(outcome.value.messages[1].content.map((b: Body) => b.type)).toEqual(["tool_use"]);
      expect(has(outcome, "reasoning.unsigned", "/messages/1/content/0")).toBe(true);
    },
  },
  "thinking-redacted": {
    from: anthropic,
    to: chat,
    mode: "response",
    siblings: [
      message([
        { type: "text", text: "hi" },
        { type: "redacted_thinking", data: "b3BhcXVl" },
      ]),
      message([
        { type: "redacted_thinking", data: "YQ==" },
        { type: "redacted_thinking", data: "Yg==" },
        { type: "text", text: "hi" },
      ]),
    ],
    async check(input, convert) {
      const outcome = await convert();
      expect(outcome.value.choices[0].message.content).toBe("hi");
      const payloads = input.content.filter((b: Body) => b.type === "redacted_thinking").map((b: Body) => b.data);
      for (const data of payloads) expect(JSON.stringify(outcome.value)).not.toContain(data);
      expect(outcome.losses.filter((loss) => loss.effect === "reasoning")).toHaveLength(payloads.length);
      const { convertResponse } = await import("../../src/index.ts");
      expect((await convertResponse(input, { from: anthropic, to: anthropic })).value).toEqual(input);
    },
  },
  "reasoning-content-echo": {
    from: chat,
    to: chat,
    mode: "request",
    siblings: [
      echo({ reasoning: "why" }),
      echo({ reasoning_content: "why", reasoning: "why" }),
      echo({ reasoning_details: [{ type: "reasoning.text", text: "t", signature: "s" }] }),
      echo({ reasoning: "why", reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }),
      echo({ reasoning_content: "" }),
    ],
    async check(input, convert) {
      const outcome = await convert();
      expect(outcome.value).toEqual(input);
      expect(outcome.losses).toEqual([]);
      const forbidden = await convert({ reasoningField: "none" });
      for (const field of ["reasoning_content", "reasoning", "reasoning_details"]) {
        const had = input.messages[1][field];
        if (had === undefined || had === "") continue;
        expect(forbidden.value.messages[1][field]).toBeUndefined();
        const place = `/messages/1/${field}`;
        expect(forbidden.losses.filter((loss) => loss.kind === "dropped" && loss.path === place)).toHaveLength(1);
      }
    },
  },
  "pause-turn": {
    from: anthropic,
    to: chat,
    mode: "response",
    siblings: [
      message([{ type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } }], {
        stop_reason: "pause_turn",
      }),
    ],
    async check(input, convert) {
      const ir = await decoded(anthropic, input, "response");
      expect(ir).toMatchObject({ stopReason: "stop", stopDetail: "pause", rawStopReason: "pause_turn" });
      expect(ir.content[0].type).toBe("serverToolCall");
      const { loadProtocol } = await import("../../src/index.ts");
      const protocol = await loadProtocol(anthropic);
      const next = {
        messages: [{ role: "user", content: [{ type: "text", text: "q" }] }, ir],
        settings: { model: "m", maxTokens: 9 },
      };
      const sent = protocol.encodeRequest(next as Body).value.body as Body;
      expect(sent.messages.at(-1).content).toEqual(input.content);
      const outcome = await convert();
      expect(outcome.value.choices[0].message.tool_calls).toBeUndefined();
      expect(has(outcome, "stop.approximated", "/stop_reason")).toBe(true);
    },
  },
});
