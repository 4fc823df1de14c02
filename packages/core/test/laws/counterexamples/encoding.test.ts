import type { JsonObject, MessageInput, Part, Profile, Settings, ToolCallPart } from "@rolecall/core";
import { createConversation, EncodeError } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, expect, test } from "vitest";
import { protocols } from "../conversion.ts";

function encode(
  id: BodyProtocol,
  messages: readonly MessageInput[],
  settings: Settings = {},
  profile: Profile = {},
): { readonly body: JsonObject; readonly codes: readonly string[] } {
  const { value, losses } = protocols[id].encodeRequest(createConversation(messages, settings), profile);
  return { body: value.body as JsonObject, codes: losses.map(({ code }) => code) };
}

const messages = (messages: readonly MessageInput[], settings?: Settings, profile?: Profile) =>
  encode("anthropic-messages", messages, settings, profile);
const chat = (messages: readonly MessageInput[], settings?: Settings) => encode("openai-chat", messages, settings);

const user: MessageInput = { role: "user", content: "a" };
const call: ToolCallPart = { type: "toolCall", kind: "function", id: "c", name: "f", arguments: {} };
const assistant = (...content: readonly (Part | string)[]): MessageInput => ({ role: "assistant", content });

describe("Messages", () => {
  test("a user turn comes first where the first one says nothing", () => {
    const { body, codes } = messages([{ role: "user", content: "" }, assistant("b"), user]);
    expect(body["messages"]).toMatchObject([{ role: "user" }, { role: "assistant" }, { role: "user" }]);
    expect(codes).toContain("turn.first_user");
  });

  test("a user turn comes first where the first one was a result of nobody", () => {
    const { body } = messages([{ role: "toolResult", toolCallId: "x", content: "r" }, assistant("b"), user]);
    expect(body["messages"]).toMatchObject([{ role: "user" }, { role: "assistant" }, { role: "user" }]);
  });

  test("a started answer of white space is no turn", () => {
    const { body, codes } = messages([user, assistant(" ")]);
    expect(body["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "a" }] }]);
    expect(codes).toContain("text.empty");
    const { body: partly } = messages([user, assistant("b ", "\n")]);
    expect(partly["messages"]).toMatchObject([{}, { content: [{ type: "text", text: "b" }] }]);
  });

  test.each(["auto", "none", "required"] as const)("no choice %s without tools", (mode) => {
    const { body, codes } = messages([user], { toolChoice: { mode } });
    expect(body).not.toHaveProperty("tool_choice");
    expect(codes).toContain(mode === "required" ? "tool_choice.unknown" : "tool_choice.idle");
  });

  test("the automatic cache mark and those of hosted tools count", () => {
    const value = { type: "bash_20250124", name: "bash", cache_control: { type: "ephemeral" } };
    const marked: Part = { type: "text", text: "a", cacheBreakpoint: {} };
    const { body, codes } = messages(
      [
        { role: "system", toolsAdded: [{ type: "server", protocol: "anthropic-messages", value }] },
        { role: "user", content: [marked, marked, marked] },
      ],
      { cache: { breakpoint: {} } },
    );
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
    expect(codes).toContain("cache.limit");
  });

  test("an instruction that stays stands behind a user turn", () => {
    const profile = { model: "claude-opus-4-8" };
    const system: MessageInput = { role: "system", content: "s" };
    const moved = messages([user, assistant("b"), system, assistant("c"), user], {}, profile);
    expect(moved.body).toMatchObject({ system: [{ text: "s" }], messages: [{ role: "user" }, {}, { role: "user" }] });
    expect(moved.codes).toContain("instruction.moved");
    const deferred = messages([user, assistant("b"), system, user], {}, profile);
    expect(deferred.body["messages"]).toMatchObject([{}, {}, { role: "user" }, { role: "system" }]);
    expect(deferred.codes).toContain("instruction.deferred");
    const empty = messages([user, { role: "system", content: [{ type: "text", text: "" }] }], {}, profile);
    expect(empty.body["messages"]).toMatchObject([{ role: "user" }]);
  });

  test("what an instruction of a user's authority says and limits", () => {
    const { body, codes } = messages([
      {
        role: "system",
        authority: "user",
        content: "a",
        sections: { style: "b" },
        lifetime: "untilReplaced",
        effort: "low",
      },
    ]);
    expect(JSON.stringify(body["messages"])).toContain('"b"');
    expect(codes).toEqual(expect.arrayContaining(["instruction.lifetime", "instruction.effort"]));
  });

  test("a number that no body can say", () => {
    const { arguments: _, ...named } = call;
    const { body } = messages([user, assistant({ ...named, argumentsText: '{"a":1e400}' }), user]);
    expect(JSON.stringify(body)).toContain('{\\"a\\":1e400}');
  });

  test("arguments that nest too deep", () => {
    const { arguments: _, ...named } = call;
    const argumentsText = `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const { body } = messages([user, assistant({ ...named, argumentsText }), user]);
    expect(JSON.stringify(body)).toContain("_raw_arguments");
  });

  test("a choice of a namespace", () => {
    const tools = [{ type: "function", name: "a" }] as const;
    const { body } = messages(
      [{ role: "system", toolsAdded: [{ type: "namespace", name: "n", description: "d", tools }] }, user],
      { toolChoice: { mode: "required", names: ["n"] } },
    );
    expect(body).not.toHaveProperty("tool_choice");
  });
});

describe("Chat", () => {
  test("a result of which nothing can be sent is an empty text", () => {
    const { body } = chat([
      assistant(call),
      { role: "toolResult", toolCallId: "c", content: [{ type: "toolReference", name: "t" }] },
    ]);
    expect(body["messages"]).toMatchObject([{}, { role: "tool", content: "" }]);
  });

  test.each([false, true])("a refusal in a result is text (error: %s)", (isError) => {
    const { body, codes } = chat([
      assistant(call),
      { role: "toolResult", toolCallId: "c", content: [{ type: "refusal", text: "no" }], isError },
    ]);
    expect(JSON.stringify((body["messages"] as JsonObject[])[1])).toContain("no");
    expect(JSON.stringify(body)).not.toContain('"refusal"');
    expect(codes).toContain("refusal.text");
  });

  test("the name of a schema", () => {
    const format = { type: "jsonSchema", name: "my schema", schema: { type: "object" } } as const;
    const { body, codes } = chat([user], { responseFormat: format });
    expect(body["response_format"]).toMatchObject({ json_schema: { name: expect.stringMatching(/^my_schema_\w+$/) } });
    expect(codes).toContain("format.name");
  });

  test("a conversation without a message", () => {
    expect(() => chat([])).toThrow(EncodeError);
  });

  test("a choice of a tool that is called but not declared", () => {
    const { body } = chat([{ role: "system", toolsAdded: [{ name: "g" }] }, user, assistant(call), user], {
      toolChoice: { mode: "required", names: ["f"] },
    });
    expect(body).not.toHaveProperty("tool_choice");
  });
});
