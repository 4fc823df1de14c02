import type { AssistantMessage, Conversation, JsonObject, Message, Part, Settings } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, expect, test } from "vitest";
import { protocols } from "../conversion.ts";
import { withAt } from "../edits/edits.ts";

/** Decodes a body, edits it, and encodes it to its own protocol. */
function edit(
  id: BodyProtocol,
  body: JsonObject,
  change: (conversation: Conversation) => Conversation,
): { readonly body: JsonObject; readonly codes: readonly string[] } {
  const edited = change(protocols[id].decodeRequest({ body }).value);
  const { value, losses } = protocols[id].encodeRequest(edited);
  return { body: value.body as JsonObject, codes: losses.map(({ code }) => code) };
}

const settings =
  (change: (settings: Settings) => Settings) =>
  (conversation: Conversation): Conversation => ({ ...conversation, settings: change(conversation.settings) });
const insert =
  (place: number, ...messages: readonly Message[]) =>
  (conversation: Conversation): Conversation => ({
    ...conversation,
    messages: conversation.messages.toSpliced(place, 0, ...messages),
  });
const user = { role: "user", content: "a" };
const chat = (messages: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  model: "m",
  messages,
  ...fields,
});
const anthropic = (messages: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  model: "m",
  max_tokens: 1,
  messages,
  ...fields,
});
const calling = (fields: JsonObject = {}): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
  ...fields,
});

describe("Chat", () => {
  test("a result that failed", () => {
    const { body, codes } = edit(
      "openai-chat",
      chat([calling(), { role: "tool", tool_call_id: "c", content: "no" }]),
      (conversation) => withAt(conversation, ["messages", 1, "isError"], true),
    );
    expect(body["messages"]).toMatchObject([{}, { content: '{"error":"no"}' }]);
    expect(codes).toEqual(["tool_result.error_flag"]);
  });

  test("a choice that the deprecated field cannot say", () => {
    const { body } = edit(
      "openai-chat",
      chat([user], { function_call: "auto" }),
      settings((old) => ({ ...old, toolChoice: { mode: "required" } })),
    );
    expect(body).toMatchObject({ tool_choice: "required" });
  });

  test("another name for a call whose result has no id", () => {
    const deprecated = { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } };
    const { body } = edit(
      "openai-chat",
      chat([deprecated, { role: "function", name: "f", content: "r" }]),
      (conversation) => withAt(conversation, ["messages", 0, "content", 0, "name"], "g"),
    );
    expect(body["messages"]).toMatchObject([{ function_call: { name: "g" } }, { name: "g" }]);
  });

  test.each([
    [{ max_completion_tokens: 1, max_tokens: 2 }, "maxTokens", "max_tokens"],
    [{ safety_identifier: "a", user: "b" }, "userId", "user"],
    [{ tool_choice: "auto", function_call: "none" }, "toolChoice", "function_call"],
  ])("a setting that was said twice is gone: %j", (fields, key, gone) => {
    const { body } = edit(
      "openai-chat",
      chat([user], fields),
      settings((old) => Object.fromEntries(Object.entries(old).filter(([name]) => name !== key))),
    );
    expect(body).not.toHaveProperty(gone);
  });

  test("of two texts of reasoning the one that was not removed stays", () => {
    const { body } = edit(
      "openai-chat",
      chat([{ role: "assistant", content: "a", reasoning_content: "b", reasoning: "c" }]),
      (conversation) => withAt(conversation, ["messages", 0, "content"], conversation.messages[0]?.content.slice(1)),
    );
    expect(body["messages"]).toEqual([{ role: "assistant", content: "a", reasoning: "c" }]);
  });

  test("text for reasoning that had details only", () => {
    const { body } = edit(
      "openai-chat",
      chat([{ role: "assistant", content: "a", reasoning_details: [{ data: "d" }] }]),
      (conversation) => withAt(conversation, ["messages", 0, "content", 0, "thinking"], "b"),
    );
    expect(body["messages"]).toMatchObject([{ reasoning: "b", reasoning_details: [{ data: "d" }] }]);
  });

  test("tools that are added and withdrawn within the conversation", () => {
    const { codes } = edit(
      "openai-chat",
      chat([user]),
      insert(1, {
        role: "system",
        authority: "system",
        content: [{ type: "text", text: "s" }],
        toolsAdded: [{ type: "function", name: "f" }],
        toolsRemoved: [{ name: "g" }],
      }),
    );
    expect(codes).toEqual(expect.arrayContaining(["tool.added", "tool.removed_unknown"]));
  });

  test("parts in an order that a message does not have", () => {
    const parts: readonly Part[] = [
      { type: "refusal", text: "no" },
      { type: "text", text: "a" },
    ];
    const { codes } = edit("openai-chat", chat([user]), insert(1, { role: "assistant", content: parts }));
    expect(codes).toEqual(["turn.order"]);
  });

  test.each<[Part, string]>([
    [{ type: "refusal", text: "no", category: "c" }, "refusal.detail"],
    [{ type: "refusal", text: "no", cacheBreakpoint: {} }, "cache.mark"],
    [{ type: "image", source: { type: "url", url: "u", mediaType: "image/png" } }, "document.field"],
    [{ type: "audio", source: { type: "base64", mediaType: "audio/mp3", data: "" } }, "media.type"],
    [{ type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "" }, expiresAt: 1 }, "document.field"],
  ])("fields of a part that have no place: %j", (part, code) => {
    const { codes } = edit("openai-chat", chat([user]), insert(1, { role: "user", content: [part] }));
    expect(codes).toContain(code);
  });

  test.each<[Settings, string]>([
    [{ reasoning: { mode: "enabled" } }, "reasoning.mode"],
    [{ reasoning: { mode: "disabled", budget: 1 } }, "reasoning.budget_dropped"],
    [{ cache: { breakpoint: {} } }, "cache.setting"],
  ])("settings that have no place: %j", (added, code) => {
    const { codes } = edit(
      "openai-chat",
      chat([user]),
      settings((old) => ({ ...old, ...added })),
    );
    expect(codes).toEqual([code]);
  });

  test("a mark on a result without content, which has nothing to be marked", () => {
    const { codes } = edit(
      "openai-chat",
      chat([calling()]),
      insert(1, { role: "toolResult", toolCallId: "c", content: [], isError: false, cacheBreakpoint: {} }),
    );
    expect(codes).toEqual(["cache.mark"]);
  });

  test("a second text in an answer", () => {
    const answer = protocols["openai-chat"].decodeResponse({
      id: "r",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "b", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
    }).value;
    const edited: AssistantMessage = { ...answer, content: [{ type: "text", text: "a" }, ...answer.content] };
    const { value, losses } = protocols["openai-chat"].encodeResponse(edited);
    expect(value).toMatchObject({ choices: [{ message: { content: "ab" } }] });
    expect(losses.map(({ code }) => code)).toEqual(["text.joined"]);
  });
});

describe("Messages", () => {
  test("a user message between results and what the user says", () => {
    const results = [
      { type: "tool_result", tool_use_id: "t", content: "r" },
      { type: "text", text: "b" },
    ];
    const call = { type: "tool_use", id: "t", name: "f", input: {} };
    const { body } = edit(
      "anthropic-messages",
      anthropic([
        { role: "assistant", content: [call] },
        { role: "user", content: results },
      ]),
      insert(2, { role: "user", content: [{ type: "text", text: "a" }] }),
    );
    expect(body["messages"]).toMatchObject([{}, { content: [{}, { text: "a" }] }, { content: [{ text: "b" }] }]);
  });

  test("a format that was said twice is gone", () => {
    const format = { type: "json_schema", schema: {} };
    const { body } = edit(
      "anthropic-messages",
      anthropic([user], { output_config: { format }, output_format: format }),
      settings(({ responseFormat: _format, ...rest }) => rest),
    );
    expect(body).not.toHaveProperty("output_format");
  });

  test("a mark on a tool that is loaded within the conversation", () => {
    const tool = { type: "tool_reference", name: "f" };
    const block = { type: "tool_addition", tool, cache_control: { type: "ephemeral" } };
    const { value } = protocols["anthropic-messages"].decodeRequest({
      body: anthropic([user, { role: "system", content: [block] }]),
    });
    expect(value.messages[1]?.content[0]).toMatchObject({ type: "toolReference", cacheBreakpoint: {} });
  });

  test.each<[Part, string]>([
    [{ type: "thinking", thinking: "a", redacted: true, state: [state("encrypted")] }, "reasoning.unsigned"],
    [{ type: "image", source: { type: "url", url: "u", mediaType: "image/png" } }, "document.field"],
    [
      { type: "document", source: { type: "searchResult", uri: "u", content: [] }, title: "t", context: "c" },
      "document.field",
    ],
    [{ type: "document", source: { type: "searchResult", uri: "u", content: [] } }, "document.name"],
    [{ type: "toolCall", kind: "patch", id: "c", name: "f", arguments: {} }, "tool_call.kind"],
    [{ type: "toolCall", kind: "function", namespace: "n", id: "c", name: "f", arguments: {} }, "tool.namespace"],
    [
      {
        type: "text",
        text: "a",
        citations: [
          { type: "searchResult", url: "u", citedText: "c", sourceIndex: 0, range: { unit: "page", start: 0, end: 1 } },
        ],
      },
      "citation.foreign",
    ],
  ])("fields of a part that have no place: %j", (part, code) => {
    const { codes } = edit("anthropic-messages", anthropic([user]), insert(1, { role: "assistant", content: [part] }));
    expect(codes).toContain(code);
  });

  test.each<[Settings, string]>([
    [{ reasoning: { summary: "auto" } }, "reasoning.display"],
    [{ reasoning: { mode: "adaptive", budget: 1 } }, "reasoning.budget_dropped"],
    [{ reasoning: { effort: "minimal" } }, "reasoning.effort"],
    [{ toolChoice: { mode: "none" }, parallelToolCalls: false }, "setting.no_counterpart"],
  ])("settings that have no place: %j", (added, code) => {
    const { codes } = edit(
      "anthropic-messages",
      anthropic([user]),
      settings((old) => ({ ...old, ...added })),
    );
    expect(codes).toEqual([code]);
  });

  test.each([
    [{ authority: "developer" }, "instruction.authority"],
    [{ scope: "s" }, "instruction.field"],
    [{ delegatesTo: "user" }, "instruction.field"],
    [{ sections: [{ name: "n", text: null }] }, "instruction.sections"],
  ] as const)("an instruction that says more: %j", (fields, code) => {
    const system: Message = { role: "system", authority: "system", content: [{ type: "text", text: "s" }], ...fields };
    expect(edit("anthropic-messages", anthropic([user]), insert(1, system)).codes).toEqual([code]);
    expect(edit("anthropic-messages", anthropic([user]), insert(0, system)).codes).toContain(code);
  });

  test("the phase of a text in a result", () => {
    const result: Message = {
      role: "toolResult",
      toolCallId: "c",
      content: [{ type: "text", text: "a", phase: "commentary" }],
      isError: false,
    };
    expect(edit("anthropic-messages", anthropic([user]), insert(1, result)).codes).toEqual(["text.phase"]);
  });
});

function state(kind: "encrypted"): { protocol: "anthropic-messages"; kind: "encrypted"; value: string } {
  return { protocol: "anthropic-messages", kind, value: "QQ==" };
}
