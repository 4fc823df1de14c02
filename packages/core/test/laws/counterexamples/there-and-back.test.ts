import type { JsonObject } from "@rolecall/core";
import { expect, test } from "vitest";
import { convert, protocols } from "../conversion.ts";

test("an answer of Messages that ended with a call waits for its result", () => {
  const body: JsonObject = {
    id: "r",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "tool_use", id: "t", name: "f", input: {} }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const { value } = protocols["anthropic-messages"].decodeResponse(body);
  expect(value).toMatchObject({ stopReason: "toolUse", rawStopReason: "end_turn" });
  expect(convert("anthropic-messages", "anthropic-messages", "response", body).value).toEqual(body);
});

test("two instructions of Chat that become one are told", () => {
  const messages = [
    { role: "system", content: "a" },
    { role: "system", content: "b" },
    { role: "user", content: "c" },
  ];
  const { losses } = convert("openai-chat", "anthropic-messages", "request", { model: "m", max_tokens: 1, messages });
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual(["turn.merged /messages/1/role"]);
});

test("a filter beside a refusal is told, for Chat has one word for both", () => {
  const content = [{ type: "refusal", refusal: "a" }];
  const body: JsonObject = {
    id: "resp_1",
    object: "response",
    created_at: 0,
    model: "m",
    output: [{ type: "message", id: "msg_1", role: "assistant", status: "completed", content }],
    status: "incomplete",
    incomplete_details: { reason: "content_filter" },
  };
  const { losses } = convert("openai-responses", "openai-chat", "response", body);
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toContain("stop.approximated /incomplete_details/reason");
});

test.each(["openai-chat", "openai-responses"] as const)("an ordinary end beside a refusal is told toward %s", (to) => {
  const body: JsonObject = {
    id: "r",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: { type: "refusal", category: null, explanation: "no" },
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const { losses } = convert("anthropic-messages", to, "response", body);
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toContain("stop.approximated /stop_reason");
});

test("thought with a budget of none is told to be off for Gemini", () => {
  const thinking = { type: "enabled", budget_tokens: 0 };
  const body: JsonObject = { model: "m", max_tokens: 1, messages: [{ role: "user", content: "a" }], thinking };
  const { losses } = convert("anthropic-messages", "gemini-generate-content", "request", body);
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toContain("reasoning.mode /thinking/type");
});
