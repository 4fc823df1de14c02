import type { Json, JsonObject } from "@rolecall/core";
import type { RuleCase } from "./cases.ts";

const user: JsonObject = { role: "user", content: "How is the weather in Paris?" };

const body = (more: JsonObject = {}, messages: readonly Json[] = [user]): JsonObject => ({
  model: "example-model",
  messages,
  ...more,
});
const says = (...messages: readonly Json[]): JsonObject => body({}, messages);

const call = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: "function",
  function: { name: "weather", arguments: '{"city":"Paris"}', ...more },
});
const calls = (...list: readonly Json[]): JsonObject => ({ role: "assistant", content: null, tool_calls: list });
const result = (id: string): JsonObject => ({ role: "tool", tool_call_id: id, content: "18 degrees" });
const tool = (name: string, more: JsonObject = {}): JsonObject => ({ type: "function", function: { name, ...more } });
const image: JsonObject = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
const text: JsonObject = { type: "text", text: "See this." };
const dialogue = (id: string): JsonObject => says(user, calls(call(id)), result(id));
const closed = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export const chatCases: readonly RuleCase[] = [
  { rule: "C1a", bad: says(), path: "/messages", good: says(user) },
  { rule: "C1b", bad: says("hello"), path: "/messages/0", good: says(user) },
  {
    rule: "C1c",
    bad: says({ role: "user", content: [] }),
    path: "/messages/0/content",
    good: says({ role: "user", content: [] }),
    goodProfile: { provider: "mistral" },
  },
  {
    rule: "C2",
    bad: says(user, calls(call("a"), call("b")), result("a"), user, result("b")),
    path: "/messages/1/tool_calls/1",
    good: says(user, calls(call("a"), call("b")), result("b"), result("a"), user),
  },
  {
    rule: "C3",
    bad: says(user, calls(call("a")), result("a"), result("a")),
    path: "/messages/3/tool_call_id",
    good: says(user, calls(call("a")), result("a"), calls(call("a")), result("a")),
  },
  {
    rule: "C4a",
    bad: says(user, calls(call("a")), { ...result("a"), content: [text, image] }),
    path: "/messages/2/content/1/type",
    good: says(user, calls(call("a")), { ...result("a"), content: [text] }),
  },
  {
    rule: "C4b",
    bad: says(user, { role: "assistant", content: [image] }, user),
    path: "/messages/1/content/0/type",
    good: says(
      { role: "user", content: [image] },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      user,
    ),
  },
  {
    rule: "C5a",
    bad: says(user, { role: "assistant", content: null }, user),
    path: "/messages/1",
    good: says(user, { role: "assistant", content: null, refusal: "No." }, user),
  },
  {
    rule: "C5b",
    bad: says({ role: "user", content: null }),
    path: "/messages/0",
    good: says({ role: "user", content: "" }),
  },
  {
    rule: "C6a",
    bad: says(user, calls(call("a", { arguments: '{"city":' })), result("a")),
    path: "/messages/1/tool_calls/0/function/arguments",
    good: says(user, calls(call("a", { arguments: "" })), result("a")),
  },
  {
    rule: "C6b",
    bad: says(user, calls(call("a", { arguments: { city: "Paris" } })), result("a")),
    path: "/messages/1/tool_calls/0/function/arguments",
    good: dialogue("a"),
  },
  {
    rule: "C7a",
    bad: body({ stop: ["a", "b", "c", "d", "e"] }),
    path: "/stop",
    good: body({ stop: ["a", "b", "c", "d"] }),
  },
  { rule: "C7b", bad: body({ n: 129 }), path: "/n", good: body({ n: 128 }) },
  {
    rule: "C7c",
    bad: body({ logprobs: true, top_logprobs: 21 }),
    path: "/top_logprobs",
    good: body({ logprobs: true, top_logprobs: 20 }),
  },
  {
    rule: "C7d",
    bad: body({ top_logprobs: 2 }),
    path: "/top_logprobs",
    good: body({ logprobs: true, top_logprobs: 2 }),
  },
  { rule: "C7e", bad: body({ temperature: 2.1 }), path: "/temperature", good: body({ temperature: 2 }) },
  {
    rule: "C7e",
    bad: body({ frequency_penalty: -3 }),
    path: "/frequency_penalty",
    good: body({ frequency_penalty: -2 }),
  },
  { rule: "C7f", bad: body({ stop: [] }), path: "/stop", good: body({ stop: null }) },
  {
    rule: "C8a",
    bad: body({ tools: [tool("weather")], tool_choice: { type: "function", function: { name: "time" } } }),
    path: "/tool_choice/function/name",
    good: body({ tools: [tool("weather")], tool_choice: { type: "function", function: { name: "weather" } } }),
  },
  {
    rule: "C8b",
    bad: body({ tool_choice: "auto" }),
    path: "/tool_choice",
    good: body({ tools: [tool("weather")], tool_choice: "auto" }),
  },
  {
    rule: "C9",
    bad: body({ response_format: { type: "json_schema", json_schema: { name: "my answer", schema: {} } } }),
    path: "/response_format/json_schema/name",
    good: body({ response_format: { type: "json_schema", json_schema: { name: "my_answer", schema: {} } } }),
  },
  {
    rule: "C10a",
    bad: dialogue("x".repeat(41)),
    path: "/messages/1/tool_calls/0/id",
    good: dialogue("x".repeat(40)),
  },
  {
    rule: "C10b",
    bad: dialogue("x".repeat(65)),
    path: "/messages/2/tool_call_id",
    good: dialogue("call:1|a"),
  },
  {
    rule: "C10c",
    bad: dialogue("call_1"),
    path: "/messages/1/tool_calls/0/id",
    good: dialogue("AbCdEf123"),
    profile: { provider: "mistral" },
  },
  {
    rule: "C11",
    bad: body({ stream_options: { include_usage: true } }),
    path: "/stream_options",
    good: body({ stream: true, stream_options: { include_usage: true } }),
  },
  {
    rule: "C12a",
    bad: body({ tools: [tool("get/weather")] }),
    path: "/tools/0/function/name",
    good: body({ tools: [tool("get_weather"), { type: "custom", custom: { name: "note" } }] }),
  },
  {
    rule: "C12a",
    bad: says(user, calls(call("a", { name: "x".repeat(65) })), result("a")),
    path: "/messages/1/tool_calls/0/function/name",
    good: says(user, calls(call("a", { name: "x".repeat(64) })), result("a")),
  },
  {
    rule: "C12b",
    bad: body({ tools: [tool("get.weather")] }),
    path: "/tools/0/function/name",
    good: body({ tools: [tool("get-weather")] }),
  },
  {
    rule: "C13",
    bad: body({ tools: [tool("weather", { strict: true, parameters: { ...closed, required: [] } })] }),
    path: "/tools/0/function/parameters",
    good: body({ tools: [tool("weather", { strict: true, parameters: closed }), tool("time", { parameters: {} })] }),
  },
  {
    rule: "C13",
    bad: body({
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "answer",
          strict: true,
          schema: {
            type: "object",
            properties: { a: { type: "object" } },
            required: ["a"],
            additionalProperties: false,
          },
        },
      },
    }),
    path: "/response_format/json_schema/schema",
    good: body({
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: closed } },
    }),
  },
  {
    rule: "C14a",
    bad: body({ model: "gpt-5-mini", stop: ["end"] }),
    path: "/stop",
    good: body({ model: "gpt-4.1-mini", stop: ["end"] }),
  },
  {
    rule: "C14b",
    bad: body({ model: "o3", max_tokens: 10 }),
    path: "/max_tokens",
    good: body({ model: "o3", max_completion_tokens: 10 }),
  },
  {
    rule: "X1",
    bad: body({ tools: [tool("weather"), tool("weather")] }),
    path: "/tools/1/function/name",
    good: body({ tools: [tool("weather"), tool("time")] }),
  },
];
