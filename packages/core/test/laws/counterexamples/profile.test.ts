import type { JsonObject, Profile } from "@rolecall/core";
import { expect, test } from "vitest";
import { convert } from "../conversion.ts";

const user = { role: "user", content: "a" };

/** A Chat body on its way to a Chat server that takes less. */
function sent(
  fields: JsonObject,
  provider: string,
): { readonly value: JsonObject; readonly losses: readonly string[] } {
  const target: Profile = { provider };
  const body = { model: "m", messages: [user], ...fields };
  const { value, losses } = convert("openai-chat", "openai-chat", "request", body, target);
  return { value, losses: losses.map(({ code, kind, path }) => `${code} ${kind} ${path}`) };
}

test.each<[server: string, fields: JsonObject, losses: readonly string[]]>([
  [
    "deepseek",
    { response_format: { type: "json_schema", json_schema: { name: "n", schema: {} }, x_later: 1 } },
    ["setting.no_counterpart dropped /response_format"],
  ],
  [
    "mistral",
    { stream_options: { include_usage: true, x_later: 1 } },
    ["setting.no_counterpart dropped /stream_options"],
  ],
  [
    "xai",
    { prompt_cache_options: { ttl: "30m", x_later: 1 } },
    ["cache.setting dropped /prompt_cache_options/ttl", "field.no_counterpart dropped /prompt_cache_options/x_later"],
  ],
  ["ollama", { max_completion_tokens: 5, max_tokens: 7 }, ["field.no_counterpart dropped /max_tokens"]],
])("toward %s nothing of %j comes back alone", (server, fields, losses) => {
  const { value, losses: told } = sent(fields, server);
  expect(value).toEqual({ model: "m", messages: [user], ...(server === "ollama" && { max_tokens: 5 }) });
  expect(told).toEqual(losses);
});

test("what stood in a free-text tool and its call has no place in a function", () => {
  const tool = { type: "custom", custom: { name: "f", x_inner: 1 }, x_outer: 2 };
  const call = { id: "c", type: "custom", custom: { name: "f", input: "i", x_inner: 1 }, x_outer: 2 };
  const messages = [
    user,
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: "r" },
  ];
  const { value, losses } = sent({ messages, tools: [tool] }, "xai");
  expect(value["tools"]).toEqual([expect.not.objectContaining({ custom: expect.anything() })]);
  expect(value["tools"]).toMatchObject([{ type: "function", x_outer: 2 }]);
  expect(losses).toEqual([
    "tool.custom downgraded /tools/0/type",
    "field.no_counterpart dropped /tools/0/custom/x_inner",
    "tool.custom downgraded /messages/1/tool_calls/0/type",
    "field.no_counterpart dropped /messages/1/tool_calls/0/custom/x_inner",
  ]);
});

test("reasoning that is not text is told where its key is taken", () => {
  const messages = [user, { role: "assistant", content: "b", reasoning_content: "t", reasoning: 5 }];
  const { value, losses } = sent({ messages }, "vllm");
  expect(value["messages"]).toMatchObject([{}, { reasoning: "t" }]);
  expect(losses).toEqual(["field.no_counterpart dropped /messages/1/reasoning"]);
});
