import type { MessageInput } from "@rolecall/core";
import {
  createContent,
  createConversation,
  createMessage,
  createTool,
  createToolCall,
  isAssistantMessage,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";

describe("content", () => {
  test.each([
    ["a text is one part", "hi", [{ type: "text", text: "hi" }]],
    ["an empty text is none", "", []],
    [
      "texts among parts are parts",
      ["hi", { type: "refusal" as const, text: "no" }],
      [
        { type: "text", text: "hi" },
        { type: "refusal", text: "no" },
      ],
    ],
    ["an empty text among parts stays", [""], [{ type: "text", text: "" }]],
    [
      "a bare call is a function call",
      [{ id: "call_1", name: "read", arguments: { path: "a" } }],
      [{ type: "toolCall", kind: "function", id: "call_1", name: "read", arguments: { path: "a" } }],
    ],
  ])("%s", (_what, input, expected) => {
    expect(createContent(input)).toEqual(expected);
  });
});

describe("a message in normal form", () => {
  test.each<[what: string, input: MessageInput, expected: object]>([
    [
      "of a user",
      { role: "user", content: "hi", name: "ann" },
      { role: "user", name: "ann", content: [{ type: "text", text: "hi" }] },
    ],
    [
      "of the model",
      { role: "assistant", content: "hi" },
      { role: "assistant", content: [{ type: "text", text: "hi" }] },
    ],
    [
      "of a tool: no failure unless stated",
      { role: "toolResult", toolCallId: "call_1", content: "" },
      { role: "toolResult", toolCallId: "call_1", content: [], isError: false },
    ],
    [
      "of the system: its own authority unless stated",
      { role: "system", content: "Be brief." },
      { role: "system", authority: "system", content: [{ type: "text", text: "Be brief." }] },
    ],
    [
      "of a developer",
      { role: "system", authority: "developer" },
      { role: "system", authority: "developer", content: [] },
    ],
    [
      "with sections as a record",
      { role: "system", sections: { style: "Plain.", old: null } },
      {
        role: "system",
        authority: "system",
        content: [],
        sections: [
          { name: "style", text: "Plain." },
          { name: "old", text: null },
        ],
      },
    ],
    [
      "with tools by name and without a type",
      { role: "system", toolsAdded: [{ name: "read" }], toolsRemoved: ["write"] },
      {
        role: "system",
        authority: "system",
        content: [],
        toolsAdded: [{ type: "function", name: "read" }],
        toolsRemoved: [{ name: "write" }],
      },
    ],
  ])("%s", (_what, input, expected) => {
    expect(createMessage(input)).toEqual(expected);
  });

  test("is itself again", () => {
    const message = createMessage({
      role: "system",
      content: "x",
      sections: { a: "b" },
      toolsAdded: [{ name: "read" }],
    });
    expect(createMessage(message)).toEqual(message);
  });
});

test("tools of other types stay as they are", () => {
  const tool = { type: "custom" as const, name: "patch", format: { type: "text" as const } };
  expect(createTool(tool)).toBe(tool);
});

test("a conversation has settings, if only empty ones", () => {
  const { messages, settings } = createConversation([
    { role: "user", content: "hi" },
    { role: "assistant", content: [createToolCall("call_1", "read", {})] },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(settings).toEqual({});
});

test("a turn is an answer when it says who gave it and why it ended", () => {
  const turn = createMessage({ role: "assistant", content: "hi" });
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
  expect(isAssistantMessage(turn)).toBe(false);
  const answer = { api: "openai-chat", provider: "openai", model: "m", usage, stopReason: "stop", timestamp: 0 };
  expect(isAssistantMessage({ ...turn, ...answer } as never)).toBe(true);
});
