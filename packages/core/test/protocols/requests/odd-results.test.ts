import type { Json, JsonObject } from "@rolecall/core";
import { convertRequest, valueAt } from "@rolecall/core";
import { expect, test } from "vitest";

const body = (content: Json): JsonObject => ({
  model: "m",
  max_tokens: 5,
  messages: [
    { role: "user", content: "q" },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content }] },
  ],
});

test.each<[content: Json, code: string]>([
  [null, "field.null"],
  [5, "field.no_counterpart"],
  [true, "field.no_counterpart"],
  [{ type: "text", text: "x" }, "field.no_counterpart"],
])("a result with the content %j still answers its call", async (content, code) => {
  const { value, losses } = await convertRequest(body(content), { from: "anthropic-messages", to: "openai-chat" });
  expect(valueAt(value, "/messages/2")).toEqual({ role: "tool", tool_call_id: "a", content: "" });
  expect(losses.map((loss) => `${loss.code} ${loss.path}`)).toEqual([`${code} /messages/2/content/0/content`]);
  const same = await convertRequest(body(content), { from: "anthropic-messages", to: "anthropic-messages" });
  expect([same.value, same.losses]).toEqual([body(content), []]);
});
