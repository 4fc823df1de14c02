import type { Message, MessageInput } from "@rolecall/core";
import {
  collapseSystemMessages,
  createMessage,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  resolveTranscript,
  toolName,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";

const messages = (...inputs: MessageInput[]): Message[] => inputs.map(createMessage);
const read = { name: "read", description: "Reads a file." };
const write = { name: "write", description: "Writes a file." };

describe("the tools in force", () => {
  const names = (...inputs: MessageInput[]): string[] => getCurrentTools(messages(...inputs)).map(toolName);

  test.each<[what: string, inputs: MessageInput[], expected: string[]]>([
    ["none without a system message", [{ role: "user", content: "hi" }], []],
    ["those of the head", [{ role: "system", toolsAdded: [read, write] }], ["read", "write"]],
    [
      "added later come last",
      [
        { role: "system", toolsAdded: [write] },
        { role: "user", content: "hi" },
        { role: "system", toolsAdded: [read] },
      ],
      ["write", "read"],
    ],
    [
      "withdrawn are gone",
      [
        { role: "system", toolsAdded: [read, write] },
        { role: "system", toolsRemoved: ["read"] },
      ],
      ["write"],
    ],
    [
      "withdrawn and added again are there",
      [
        { role: "system", toolsAdded: [read] },
        { role: "system", toolsRemoved: ["read"] },
        { role: "system", toolsAdded: [read] },
      ],
      ["read"],
    ],
    [
      "withdrawals of one message come before its additions",
      [
        { role: "system", toolsAdded: [read] },
        { role: "system", toolsAdded: [read], toolsRemoved: ["read"] },
      ],
      ["read"],
    ],
    [
      "declared again move to the end",
      [
        { role: "system", toolsAdded: [read, write] },
        { role: "system", toolsAdded: [read] },
      ],
      ["write", "read"],
    ],
    [
      "unknown withdrawals change nothing",
      [{ role: "system", toolsAdded: [read], toolsRemoved: ["nobody"] }],
      ["read"],
    ],
  ])("%s", (_what, inputs, expected) => {
    expect(names(...inputs)).toEqual(expected);
  });

  test("declared again have their new declaration", () => {
    const tools = getCurrentTools(
      messages(
        { role: "system", toolsAdded: [read] },
        { role: "system", toolsAdded: [{ name: "read", description: "New." }] },
      ),
    );
    expect(tools).toMatchObject([{ name: "read", description: "New." }]);
  });
});

test("a hosted tool goes by its name, else by its type", () => {
  const value = { type: "web_search_20250305" };
  expect(toolName({ type: "server", protocol: "anthropic-messages", name: "web_search", value })).toBe("web_search");
  expect(toolName({ type: "server", protocol: "anthropic-messages", value })).toBe("web_search_20250305");
});

describe("the prompt in force", () => {
  const head: MessageInput = { role: "system", content: "Be brief.", sections: { style: "Plain.", files: "a.txt" } };

  test.each<[what: string, inputs: MessageInput[], expected: string]>([
    ["nothing without instructions", [{ role: "user", content: "hi" }], ""],
    ["content, then sections", [head], "Be brief.\n\nPlain.\n\na.txt"],
    [
      "content of later messages is added",
      [head, { role: "system", content: "In German." }],
      "Be brief.\n\nIn German.\n\nPlain.\n\na.txt",
    ],
    [
      "a section that comes again is replaced at its place",
      [head, { role: "system", sections: { style: "Florid." } }],
      "Be brief.\n\nFlorid.\n\na.txt",
    ],
    ["a section that is null is gone", [head, { role: "system", sections: { style: null } }], "Be brief.\n\na.txt"],
    [
      "a section that was gone comes back at the end",
      [head, { role: "system", sections: { style: null } }, { role: "system", sections: { style: "Plain." } }],
      "Be brief.\n\na.txt\n\nPlain.",
    ],
  ])("%s", (_what, inputs, expected) => {
    expect(getCurrentSystemPrompt(messages(...inputs))).toBe(expected);
  });
});

describe("the system state as one message", () => {
  const transcript = messages(
    { role: "system", authority: "developer", content: "Be brief.", toolsAdded: [read] },
    { role: "user", content: "hi" },
    { role: "system", content: "In German.", toolsRemoved: ["read"], effort: "low" },
  );

  test("has the authority of the first, and what holds at the end", () => {
    expect(getCurrentSystemMessage(transcript)).toEqual({
      role: "system",
      authority: "developer",
      content: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "In German." },
      ],
      effort: "low",
    });
  });

  test("stands first when updates are folded into it", () => {
    expect(collapseSystemMessages(transcript).map(({ role }) => role)).toEqual(["system", "user"]);
    expect(collapseSystemMessages(messages({ role: "user", content: "hi" }))).toHaveLength(1);
  });

  test("is made only for models that take no updates", () => {
    expect(resolveTranscript(transcript, true)).toBe(transcript);
    expect(resolveTranscript(transcript, false)).toEqual(collapseSystemMessages(transcript));
  });
});
