import type { Conversation, ProtocolId } from "@rolecall/core";
import { createConversation, createToolCall, valueAt } from "@rolecall/core";
import { lint, lintRules } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { protocolOf } from "../protocols.ts";

const places = async (conversation: Conversation, to: ProtocolId, target = {}) =>
  (await lint(conversation, { to, target })).map(({ rule, path }) => `${rule} ${path}`);

const decoded = (protocol: ProtocolId, body: object): Conversation =>
  protocolOf(protocol).decodeRequest({ body: body as never }).value;

const user = { role: "user", content: "How is the weather?" } as const;
const weather = createToolCall("call_1", "weather", {});

describe("lint of a conversation", () => {
  test("finds nothing that encoding mends", async () => {
    const conversation = createConversation([{ role: "assistant", content: [weather] }, user]);
    for (const to of ["openai-chat", "anthropic-messages"] as const) expect(await places(conversation, to)).toEqual([]);
  });

  test("places what is wrong in the conversation", async () => {
    const conversation = decoded("anthropic-messages", {
      model: "example-model",
      max_tokens: 100,
      system: "Be brief.",
      messages: [
        { role: "user", content: "a" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "" },
            { type: "tool_use", id: "a", name: "b", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "b", content: "x" }] },
      ],
      stop_sequences: [" "],
    });
    const found = await lint(conversation, { to: "anthropic-messages" });
    expect(found.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      "A4a /messages/2/content/1",
      "A4c /messages/3",
      "A6a /messages/2/content/0",
      "A22 /settings/stopSequences/0",
    ]);
    for (const { path } of found) expect(valueAt(conversation, path)).toBeDefined();
    expect(found.map(({ targetPath }) => targetPath)).toContain("/messages/1/content/0");
  });

  test("tells what the target cannot do at all, and where", async () => {
    const conversation = createConversation([user], { n: 2 });
    const [finding, ...others] = await lint(conversation, { to: "anthropic-messages" });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: "X8", severity: "error", path: "/settings/n" });
    expect(finding?.message).toContain("fallbacks");
    expect(await places(createConversation([]), "openai-chat")).toEqual(["X8 /messages"]);
  });

  test("depends on the target", async () => {
    const conversation = decoded("anthropic-messages", {
      model: "claude-opus-4-8",
      max_tokens: 100,
      messages: [{ role: "user", content: "a" }],
      temperature: 1,
    });
    expect(await places(conversation, "anthropic-messages", { supportsSampling: true })).toEqual([]);
    expect(await places(conversation, "anthropic-messages")).toEqual(["A11d /settings/temperature"]);
  });

  test("refuses a protocol that it does not know", async () => {
    await expect(lint(createConversation([user]), { to: "nothing" as ProtocolId })).rejects.toThrow(/unknown protocol/);
  });
});

describe("rules of conversations", () => {
  const result = { role: "toolResult", toolCallId: "call_1", content: "18", isError: false } as const;
  const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 };
  const turn = (more: object) => ({ role: "assistant" as const, content: [weather], ...more });
  const cases: readonly (readonly [rule: string, path: string, bad: Conversation, good: Conversation])[] = [
    [
      "X1",
      "/messages/0/toolsAdded/1/name",
      createConversation([{ role: "system", toolsAdded: [{ name: "a" }, { name: "a" }] }, user]),
      createConversation([
        { role: "system", toolsAdded: [{ name: "a" }, { name: "b" }] },
        user,
        { role: "system", toolsAdded: [{ name: "a" }] },
        user,
      ]),
    ],
    [
      "X2",
      "/messages/3/content/0/id",
      createConversation([user, turn({}), result, turn({}), result]),
      createConversation([user, turn({}), result]),
    ],
    [
      "X4",
      "/messages/2",
      createConversation([user, turn({ stopReason: "length" }), result]),
      createConversation([
        user,
        turn({ stopReason: "toolUse" }),
        result,
        turn({ content: "a", stopReason: "length" }),
        user,
      ]),
    ],
    [
      "X6",
      "/messages/1/usage",
      createConversation([user, turn({ usage: { ...usage, reasoning: 3 } }), result]),
      createConversation([user, turn({ usage: { ...usage, reasoning: 2 } }), result]),
    ],
    [
      "X6",
      "/messages/1/usage",
      createConversation([user, turn({ usage: { ...usage, totalTokens: 4 } }), result]),
      createConversation([user, turn({ usage: { ...usage, totalTokens: 0, unreported: ["totalTokens"] } }), result]),
    ],
  ];

  test.each(cases)("%s at %s", async (rule, path, bad, good) => {
    expect(await places(bad, "openai-chat")).toContain(`${rule} ${path}`);
    expect((await places(good, "openai-chat")).filter((place) => place.startsWith("X"))).toEqual([]);
  });

  test("all have a case, here or where a model is switched", () => {
    const tested = new Set([...cases.map(([rule]) => rule), "X8", "A9"]);
    expect(lintRules["conversation"]?.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
  });
});
