import type { JsonObject } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, expect, test } from "vitest";
import type { Operation } from "../conversion.ts";
import { convert } from "../conversion.ts";

function told(
  from: BodyProtocol,
  operation: Operation,
  body: JsonObject,
): { readonly value: JsonObject; readonly losses: readonly string[] } {
  const to = from === "openai-chat" ? "anthropic-messages" : "openai-chat";
  const { value, losses } = convert(from, to, operation, body);
  return {
    value,
    losses: losses.map(({ code, kind, path, targetPath }) => `${code} ${kind} ${path || `→${targetPath}`}`),
  };
}

const user = { role: "user", content: "a" };
const chat = (messages: readonly JsonObject[], fields: JsonObject = {}) =>
  told("openai-chat", "request", { model: "m", max_completion_tokens: 4096, messages, ...fields });
const anthropic = (messages: readonly JsonObject[], fields: JsonObject = {}) =>
  told("anthropic-messages", "request", { model: "m", max_tokens: 1, messages, ...fields });
const call = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
};
const blocks = (role: string, ...content: readonly JsonObject[]): JsonObject => ({ role, content });

describe("Chat to Messages", () => {
  test("a forced tool that is not sent gives no thinking up", () => {
    const { value, losses } = chat([user], { tool_choice: "required", reasoning_effort: "low" });
    expect(value).toMatchObject({ thinking: { type: "enabled" } });
    expect(losses).toContain("tool_choice.unknown dropped /tool_choice");
  });

  test("tools that a choice leaves out, and names that it invents", () => {
    const tools = ["f", "g"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
    const allowed = ["f", "h"].map((name) => ({ type: "function", function: { name } }));
    const { losses } = chat([user], {
      tools,
      tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: allowed } },
    });
    expect(losses).toEqual([
      "tool_choice.subset dropped /tools/1",
      "tool_choice.unknown dropped /tool_choice/allowed_tools/tools/1",
      "tool_choice.subset approximated /tool_choice/type",
    ]);
  });

  test("no calls at once, beside a choice of a tool that is not declared", () => {
    const { value, losses } = chat([user], {
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
      tool_choice: { type: "function", function: { name: "g" } },
      parallel_tool_calls: false,
    });
    expect(value).toMatchObject({ tool_choice: { type: "auto", disable_parallel_tool_use: true } });
    expect(losses).toEqual(["tool_choice.unknown dropped /tool_choice"]);
  });

  test("the mark of an empty text", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "", prompt_cache_breakpoint: { mode: "explicit" } },
    ];
    expect(chat([{ role: "user", content: parts }]).losses).toEqual([
      "text.empty approximated /messages/0/content/1",
      "cache.mark dropped /messages/0/content/1/prompt_cache_breakpoint",
    ]);
  });

  test("losses stand where deprecated names stand", () => {
    const { losses } = chat([user], {
      function_call: { name: "g" },
      functions: [{ name: "f", parameters: { type: "object" } }],
    });
    expect(losses).toEqual(["tool_choice.unknown dropped /function_call"]);
  });

  test("the name of a result in the deprecated form is its link", () => {
    const { losses } = chat([
      user,
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "r" },
    ]);
    expect(losses.filter((loss) => loss.startsWith("message.name"))).toEqual([]);
  });

  test("what is made up has a place in the output", () => {
    const { losses } = chat([user, call, user], { tools: [{ type: "function", function: { name: "f" } }] });
    expect(losses).toEqual([
      "tool.parameters synthesized →/tools/0/input_schema",
      "tool_result.missing synthesized →/messages/2/content/0",
    ]);
  });

  test("an id that is rewritten is told at the call alone, where its result is made up", () => {
    const { losses } = chat([user, { ...call, tool_calls: [{ ...call.tool_calls[0], id: "a:b" }] }, user]);
    expect(losses).toEqual([
      "tool.id rewritten /messages/1/tool_calls/0/id",
      "tool_result.missing synthesized →/messages/2/content/0",
    ]);
  });

  test("a schema keyword that is not stated is told at its schema", () => {
    const parameters = { type: "object", properties: {} };
    const { losses } = chat([user], {
      tools: [{ type: "function", function: { name: "f", parameters, strict: true } }],
    });
    expect(losses).toEqual(["schema.closed approximated /tools/0/function/parameters"]);
  });

  test("a type that is added to a schema is none of its keywords", () => {
    const { losses } = chat([user], {
      tools: [{ type: "function", function: { name: "f", parameters: {}, strict: true } }],
    });
    expect(losses.filter((loss) => loss.includes("$comment"))).toEqual([]);
  });

  test("an answer without candidates ends somewhere", () => {
    const { losses } = told("openai-chat", "response", { choices: [] });
    expect(losses).toContain("stop.unknown dropped /choices");
  });

  test("counts that contradict each other without a total", () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 1 } };
    const { losses } = told("openai-chat", "response", { choices: [], usage });
    expect(losses).toContain("usage.inconsistent approximated /usage/prompt_tokens");
  });
});

describe("Messages to Chat", () => {
  test("a failed result without content", () => {
    const { value } = anthropic([
      user,
      blocks("assistant", { type: "tool_use", id: "t", name: "f", input: {} }),
      blocks("user", { type: "tool_result", tool_use_id: "t", is_error: true }),
    ]);
    expect(value["messages"]).toMatchObject([{}, {}, { role: "tool", content: '{"error":""}' }]);
  });

  test("of two marks at the end of a result the inner one is sent", () => {
    const inner = { type: "text", text: "r", cache_control: { type: "ephemeral", ttl: "1h" } };
    const { value, losses } = anthropic([
      user,
      blocks("assistant", { type: "tool_use", id: "t", name: "f", input: {} }),
      blocks("user", { type: "tool_result", tool_use_id: "t", content: [inner], cache_control: { type: "ephemeral" } }),
    ]);
    expect(value["messages"]).toMatchObject([{}, {}, { content: [{ prompt_cache_breakpoint: { ttl: "12h" } }] }]);
    expect(losses).toEqual([
      "cache.mark approximated /messages/2/content/0/content/0/cache_control",
      "cache.mark dropped /messages/2/content/0/cache_control",
    ]);
  });

  test("media of a result that cannot be sent is not announced", () => {
    const media = { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } };
    const { value, losses } = anthropic([
      user,
      blocks("assistant", { type: "tool_use", id: "t", name: "f", input: {} }),
      blocks("user", { type: "tool_result", tool_use_id: "t", content: [media] }),
    ]);
    expect(value["messages"]).toMatchObject([{}, {}, { role: "tool", content: "" }]);
    expect(losses).toEqual(["media.unsupported dropped /messages/2/content/0/content/0"]);
  });

  test("a tool that is declared again, or withdrawn", () => {
    const tool = (description: string): JsonObject => ({ name: "f", description, input_schema: { type: "object" } });
    const added = { type: "tool_addition", tool: { type: "tool_definition", definition: tool("new") } };
    const removed = { type: "tool_removal", tool: { type: "tool_reference", name: "f" } };
    const tools = [tool("old")];
    const gone = ["description", "input_schema"].map((field) => `tool.removed dropped /tools/0/${field}`);
    expect(anthropic([user, blocks("system", added)], { tools }).losses).toEqual(expect.arrayContaining(gone));
    expect(anthropic([user, blocks("system", removed)], { tools }).losses).toEqual(expect.arrayContaining(gone));
  });

  test("a part that is lost is not the whole turn", () => {
    const { losses } = anthropic([
      user,
      blocks("assistant", { type: "tool_use", id: "t", name: "f", input: {} }),
      blocks("user", { type: "later" }, { type: "tool_result", tool_use_id: "t", content: "r" }),
    ]);
    expect(losses.filter((loss) => loss.includes("dropped"))).not.toContain("message.dropped dropped /messages/2");
  });

  test("a choice of a tool that is not declared is not all of the choice", () => {
    const { value, losses } = anthropic([user], {
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "g", disable_parallel_tool_use: true },
    });
    expect(value).toMatchObject({ parallel_tool_calls: false });
    expect(losses).toEqual(["tool_choice.unknown dropped /tool_choice/name"]);
  });

  test.each([
    [{ output_format: { type: "json_schema", schema: {} } }, "format.enforcement approximated /output_format/type"],
    [{ stop_sequences: ["a", "b", "c", "d", "e"] }, "setting.no_counterpart dropped /stop_sequences/4"],
  ])("the place of %j", (fields, loss) => {
    expect(anthropic([user], fields).losses).toContain(loss);
  });

  test("written tokens that are given by time to live only", () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 2 } };
    const { value, losses } = told("anthropic-messages", "response", { content: [], usage });
    expect(value["usage"]).toMatchObject({ prompt_tokens_details: { cache_write_tokens: 2 } });
    expect(losses).toContain("usage.detail merged /usage/cache_creation/ephemeral_5m_input_tokens");
  });
});
