import type { JsonObject, Profile } from "@rolecall/core";
import { describe, expect, test } from "vitest";
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

const twice = { role: "assistant", content: "b", reasoning_content: "t", reasoning: "t" };

test.each(["ollama", "vllm", "llama.cpp", "deepseek", "openrouter", "xai", "openai"])(
  "toward %s reasoning that is stated in two fields stays in both",
  (server) => {
    const { value, losses } = sent({ messages: [user, twice] }, server);
    expect(value["messages"]).toEqual([user, twice]);
    expect(losses).toEqual([]);
  },
);

test.each<[server: string, reasoning: JsonObject, losses: readonly string[]]>([
  ["groq", { reasoning: "t" }, ["field.repeated dropped /messages/1/reasoning_content"]],
  [
    "mistral",
    { prefix: true },
    ["reasoning.foreign dropped /messages/1/reasoning_content", "field.repeated dropped /messages/1/reasoning"],
  ],
])("toward %s, which refuses unknown fields, it does not", (server, reasoning, told) => {
  const { value, losses } = sent({ messages: [user, twice] }, server);
  expect(value["messages"]).toEqual([user, { role: "assistant", content: "b", ...reasoning }]);
  expect(losses).toEqual(told);
});

test.each(["reasoning", "reasoning_content"])("reasoning in %s has the name of its server", (key) => {
  const { value, losses } = sent({ messages: [user, { role: "assistant", content: "b", [key]: "t" }] }, "groq");
  expect(value["messages"]).toEqual([user, { role: "assistant", content: "b", reasoning: "t" }]);
  expect(losses).toEqual([]);
});

test("reasoning that a profile refuses under its own key is told", () => {
  const target: Profile = { refusedFields: ["messages/reasoning_content"] };
  const body = { model: "m", messages: [user, { role: "assistant", content: "b", reasoning_content: "t" }] };
  const { value, losses } = convert("openai-chat", "openai-chat", "request", body, target);
  expect(value["messages"]).toEqual([user, { role: "assistant", content: "b" }]);
  expect(losses).toMatchObject([{ code: "reasoning.foreign", path: "/messages/1/reasoning_content" }]);
});

const blocks: readonly (readonly [block: JsonObject, losses: readonly string[]])[] = [
  [{ type: "thinking", thinking: "", signature: "s" }, ["/messages/1/content/0"]],
  [{ type: "redacted_thinking", data: "d" }, ["/messages/1/content/0"]],
  [{ type: "thinking", thinking: "t", signature: "s" }, ["/messages/1/content/0/signature"]],
];

describe.each(["ollama", "vllm", "llama.cpp", "deepseek", "groq", "openrouter", "xai"])("toward %s", (provider) => {
  test.each(blocks)("what is left of %j is told", (block, places) => {
    const messages = [user, { role: "assistant", content: [block, { type: "text", text: "b" }] }, user];
    const body = { model: "m", max_tokens: 9, messages };
    const { losses } = convert("anthropic-messages", "openai-chat", "request", body, { provider });
    expect(losses.filter(({ kind }) => kind === "dropped").map(({ path }) => path)).toEqual(places);
  });
});

const odd = { type: "later" };
const control = { type: "ephemeral" };
const own = { mode: "explicit" };
const url = "https://a.example/b.png";

test.each<[what: string, server: string, part: JsonObject, sent: JsonObject, losses: readonly string[]]>([
  ["text", "ollama", { type: "text", text: "a", cache_control: odd }, { type: "text", text: "a" }, ["cache_control"]],
  [
    "an image",
    "vllm",
    { type: "image_url", image_url: { url }, prompt_cache_breakpoint: odd },
    { type: "image_url", image_url: { url } },
    ["prompt_cache_breakpoint"],
  ],
  [
    "text with both marks",
    "openrouter",
    { type: "text", text: "a", prompt_cache_breakpoint: own, cache_control: { ...control, ttl: "1h" } },
    { type: "text", text: "a", cache_control: control },
    ["cache_control"],
  ],
  [
    "text with a mark that only its server knows",
    "openrouter",
    { type: "text", text: "a", cache_control: odd },
    { type: "text", text: "a", cache_control: odd },
    [],
  ],
])("a cache mark of another form on %s, toward %s", (_what, server, part, expected, places) => {
  const { value, losses } = sent({ messages: [{ role: "user", content: [part] }] }, server);
  expect(value["messages"]).toEqual([{ role: "user", content: [expected] }]);
  expect(losses).toEqual(places.map((place) => `field.no_counterpart dropped /messages/0/content/0/${place}`));
});

test.each<[kind: string, tool: JsonObject]>([
  ["a function", { type: "function", function: { name: "f" } }],
  ["a free-text tool", { type: "custom", custom: { name: "f" } }],
])("a cache mark of another form on %s has no place where none has", (_kind, tool) => {
  const { value, losses } = sent({ tools: [{ ...tool, cache_control: odd }] }, "ollama");
  expect(value["tools"]).toEqual([expect.not.objectContaining({ cache_control: odd })]);
  expect(losses).toContain("field.no_counterpart dropped /tools/0/cache_control");
});

test("OpenAI's cache mark is none of a tool", () => {
  const tools = [{ type: "function", function: { name: "f" }, prompt_cache_breakpoint: own }];
  const { value, losses } = convert("openai-chat", "anthropic-messages", "request", {
    model: "m",
    max_completion_tokens: 9,
    messages: [user],
    tools,
  });
  expect(JSON.stringify(value)).not.toContain("cache_control");
  expect(losses).toContainEqual(
    expect.objectContaining({ code: "field.no_counterpart", path: "/tools/0/prompt_cache_breakpoint" }),
  );
});

test.each<[server: string, fields: JsonObject, sent: JsonObject, losses: readonly string[]]>([
  ["mistral", { seed: 1 }, { random_seed: 1 }, []],
  ["mistral", { random_seed: 1 }, { random_seed: 1 }, []],
  ["mistral", { seed: 1, random_seed: 2 }, { random_seed: 1 }, ["field.no_counterpart dropped /random_seed"]],
  ["mistral", { seed: null, random_seed: 2 }, { seed: null, random_seed: 2 }, []],
  ["openai", { seed: "one", random_seed: 2 }, { seed: 2 }, ["field.no_counterpart dropped /seed"]],
  ["openai", { random_seed: 1 }, { seed: 1 }, []],
  ["somebody", { random_seed: 1 }, { random_seed: 1 }, []],
  ["somebody", { seed: 1, random_seed: 2 }, { seed: 1, random_seed: 2 }, []],
])("toward %s the seed of %j has the name of the server", (server, fields, expected, told) => {
  const { value, losses } = sent(fields, server);
  expect(value).toEqual({ model: "m", messages: [user], ...expected });
  expect(losses).toEqual(told);
});

test.each<[tools: readonly JsonObject[], type: string]>([
  [[], "custom"],
  [[{ type: "custom", custom: { name: "f" } }], "function"],
])("the choice of a free-text tool names what the tool is sent as: %j", (tools, type) => {
  const choice = { type: "custom", custom: { name: "f" } };
  const subset = {
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [{ type: "custom", custom: { name: "f" } }] },
  };
  const declared = tools.length === 0 ? {} : { tools };
  expect(sent({ ...declared, tool_choice: choice }, "ollama").value["tool_choice"]).toEqual({
    type,
    [type]: { name: "f" },
  });
  expect(sent({ ...declared, tool_choice: subset }, "ollama").value["tool_choice"]).toEqual({
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [{ type, [type]: { name: "f" } }] },
  });
});

test("the seed of Mistral is told under its own name", () => {
  const body = { model: "m", max_completion_tokens: 9, messages: [user], random_seed: 1 };
  const { losses } = convert("openai-chat", "anthropic-messages", "request", body);
  expect(losses).toMatchObject([{ code: "setting.no_counterpart", path: "/random_seed" }]);
});

test("reasoning that is not text is told where its key is taken", () => {
  const messages = [user, { role: "assistant", content: "b", reasoning_content: "t", reasoning: 5 }];
  const { value, losses } = sent({ messages }, "vllm");
  expect(value["messages"]).toMatchObject([{}, { reasoning: "t" }]);
  expect(losses).toEqual(["field.no_counterpart dropped /messages/1/reasoning"]);
});
