import type { Message, MessageInput, ServerTool, SystemMessage, Tool } from "@rolecall/core";
import {
  collapseSystemMessages,
  createMessage,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  getDeclaredTools,
  getInitialSystemMessage,
  getToolStateChanges,
  isTranscriptContext,
  normalizeContext,
  resolveTranscript,
  toolDeclaration,
  toolName,
  withoutInitialSystemMessage,
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
    const same = messages(
      { role: "system", content: "Be brief.", toolsAdded: [read], timestamp: 5 },
      { role: "user", content: "hi" },
      { role: "system", content: "In German.", sections: { style: "Plain." } },
    );
    expect(collapseSystemMessages(same)).toEqual([getCurrentSystemMessage(same), same[1]]);
    expect(collapseSystemMessages(messages({ role: "user", content: "hi" }))).toHaveLength(1);
  });

  test.each<[what: string, update: Partial<SystemMessage>]>([
    ["authority", { authority: "guideline" }],
    ["scope", { scope: "style" }],
    ["delegation", { delegatesTo: "user" }],
    ["origin", { origin: { source: "retrieval", trust: "untrusted" } }],
  ])("does not mix instructions that differ in %s", (_what, update) => {
    const mixed = messages(
      { role: "system", content: "A", toolsAdded: [read] },
      { role: "user", content: "hi" },
      { role: "system", content: "B", sections: { style: "S" }, ...update },
      { role: "system", content: "C" },
    );
    const [first, second, third, fourth, ...others] = collapseSystemMessages(mixed);
    expect(first).toMatchObject({ authority: "system", content: [{ text: "A" }], toolsAdded: [{ name: "read" }] });
    expect(second).toMatchObject({ authority: "system", content: [{ text: "B" }], ...update });
    expect(third).toMatchObject({ authority: "system", content: [{ text: "C" }] });
    expect(third).not.toHaveProperty(Object.keys(update)[0]!, Object.values(update)[0]);
    expect(fourth).toMatchObject({ content: [], sections: [{ name: "style", text: "S" }], ...update });
    expect(others).toEqual([mixed[1]]);
  });

  test("keeps for content the origin that it had in its own message", () => {
    const current = getCurrentSystemMessage(
      messages(
        { role: "system", content: "A" },
        { role: "system", content: "B", origin: { source: "file", trust: "untrusted" } },
      ),
    );
    expect(current?.content).toEqual([
      { type: "text", text: "A" },
      { type: "text", text: "B", origin: { source: "file", trust: "untrusted" } },
    ]);
  });

  test("leaves out what is over, and keeps tools whose instruction is over", () => {
    const passed = messages(
      { role: "system", content: "once", lifetime: "nextUserTurn", sections: { hint: "once" }, toolsAdded: [read] },
      { role: "user", content: "1" },
      { role: "system", content: "first", lifetime: "untilReplaced" },
      { role: "system", content: "second" },
      { role: "user", content: "2" },
    );
    expect(getCurrentSystemPrompt(passed)).toBe("second");
    expect(getCurrentTools(passed)).toHaveLength(1);
    expect(getCurrentSystemPrompt(passed.slice(0, 3))).toBe("once\n\nfirst\n\nonce");
  });

  test("keeps the order of sections whose names are numbers", () => {
    const numbered = messages(
      {
        role: "system",
        sections: [
          { name: "10", text: "ten" },
          { name: "b", text: "bee" },
          { name: "2", text: "two" },
        ],
      },
      { role: "system", sections: [{ name: "2", text: "zwei" }] },
    );
    expect(getCurrentSystemPrompt(numbered)).toBe("ten\n\nbee\n\nzwei");
    expect(getCurrentSystemMessage(numbered)?.sections?.map(({ name }) => name)).toEqual(["10", "b", "2"]);
  });

  test("is made only for models that take no updates", () => {
    expect(resolveTranscript(transcript, true)).toBe(transcript);
    expect(resolveTranscript(transcript, false)).toEqual(collapseSystemMessages(transcript));
    const context = normalizeContext({ messages: transcript });
    expect(resolveTranscript(context, true)).toBe(context);
    const collapsed = resolveTranscript(context, false);
    expect(isTranscriptContext(collapsed)).toBe(true);
    expect(collapsed.messages).toEqual(collapseSystemMessages(context));
  });
});

test("the baseline is the system message at the front, and nothing else", () => {
  const [head, user] = messages({ role: "system", content: "A" }, { role: "user", content: "hi" });
  expect(getInitialSystemMessage([head!, user!])).toBe(head);
  expect(withoutInitialSystemMessage([head!, user!])).toEqual([user]);
  expect(getInitialSystemMessage([user!, head!])).toBeUndefined();
  expect(withoutInitialSystemMessage([user!, head!])).toEqual([user, head]);
  expect(getInitialSystemMessage({ messages: [] })).toBeUndefined();
});

describe("changes of tools", () => {
  const tool = (name: string, description?: string): Tool => ({
    type: "function",
    name,
    ...(description !== undefined && { description }),
  });
  const search = (uses: number): ServerTool => ({
    type: "server",
    protocol: "anthropic-messages",
    name: "search",
    value: { type: "search", uses },
  });

  test.each<[what: string, before: Tool[], after: Tool[], removed: string[], added: string[]]>([
    ["nothing", [tool("a")], [tool("a")], [], []],
    ["one more", [tool("a")], [tool("a"), tool("b")], [], ["b"]],
    ["one less", [tool("a"), tool("b")], [tool("b")], ["a"], []],
    ["another declaration", [tool("a", "old"), tool("b")], [tool("a", "new"), tool("b")], ["a"], ["a"]],
    ["another kind", [tool("a")], [{ type: "custom", name: "a" }], ["a"], ["a"]],
    ["one of two of the same name", [search(1), search(2)], [search(1)], ["search"], ["search"]],
    ["a name of JavaScript", [], [tool("constructor"), tool("__proto__")], [], ["constructor", "__proto__"]],
  ])("%s", (_what, before, after, removed, added) => {
    const changes = getToolStateChanges(before, after);
    expect(changes.toolsRemoved.map(({ name }) => name)).toEqual(removed);
    expect(changes.toolsAdded.map(toolName)).toEqual(added);
    const replayed = getCurrentTools(messages({ role: "system", toolsAdded: before }, { role: "system", ...changes }));
    expect(new Set(replayed.map((item) => JSON.stringify(item)))).toEqual(
      new Set(after.map((item) => JSON.stringify(item))),
    );
  });

  test("are not what runs a tool", () => {
    const running = { ...tool("a"), execute: () => "done" };
    expect(getToolStateChanges([tool("a")], [running])).toEqual({ toolsAdded: [], toolsRemoved: [] });
  });

  test("do not hide what was declared before", () => {
    const declared = getDeclaredTools(
      messages(
        { role: "system", toolsAdded: [tool("a"), tool("b", "old"), search(1), search(2), search(1)] },
        { role: "system", toolsRemoved: ["a", "b"], toolsAdded: [tool("b", "new")] },
      ),
    );
    expect(declared).toEqual([tool("a"), tool("b", "new"), search(1), search(2)]);
  });
});

describe("a declaration", () => {
  const run = { execute: () => "done", label: "Read" };

  test("is the tool itself where there is nothing else", () => {
    const plain: Tool = { type: "function", name: "a", parameters: { type: "object" }, strict: true };
    expect(toolDeclaration(plain)).toBe(plain);
    const nested: Tool = { type: "namespace", name: "n", description: "d", tools: [{ type: "function", name: "a" }] };
    expect(toolDeclaration(nested)).toBe(nested);
  });

  test("has nothing of what runs the tool, at no depth", () => {
    const inner = { type: "custom" as const, name: "b", format: { type: "text" as const } };
    const nested = { type: "namespace" as const, name: "n", description: "d", tools: [{ ...inner, ...run }], ...run };
    expect(toolDeclaration(nested)).toEqual({ type: "namespace", name: "n", description: "d", tools: [inner] });
  });
});
