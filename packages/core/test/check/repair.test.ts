import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { lossDefinition } from "@rolecall/core";
import { lintRequest, repair } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { anthropicCases } from "./anthropic-cases.ts";
import { chatCases } from "./chat-cases.ts";
import { geminiCases } from "./gemini-cases.ts";
import { responsesCases } from "./responses-cases.ts";

const user: JsonObject = { role: "user", content: "How is the weather?" };
const chatCall = (id: string): JsonObject => ({ id, type: "function", function: { name: "weather", arguments: "{}" } });
const chat = (...messages: readonly Json[]): JsonObject => ({ model: "example-model", messages });
const anthropic = (...messages: readonly Json[]): JsonObject => ({
  model: "example-model",
  max_tokens: 4096,
  messages,
});
const call = (id: string): JsonObject => ({ type: "tool_use", id, name: "weather", input: {} });
const result = (id: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content: "18 degrees", note: 1 });

const missing = "The call was not answered: the conversation went on without its result.";
const asked: JsonObject = { role: "user", parts: [{ text: "How is the weather?" }] };
const gemini = (...contents: readonly Json[]): JsonObject => ({ contents });
const geminiCall: JsonObject = { role: "model", parts: [{ functionCall: { id: "a", name: "weather", args: {} } }] };
const geminiResult = (response: JsonObject): JsonObject => ({
  role: "user",
  parts: [{ functionResponse: { id: "a", name: "weather", response } }],
});
const responses = (...input: readonly Json[]): JsonObject => ({ model: "example-model", input });
const responsesCall = { type: "function_call", call_id: "a", name: "weather", arguments: "{}" };

interface Mend {
  readonly name: string;
  readonly protocol: ProtocolId;
  readonly body: JsonObject;
  readonly code: string;
  /** What becomes of the messages, or of another key. */
  readonly becomes: { readonly [key: string]: Json | undefined };
}

const mends: readonly Mend[] = [
  {
    name: "a result without a call is left out",
    protocol: "openai-chat",
    body: chat(user, { role: "tool", tool_call_id: "a", content: "18" }),
    code: "tool_result.orphan",
    becomes: { messages: [user] },
  },
  {
    name: "a result is put behind its call, with what its message holds",
    protocol: "openai-chat",
    body: chat(user, { role: "assistant", content: null, tool_calls: [chatCall("a")] }, user, {
      role: "tool",
      tool_call_id: "a",
      content: "18",
      note: 1,
    }),
    code: "tool_result.moved",
    becomes: {
      messages: [
        user,
        { role: "assistant", content: null, tool_calls: [chatCall("a")] },
        { role: "tool", tool_call_id: "a", content: "18", note: 1 },
        user,
      ],
    },
  },
  {
    name: "an empty message of the assistant is left out",
    protocol: "openai-chat",
    body: chat(user, { role: "assistant", content: null }, user),
    code: "turn.empty",
    becomes: { messages: [user, user] },
  },
  {
    name: "arguments are written as text",
    protocol: "openai-chat",
    body: chat(
      user,
      { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "weather", arguments: {} } }] },
      { role: "tool", tool_call_id: "a", content: "18" },
    ),
    code: "tool_call.shape",
    becomes: {
      messages: [
        user,
        { role: "assistant", tool_calls: [chatCall("a")] },
        { role: "tool", tool_call_id: "a", content: "18" },
      ],
    },
  },
  {
    name: "a choice without tools is left out",
    protocol: "openai-chat",
    body: { ...chat(user), tool_choice: "auto" },
    code: "tool_choice.idle",
    becomes: { messages: [user], tool_choice: undefined },
  },
  {
    name: "a number beyond its range becomes the nearest",
    protocol: "openai-chat",
    body: { ...chat(user), temperature: 3 },
    code: "setting.clamped",
    becomes: { temperature: 2 },
  },
  {
    name: "a call without a result is answered",
    protocol: "anthropic-messages",
    body: anthropic(user, { role: "assistant", content: [call("a")] }, user),
    code: "tool_result.missing",
    becomes: {
      messages: [
        user,
        { role: "assistant", content: [call("a")] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "a",
              content: "The call was not answered: the conversation went on without its result.",
              is_error: true,
            },
          ],
        },
        user,
      ],
    },
  },
  {
    name: "text before results moves behind them",
    protocol: "anthropic-messages",
    body: anthropic(
      user,
      { role: "assistant", content: [call("a")] },
      {
        role: "user",
        content: [{ type: "text", text: "Here." }, result("a")],
      },
    ),
    code: "turn.moved",
    becomes: {
      messages: [
        user,
        { role: "assistant", content: [call("a")] },
        { role: "user", content: [result("a"), { type: "text", text: "Here." }] },
      ],
    },
  },
  {
    name: "an empty text is left out, and what stands beside it stays",
    protocol: "anthropic-messages",
    body: anthropic({
      role: "user",
      note: 1,
      content: [
        { type: "text", text: "" },
        { type: "text", text: "a", note: 2 },
      ],
    }),
    code: "text.empty",
    becomes: { messages: [{ role: "user", content: [{ type: "text", text: "a", note: 2 }], note: 1 }] },
  },
  {
    name: "a leading system message goes to the front",
    protocol: "anthropic-messages",
    body: anthropic({ role: "system", content: "Be brief." }, user),
    code: "instruction.moved",
    becomes: { system: [{ type: "text", text: "Be brief." }], messages: [user] },
  },
  {
    name: "a second tool of a name is left out",
    protocol: "anthropic-messages",
    body: {
      ...anthropic(user),
      tools: [
        { name: "weather", input_schema: { type: "object" }, description: "one" },
        { name: "weather", input_schema: { type: "object" }, description: "two" },
      ],
    },
    code: "tool.duplicate",
    becomes: { tools: [{ name: "weather", input_schema: { type: "object" }, description: "one" }] },
  },
  {
    name: "white space at the end of a started answer is cut off",
    protocol: "anthropic-messages",
    body: anthropic(user, { role: "assistant", content: [{ type: "text", text: "It is:\n" }] }),
    code: "text.trailing_whitespace",
    becomes: { messages: [user, { role: "assistant", content: [{ type: "text", text: "It is:" }] }] },
  },
  {
    name: "thinking gives way to a forced tool",
    protocol: "anthropic-messages",
    body: {
      ...anthropic(user),
      tools: [{ name: "weather", input_schema: { type: "object" } }],
      tool_choice: { type: "any" },
      thinking: { type: "enabled", budget_tokens: 2048 },
    },
    code: "reasoning.conflict",
    becomes: { thinking: undefined, tool_choice: { type: "any" } },
  },
  {
    name: "a call without a result is answered",
    protocol: "gemini-generate-content",
    body: gemini(asked, geminiCall, asked),
    code: "tool_result.missing",
    becomes: { contents: [asked, geminiCall, geminiResult({ error: missing }), asked] },
  },
  {
    name: "a call without an id and without a result is answered without one",
    protocol: "gemini-generate-content",
    body: gemini(asked, { role: "model", parts: [{ functionCall: { name: "weather" } }] }, asked),
    code: "tool_result.missing",
    becomes: {
      contents: [
        asked,
        { role: "model", parts: [{ functionCall: { name: "weather" } }] },
        { role: "user", parts: [{ functionResponse: { name: "weather", response: { error: missing } } }] },
        asked,
      ],
    },
  },
  {
    name: "a turn of the user comes before calls",
    protocol: "gemini-generate-content",
    body: gemini(geminiCall, geminiResult({ output: "18" })),
    code: "turn.first_user",
    becomes: {
      contents: [
        { role: "user", parts: [{ text: "(The conversation begins with the assistant.)" }] },
        geminiCall,
        geminiResult({ output: "18" }),
      ],
    },
  },
  {
    name: "a content without parts is left out",
    protocol: "gemini-generate-content",
    body: gemini(asked, { role: "model", parts: [] }, asked),
    code: "turn.empty",
    becomes: { contents: [asked, asked] },
  },
  {
    name: "a second function of a name is left out",
    protocol: "gemini-generate-content",
    body: { ...gemini(asked), tools: [{ functionDeclarations: [{ name: "weather" }, { name: "weather" }] }] },
    code: "tool.duplicate",
    becomes: { tools: [{ functionDeclarations: [{ name: "weather" }] }] },
  },
  {
    name: "a temperature beyond the range is brought into it",
    protocol: "gemini-generate-content",
    body: { ...gemini(asked), generationConfig: { temperature: 1000 } },
    code: "setting.clamped",
    becomes: { generationConfig: { temperature: 2 } },
  },
  {
    name: "a call without a result is answered",
    protocol: "openai-responses",
    body: responses(user, responsesCall, user),
    code: "tool_result.missing",
    becomes: {
      input: [
        user,
        responsesCall,
        { type: "function_call_output", call_id: "a", output: JSON.stringify({ error: missing }) },
        user,
      ],
    },
  },
  {
    name: "an output without a call is left out",
    protocol: "openai-responses",
    body: responses(user, { type: "function_call_output", call_id: "a", output: "18" }),
    code: "tool_result.orphan",
    becomes: { input: [user] },
  },
  {
    name: "reasoning that led to nothing is left out",
    protocol: "openai-responses",
    body: responses(user, { type: "reasoning", id: "rs_1", summary: [] }, user),
    code: "reasoning.dangling",
    becomes: { input: [user, user] },
  },
  {
    name: "an id that stands twice is given to one call",
    protocol: "anthropic-messages",
    body: anthropic(
      user,
      { role: "assistant", content: [call("a")] },
      { role: "user", content: [result("a")] },
      { role: "assistant", content: [call("a")] },
      { role: "user", content: [result("a")] },
    ),
    code: "tool.id",
    becomes: { max_tokens: 4096 },
  },
];

describe("mends", () => {
  test.each(mends)("$protocol: $name", async ({ protocol, body, code, becomes }) => {
    const before = JSON.stringify(body);
    const { value, losses, findings } = await repair(body, { protocol });
    expect(losses.map((loss) => loss.code)).toContain(code);
    for (const [key, expected] of Object.entries(becomes)) expect((value as JsonObject)[key]).toEqual(expected);
    expect(findings).toEqual([]);
    expect(JSON.stringify(body)).toBe(before);
  });

  test("are losses of the catalogue, within the protocol, with a place", async () => {
    for (const { protocol, body } of mends) {
      const { losses } = await repair(body, { protocol });
      for (const { code, from, to, path, targetPath } of losses) {
        expect(lossDefinition(code)).toBeDefined();
        expect({ from, to }).toEqual({ from: protocol, to: protocol });
        expect(path !== "" || targetPath !== undefined).toBe(true);
      }
    }
  });

  test("depend on what is known of the server", async () => {
    const started = anthropic(user, { role: "assistant", content: "It is:" });
    expect((await repair(started, { protocol: "anthropic-messages" })).losses).toEqual([]);
    const known = await repair(started, { protocol: "anthropic-messages", profile: { supportsPrefill: false } });
    expect(known.losses.map(({ code }) => code)).toEqual(["turn.prefill"]);
    const sampled = { ...anthropic(user), temperature: 1 };
    const headers = { "anthropic-version": "2026-10-21" };
    const dropped = await repair({ body: sampled, headers }, { protocol: "anthropic-messages" });
    expect(dropped.losses.map(({ code, path }) => `${code} ${path}`)).toEqual(["setting.no_counterpart /temperature"]);
    expect(dropped.value.body).toEqual(anthropic(user));
  });
});

describe("what is not mended", () => {
  test("is given back as it is, where nothing is wrong", async () => {
    const text = `{ "model": "m",  "messages": [{"role": "user", "content": "hi", "n": 12345678901234567890}] }`;
    const { value, losses, findings } = await repair(text);
    expect({ value, losses, findings }).toEqual({ value: text, losses: [], findings: [] });
    const body = anthropic(user);
    expect((await repair(body, { protocol: "anthropic-messages" })).value).toBe(body);
  });

  test("is given back as it is, where nothing can be mended", async () => {
    const text = `{ "model": "gpt-5-mini", "stop": ["a"], "messages": [{"role": "user", "content": "hi", "n": 12345678901234567890}] }`;
    const { value, losses, findings } = await repair(text);
    expect({ value, losses }).toEqual({ value: text, losses: [] });
    expect(findings.map(({ rule }) => rule)).toEqual(["C14a"]);
  });

  test("stays as a finding beside what is", async () => {
    const body = { ...chat(user, { role: "assistant", content: null }, user), model: "gpt-5-mini", stop: ["a"] };
    const { losses, findings } = await repair(body);
    expect(losses.map(({ code }) => code)).toEqual(["turn.empty"]);
    expect(findings.map(({ rule }) => rule)).toEqual(["C14a"]);
  });

  test("is a body that nobody can read", async () => {
    const body = anthropic("Invalid content");
    const { value, findings } = await repair(body, { protocol: "anthropic-messages" });
    expect(value).toBe(body);
    expect(findings.map(({ rule }) => rule)).toEqual(["A2a"]);
  });

  test("is the last message: there would be none", async () => {
    const { losses, findings } = await repair(chat({ role: "user", content: null }));
    expect(losses).toEqual([]);
    expect(findings.map(({ rule }) => rule)).toEqual(["C5b"]);
  });
});

describe("over the cases of the rules", () => {
  test.each([
    ["openai-chat", chatCases],
    ["anthropic-messages", anthropicCases.filter(({ rule }) => rule !== "A16")],
    ["openai-responses", responsesCases],
    ["gemini-generate-content", geminiCases],
  ] as const)("%s: nothing gets worse, and mended bodies need no mending", async (protocol, cases) => {
    let mended = 0;
    for (const { bad, profile = {} } of cases) {
      const before = lintRequest(bad, { protocol, profile });
      const first = await repair(bad, { protocol, profile });
      expect(first.findings.length).toBeLessThanOrEqual(before.length);
      const rules = new Set(before.map(({ rule }) => rule));
      expect(first.findings.filter(({ rule }) => !rules.has(rule))).toEqual([]);
      if (first.losses.length > 0) mended++;
      const second = await repair(first.value as JsonObject, { protocol, profile });
      expect({ value: second.value, losses: second.losses }).toEqual({ value: first.value, losses: [] });
    }
    expect(mended).toBeGreaterThan(cases.length / 4);
  });
});
