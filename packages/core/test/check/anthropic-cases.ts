import type { Json, JsonObject } from "@rolecall/core";
import type { RuleCase } from "./cases.ts";

const user: JsonObject = { role: "user", content: "How is the weather in Paris?" };
const assistant: JsonObject = { role: "assistant", content: "Let me see." };

const body = (more: JsonObject = {}, messages: readonly Json[] = [user]): JsonObject => ({
  model: "example-model",
  max_tokens: 4096,
  messages,
  ...more,
});
const says = (...messages: readonly Json[]): JsonObject => body({}, messages);
const claude = (model: string, more: JsonObject = {}, messages: readonly Json[] = [user]): JsonObject =>
  body({ model, ...more }, messages);

const call = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id,
  name: "weather",
  input: { city: "Paris" },
  ...more,
});
const result = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content: "18 degrees",
  ...more,
});
const text = (words: string, more: JsonObject = {}): JsonObject => ({ type: "text", text: words, ...more });
const turn = (role: string, ...content: readonly Json[]): JsonObject => ({ role, content });
const calls = (...content: readonly Json[]): JsonObject => turn("assistant", ...content);
const answers = (...content: readonly Json[]): JsonObject => turn("user", ...content);
const system = (words: string): JsonObject => ({ role: "system", content: words });
const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  input_schema: { type: "object", properties: {} },
  ...more,
});
const searchCall = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "weather" } };
const searchResult = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
const thinking = { type: "thinking", thinking: "Hm.", signature: "c2lnbmF0dXJl" };
const enabled = { type: "enabled", budget_tokens: 2048 };
const hour = { type: "ephemeral", ttl: "1h" };
const minutes = { type: "ephemeral" };
const addition = { type: "tool_addition", tool: { type: "tool_reference", name: "weather" } };
const image = (mediaType: string): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type: mediaType, data: "iVBORw0KGgo=" },
});
const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "Paris" } };
const citation = { type: "char_location", cited_text: "a", document_index: 0, start_char_index: 0, end_char_index: 1 };
const marked = (count: number): Json[] => Array.from({ length: count }, () => text("a", { cache_control: minutes }));

export const anthropicCases: readonly RuleCase[] = [
  {
    rule: "A1",
    bad: { model: "example-model", messages: [user] },
    path: "/max_tokens",
    good: body(),
  },
  { rule: "A2a", bad: says("Invalid content"), path: "/messages/0", good: says(user) },
  { rule: "A2a", bad: says(), path: "/messages", good: says(user) },
  { rule: "A2a", bad: says({ role: "tool", content: "x" }), path: "/messages/0", good: says(user) },
  { rule: "A2b", bad: says(system("Be brief."), user), path: "/messages/0/role", good: body({ system: "Be brief." }) },
  { rule: "A2c", bad: says(assistant, user), path: "/messages/0/role", good: says(user, assistant, user) },
  {
    rule: "A3a",
    bad: says(user, assistant, system("Be brief.")),
    path: "/messages/2/role",
    good: says(user, calls(text("a"), searchCall), system("Be brief.")),
  },
  {
    rule: "A3b",
    bad: says(user, system("Be brief."), user),
    path: "/messages/1/role",
    good: says(user, system("Be brief."), assistant, user),
  },
  {
    rule: "A3c",
    bad: says(user, turn("system", image("image/png"))),
    path: "/messages/1/content/0/type",
    good: says(user, turn("system", text("Be brief."))),
  },
  {
    rule: "A3d",
    bad: claude("claude-sonnet-4-5", {}, [user, system("Be brief.")]),
    path: "/messages/1/role",
    good: claude("claude-opus-4-8", {}, [user, system("Be brief.")]),
  },
  {
    rule: "A4a",
    bad: says(user, calls(call("a"), call("b")), answers(result("a"))),
    path: "/messages/1/content/1",
    good: says(user, calls(call("a")), calls(call("b")), answers(result("b")), answers(result("a"), text("Well?"))),
  },
  {
    rule: "A4b",
    bad: says(user, calls(call("a")), answers(text("Well?"), result("a"))),
    path: "/messages/2/content/1",
    good: says(user, calls(call("a")), answers(result("a"), text("Well?"))),
  },
  {
    rule: "A4c",
    bad: says(user, answers(result("a"))),
    path: "/messages/1/content/0/tool_use_id",
    good: says(user, calls(call("a")), answers(result("a"))),
  },
  {
    rule: "A4d",
    bad: says(user, calls(call("a")), answers(result("a"), result("a"))),
    path: "/messages/2/content/1/tool_use_id",
    good: says(user, calls(call("a")), answers(result("a"))),
  },
  {
    rule: "A4e",
    bad: says(user, calls(call("a")), answers(result("a")), calls(call("a")), answers(result("a"))),
    path: "/messages/3/content/0/id",
    good: says(user, calls(call("a")), answers(result("a")), calls(call("b")), answers(result("b"))),
  },
  {
    rule: "A5a",
    bad: says(user, calls(call("call:1")), answers(result("call:1"))),
    path: "/messages/2/content/0/tool_use_id",
    good: says(user, calls(call("call-1_a")), answers(result("call-1_a"))),
  },
  {
    rule: "A5b",
    bad: says(user, calls(call("a", { input: "Paris" })), answers(result("a"))),
    path: "/messages/1/content/0/input",
    good: says(user, calls(call("a", { input: {} })), answers(result("a"))),
  },
  {
    rule: "A6a",
    bad: says(answers(text("a"), text(""))),
    path: "/messages/0/content/1",
    good: body({ system: "" }, [answers(text("a"))]),
  },
  {
    rule: "A6a",
    bad: says(user, calls(call("a")), answers(result("a", { content: [text("")] }))),
    path: "/messages/2/content/0/content/0",
    good: says(user, calls(call("a")), answers(result("a", { content: [] }))),
  },
  { rule: "A6b", bad: says(answers(text(" \n"))), path: "/messages/0/content/0", good: says(answers(text(" a\n"))) },
  {
    rule: "A6c",
    bad: says({ role: "user", content: "" }),
    path: "/messages/0/content",
    good: says(user, { role: "assistant", content: "" }),
  },
  {
    rule: "A6d",
    bad: says(user, { role: "assistant", content: "It is: " }),
    path: "/messages/1/content",
    good: says(user, { role: "assistant", content: "It is:" }),
  },
  {
    rule: "A6d",
    bad: says(user, calls(text("It is:\n"))),
    path: "/messages/1/content/0/text",
    good: says(user, calls(text("It is:\n")), user),
  },
  {
    rule: "A7a",
    bad: claude("claude-sonnet-5", {}, [user, assistant]),
    path: "/messages/1/role",
    good: claude("claude-sonnet-4-5", {}, [user, assistant]),
  },
  {
    rule: "A7b",
    bad: body({ thinking: enabled }, [user, assistant]),
    path: "/messages/1/content",
    good: body({ thinking: enabled }, [user, calls(thinking, searchCall)]),
  },
  {
    rule: "A8a",
    bad: says(user, calls({ type: "thinking", thinking: "Hm.", signature: "" }, text("a")), user),
    path: "/messages/1/content/0",
    good: says(user, calls(thinking, text("a")), user),
  },
  {
    rule: "A8b",
    bad: body({ thinking: enabled }, [user, calls(call("a")), answers(result("a"))]),
    path: "/messages/1/content/0",
    good: body({ thinking: enabled }, [user, calls(thinking, call("a")), answers(result("a"))]),
  },
  {
    rule: "A10a",
    bad: body({ thinking: enabled, tools: [tool("weather")], tool_choice: { type: "any" } }),
    path: "/tool_choice/type",
    good: body({ thinking: enabled, tools: [tool("weather")], tool_choice: { type: "auto" } }),
  },
  {
    rule: "A10b",
    bad: body({ thinking: enabled, temperature: 0.5 }),
    path: "/temperature",
    good: body({ thinking: enabled, temperature: 1 }),
  },
  {
    rule: "A10b",
    bad: body({ thinking: { type: "adaptive" }, temperature: 0.5 }),
    path: "/temperature",
    good: body({ thinking: { type: "disabled" }, temperature: 0.5 }),
  },
  {
    rule: "A10c",
    bad: body({ thinking: { type: "enabled", budget_tokens: 1023 } }),
    path: "/thinking/budget_tokens",
    good: body({ thinking: { type: "enabled", budget_tokens: 1024 } }),
  },
  {
    rule: "A10d",
    bad: body({ thinking: { type: "enabled", budget_tokens: 4096 } }),
    path: "/thinking/budget_tokens",
    good: body({ thinking: { type: "enabled", budget_tokens: 4096 } }),
    goodProfile: { betas: ["interleaved-thinking-2025-05-14"] },
  },
  {
    rule: "A10e",
    bad: claude("claude-opus-4-7", { thinking: enabled }),
    path: "/thinking/type",
    good: claude("claude-opus-4-6", { thinking: enabled }),
  },
  {
    rule: "A10f",
    bad: body({ thinking: { type: "enabled" } }),
    path: "/thinking",
    good: body({ thinking: { type: "adaptive" } }),
  },
  {
    rule: "A11a",
    bad: body({ temperature: 1 }),
    path: "/temperature",
    good: body({ temperature: 1 }),
    profile: { apiVersion: "2026-10-21" },
    goodProfile: { apiVersion: "2023-06-01" },
  },
  {
    rule: "A11b",
    bad: says(user, calls(document), user),
    path: "/messages/1/content/0",
    good: says(answers(document)),
    profile: { apiVersion: "2026-10-21" },
  },
  {
    rule: "A11c",
    bad: says(answers(text("a", { citations: [citation] }))),
    path: "/messages/0/content/0/citations",
    good: says(user, calls(text("a", { citations: [citation] })), answers(text("b", { citations: [] }))),
    profile: { apiVersion: "2026-10-21" },
  },
  {
    rule: "A11d",
    bad: claude("claude-opus-4-8", { top_k: 5 }),
    path: "/top_k",
    good: claude("claude-opus-4-6", { top_k: 5 }),
  },
  {
    rule: "A11e",
    bad: claude("claude-opus-4-5", { temperature: 0.5, top_p: 0.9 }),
    path: "/top_p",
    good: claude("claude-sonnet-4-0", { temperature: 0.5, top_p: 0.9 }),
  },
  {
    rule: "A12a",
    bad: says(answers(...marked(5))),
    path: "/messages/0/content/4/cache_control",
    good: says(answers(...marked(4))),
  },
  {
    rule: "A12b",
    bad: body({ tools: [tool("weather", { cache_control: minutes })] }, [answers(text("a", { cache_control: hour }))]),
    path: "/messages/0/content/0/cache_control/ttl",
    good: body({ tools: [tool("weather", { cache_control: hour })] }, [answers(text("a", { cache_control: minutes }))]),
  },
  {
    rule: "A13",
    bad: says(user, calls(searchCall), user),
    path: "/messages/1/content/0",
    good: says(user, calls(searchCall, searchResult), user),
  },
  {
    rule: "A14",
    bad: body({ context_management: { edits: [] } }),
    path: "/context_management",
    good: body({ context_management: { edits: [] } }),
    profile: { betas: [] },
    goodProfile: { betas: ["context-management-2025-06-27"] },
  },
  {
    rule: "A14",
    bad: body({ tools: [tool("weather")] }, [user, turn("system", addition)]),
    path: "/messages/1/content/0/type",
    good: body({ tools: [tool("weather")] }, [user, turn("system", addition)]),
    profile: { betas: ["other-2026-01-01"] },
    goodProfile: {},
  },
  {
    rule: "A15a",
    bad: says(answers(image("image/bmp"))),
    path: "/messages/0/content/0/source/media_type",
    good: says(answers(image("image/webp"))),
  },
  {
    rule: "A15b",
    bad: says(user, calls(call("a")), answers(result("a", { content: [call("b")] }))),
    path: "/messages/2/content/0/content/0/type",
    good: says(user, calls(call("a")), answers(result("a", { content: [image("image/png")] }))),
  },
  {
    rule: "A16",
    bad: says(...Array.from({ length: 100_001 }, () => user)),
    path: "/messages",
    good: says(...Array.from({ length: 100_000 }, () => user)),
  },
  {
    rule: "A17a",
    bad: body({ tools: [tool("weather")] }, [answers(addition)]),
    path: "/messages/0/content/0/type",
    good: body({ tools: [tool("weather")] }, [user, turn("system", addition)]),
  },
  {
    rule: "A17b",
    bad: says(user, turn("system", addition)),
    path: "/messages/1/content/0/tool/name",
    good: says(
      user,
      turn(
        "system",
        { type: "tool_addition", tool: { type: "tool_definition", definition: tool("weather") } },
        addition,
      ),
    ),
  },
  {
    rule: "A18",
    bad: body({ output_format: { type: "json_schema", json_schema: { name: "person", schema: {} } } }),
    path: "/output_format/schema",
    good: body({ output_config: { format: { type: "json_schema", schema: {} } } }),
  },
  {
    rule: "A19",
    bad: body({ tools: [tool("get.weather")] }),
    path: "/tools/0/name",
    good: body({ tools: [tool("x".repeat(128)), { type: "web_search_20250305", name: "web_search" }] }),
  },
  {
    rule: "A20a",
    bad: body({ tools: [tool("weather")], tool_choice: { type: "tool", name: "time" } }),
    path: "/tool_choice/name",
    good: body({ tools: [tool("weather")], tool_choice: { type: "tool", name: "weather" } }),
  },
  {
    rule: "A20b",
    bad: body({ tool_choice: { type: "auto" } }),
    path: "/tool_choice",
    good: body({ tools: [tool("weather")], tool_choice: { type: "none" } }),
  },
  {
    rule: "A21",
    bad: body({ tools: [{ name: "weather", input_schema: { type: "string" } }] }),
    path: "/tools/0/input_schema",
    good: body({ tools: [tool("weather"), { type: "bash_20250124", name: "bash" }] }),
  },
  {
    rule: "A22",
    bad: body({ stop_sequences: ["end", "\n"] }),
    path: "/stop_sequences/1",
    good: body({ stop_sequences: ["end\n"] }),
  },
  {
    rule: "X1",
    bad: body({ tools: [tool("weather"), tool("weather")] }),
    path: "/tools/1/name",
    good: body({ tools: [tool("weather"), tool("time")] }),
  },
];
