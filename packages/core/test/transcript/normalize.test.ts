import type { ContextInput, Json, Message, PartInput } from "@rolecall/core";
import {
  createPart,
  DecodeError,
  getCurrentSystemPrompt,
  getCurrentTools,
  isTranscriptContext,
  lossDefinition,
  normalizeContext,
  toolCalls,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { protocolOf, protocols } from "../protocols.ts";
import { request } from "./samples.ts";

/** What is no context for TypeScript may come from JSON all the same. */
const normalize = (context: unknown) => normalizeContext(context as ContextInput).messages;
const only = (message: unknown): Message => normalize({ messages: [message] })[0]!;

describe("a request as applications keep it", () => {
  test("comes out in normal form, with all that it says", () => {
    const [system, user, assistant, result] = normalizeContext({ messages: request }).messages;
    const [{ content: prompt, toolsAdded, ...head }, asked, answer, answered] = request;
    expect(system).toEqual({
      ...head,
      authority: "system",
      content: [{ type: "text", text: prompt }],
      toolsAdded: [{ type: "function", ...toolsAdded[0] }],
    });
    expect(user).toEqual({ ...asked, content: [{ type: "text", text: asked.content }] });
    expect(assistant).toEqual({ ...answer, content: [{ ...answer.content[0], kind: "function" }] });
    expect(result).toEqual(answered);
  });

  test("is found by the views", () => {
    const context = normalizeContext({ messages: request });
    expect(toolCalls(context)).toMatchObject([{ id: "call_abc123", result: { toolName: "read" } }]);
    expect(getCurrentSystemPrompt(context)).toBe("只读检查，依据工具结果报告");
    expect(getCurrentTools(context)).toMatchObject([{ name: "read" }]);
  });

  test.each(protocols.map((protocol) => [protocol.id, protocol] as const))("can be sent as %s", (_id, protocol) => {
    const { messages } = normalizeContext({ messages: request });
    const { value, losses } = protocol.encodeRequest({ messages, settings: { model: "m", maxTokens: 64 } });
    const text = JSON.stringify(value.body);
    for (const word of ["只读检查", "src/greet.ts", "Read the contents", "export function greet"])
      expect(text).toContain(word);
    expect(losses.filter(({ code }) => ["content", "authority"].includes(lossDefinition(code)?.effect ?? ""))).toEqual(
      [],
    );
  });
});

describe("the baseline", () => {
  const tool = { name: "read", description: "d", execute: () => "done" };
  const user = { role: "user", content: "hi" } as const;

  test("beside the messages becomes their head", () => {
    expect(normalizeContext({ systemPrompt: "Be brief.", messages: [user], tools: [tool] }).messages).toEqual([
      {
        role: "system",
        authority: "system",
        content: [{ type: "text", text: "Be brief." }],
        toolsAdded: [{ type: "function", name: "read", description: "d" }],
      },
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ]);
  });

  test("of tools alone is a head without text", () => {
    expect(normalizeContext({ messages: [], tools: [tool] }).messages).toMatchObject([{ content: [] }]);
  });

  test("that says nothing is none", () => {
    const head = { role: "system", content: "A" } as const;
    expect(normalizeContext({ systemPrompt: "", messages: [user], tools: [] }).messages).toHaveLength(1);
    expect(normalizeContext({ systemPrompt: "", messages: [head], tools: [] }).messages).toHaveLength(1);
  });

  test.each<[place: string, beside: object]>([
    ["/systemPrompt", { systemPrompt: "B" }],
    ["/tools", { tools: [tool] }],
  ])("is there once: %s beside a head is refused", (path, beside) => {
    const messages = [{ role: "system", content: "A" }, user];
    expect(() => normalize({ messages, ...beside })).toThrow(DecodeError);
    expect(() => normalize({ messages, ...beside })).toThrow(expect.objectContaining({ path }));
    expect(() => normalize({ messages, ...beside })).toThrow(/put prompt and tools into that message/);
    expect(normalize({ messages: [user, ...messages], ...beside })).toHaveLength(4);
  });
});

describe("a context", () => {
  const context = normalizeContext({ messages: request });

  test("is known wherever it was passed, and returned as it is", () => {
    expect(isTranscriptContext(context)).toBe(true);
    expect(normalizeContext(context)).toBe(context);
  });

  test.each<[what: string, value: unknown]>([
    ["from JSON", JSON.parse(JSON.stringify(context))],
    ["copied", { ...context }],
    ["made by hand", { messages: [] }],
    ["null", null],
    ["undefined", undefined],
    ["its messages", context.messages],
  ])("is not known when it is %s", (_what, value) => {
    expect(isTranscriptContext(value)).toBe(false);
  });

  test("cannot be changed, and does not follow the list it was made of", () => {
    const messages: Message[] = [{ role: "user", content: [] }];
    const made = normalizeContext({ messages });
    messages.push({ role: "user", content: [] });
    expect(made.messages).toHaveLength(1);
    expect(Object.isFrozen(made) && Object.isFrozen(made.messages)).toBe(true);
  });
});

describe("loose spellings", () => {
  test.each<[what: string, part: unknown, expected: object]>([
    ["text", "hi", { type: "text", text: "hi" }],
    [
      "a bare call",
      { id: "call-01", name: "read_note", arguments: { id: "pi-session" } },
      { type: "toolCall", kind: "function", id: "call-01", name: "read_note", arguments: { id: "pi-session" } },
    ],
    [
      "a call without its kind",
      { type: "toolCall", id: "call-01", name: "read_note", arguments: { id: "pi-session" }, namespace: "n" },
      {
        type: "toolCall",
        kind: "function",
        id: "call-01",
        name: "read_note",
        arguments: { id: "pi-session" },
        namespace: "n",
      },
    ],
    [
      "an image with its data",
      { type: "image", data: "aGk=", mimeType: "image/png", detail: "low" },
      { type: "image", source: { type: "base64", mediaType: "image/png", data: "aGk=" }, detail: "low" },
    ],
  ])("%s is a part, for constructors as well", (_what, part, expected) => {
    expect(only({ role: "assistant", content: [part] }).content).toEqual([expected]);
    expect(createPart(part as PartInput)).toEqual(expected);
  });

  test("parts within documents are parts as well", () => {
    const source = { type: "content", content: ["hi", { type: "image", data: "aGk=", mimeType: "image/png" }] };
    expect(only({ role: "user", content: [{ type: "document", source }] }).content).toMatchObject([
      { source: { content: [{ type: "text", text: "hi" }, { source: { type: "base64" } }] } },
    ]);
  });

  test("sections, tools and withdrawals of an instruction", () => {
    const update = {
      role: "system",
      sections: { style: "Plain.", files: null },
      toolsAdded: [{ name: "read" }, { type: "custom", name: "sh", label: "Shell" }],
      toolsRemoved: ["write", { name: "edit" }],
    };
    expect(only(update)).toEqual({
      role: "system",
      authority: "system",
      content: [],
      sections: [
        { name: "style", text: "Plain." },
        { name: "files", text: null },
      ],
      toolsAdded: [
        { type: "function", name: "read" },
        { type: "custom", name: "sh" },
      ],
      toolsRemoved: [{ name: "write" }, { name: "edit" }],
    });
  });

  test.each<[sampling: Json, strict: boolean]>([
    [false, false],
    [{ type: "json_schema", strict: "prefer" }, true],
    [{ type: "json_schema", strict: "require" }, true],
  ])("a tool with the sampling %j", (constrainedSampling, strict) => {
    const tools = [{ name: "a", constrainedSampling }];
    expect(only({ role: "system", toolsAdded: tools })).toMatchObject({
      toolsAdded: [{ type: "function", name: "a", strict }],
    });
    expect(JSON.stringify(only({ role: "system", toolsAdded: tools }))).not.toContain("constrained");
  });

  test("a result that says nothing of an error is none", () => {
    expect(only({ role: "toolResult", toolCallId: "a", content: "" })).toEqual({
      role: "toolResult",
      toolCallId: "a",
      content: [],
      isError: false,
    });
  });

  test.each<[api: string, expected: string]>([
    ["openai-completions", "openai-chat"],
    ["google-generative-ai", "gemini-generate-content"],
    ["openai-responses", "openai-responses"],
  ])("the api %s", (api, expected) => {
    expect(only({ role: "assistant", content: [], api })).toMatchObject({ api: expected });
  });

  test("counts that nobody reported are said to be so", () => {
    expect(only({ role: "assistant", content: [], usage: { input: 3, output: 4 } })).toMatchObject({
      usage: {
        input: 3,
        output: 4,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 7,
        unreported: ["cacheRead", "cacheWrite", "totalTokens"],
      },
    });
    const whole = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cacheWrite1h: 1, reasoning: 1 };
    const cost = { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 };
    for (const usage of [whole, { ...whole, cost }])
      expect(only({ role: "toolResult", toolCallId: "a", content: [], usage })).toMatchObject({ usage });
  });

  test("what a host keeps on its messages stays", () => {
    const own = { durationMs: 7, diagnostics: [{ type: "x" }] };
    expect(only({ role: "assistant", content: "hi", ...own })).toMatchObject(own);
  });
});

describe("what is no context", () => {
  const call = { id: "a", name: "b" };
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const message = (fields: object) => ({ messages: [{ role: "user", content: "" }, { ...fields }] });
  const part = (fields: unknown) => message({ role: "assistant", content: [fields] });
  const system = (fields: object) => message({ role: "system", ...fields });
  const deep = (levels: number): object =>
    levels === 0
      ? { type: "text", text: "" }
      : { type: "document", source: { type: "content", content: [deep(levels - 1)] } };

  test.each<[path: string, mend: RegExp, context: unknown]>([
    ["", /give \{ systemPrompt\?, messages, tools\? \}/, "hi"],
    ["", /systemPrompt/, [{ role: "user", content: "hi" }]],
    ["/messages", /a list of messages/, {}],
    ["/settings", /keep the rest beside/, { messages: [], settings: {} }],
    ["/systemPrompt", /is a list; give text/, { messages: [], systemPrompt: ["a"] }],
    ["/tools", /a list of tools/, { messages: [], tools: {} }],
    ["/tools/0/name", /missing; give text/, { messages: [], tools: [{}] }],
    ["/messages/0", /a message/, { messages: [null] }],
    ["/messages/1/role", /createConvertToLlm/, message({ role: "notice", content: "" })],
    ["/messages/1/role", /createConvertToLlm/, message({ role: "constructor", content: "" })],
    ["/messages/1/role", /missing; give one of system, user/, message({ content: "" })],
    ["/messages/1/content", /is missing/, message({ role: "user" })],
    ["/messages/1/content", /a number; give text or a list of parts/, message({ role: "user", content: 1 })],
    ["/messages/1/content", /null/, message({ role: "toolResult", toolCallId: "a", content: null })],
    ["/messages/1/toolCallId", /missing/, message({ role: "toolResult", content: "" })],
    ["/messages/1/isError", /null/, message({ role: "toolResult", toolCallId: "a", content: "", isError: null })],
    ["/messages/1/timestamp", /text; give number/, message({ role: "user", content: "", timestamp: "now" })],
    ["/messages/1/timestamp", /number/, message({ role: "user", content: "", timestamp: Number.NaN })],
    ["/messages/1/origin/trust", /"untrusted"/, message({ role: "user", content: "", origin: { trust: "Trusted" } })],
    ["/messages/1/state/0/protocol", /openai-chat/, message({ role: "user", content: "", state: [{ kind: "x" }] })],
    ["/messages/1/authority", /"developer"/, system({ authority: "root" })],
    ["/messages/1/authority", /null/, system({ authority: null })],
    ["/messages/1/lifetime", /"untilReplaced"/, system({ lifetime: "once" })],
    ["/messages/1/content/0", /no part of type thinking/, system({ content: [{ type: "thinking", thinking: "" }] })],
    ["/messages/1/sections", /a list of \{ name, text \}/, system({ sections: "a" })],
    ["/messages/1/sections/a~1b", /null to remove it/, system({ sections: { "a/b": 1 } })],
    ["/messages/1/sections/2", /does not keep the order/, system({ sections: { b: "", 2: "" } })],
    ["/messages/1/sections/0/name", /missing/, system({ sections: [{ text: "" }] })],
    ["/messages/1/sections/0/text", /missing/, system({ sections: [{ name: "a" }] })],
    ["/messages/1/toolsRemoved/0", /a name or/, system({ toolsRemoved: [1] })],
    ["/messages/1/toolsAdded/0/type", /function, custom/, system({ toolsAdded: [{ type: "later", name: "a" }] })],
    [
      "/messages/1/toolsAdded/0/tools/0/type",
      /no tool here/,
      system({
        toolsAdded: [
          {
            type: "namespace",
            name: "a",
            description: "",
            tools: [{ type: "namespace", name: "b", description: "", tools: [] }],
          },
        ],
      }),
    ],
    [
      "/messages/1/toolsAdded/0/constrainedSampling",
      /type "custom"/,
      system({ toolsAdded: [{ name: "a", constrainedSampling: { type: "grammar", variants: {} } }] }),
    ],
    ["/messages/1/api", /openai-responses/, message({ role: "assistant", content: "", api: "bedrock" })],
    ["/messages/1/stopReason", /"toolUse"/, message({ role: "assistant", content: "", stopReason: "end_turn" })],
    ["/messages/1/usage/input", /number/, message({ role: "assistant", content: "", usage: { input: "3" } })],
    ["/messages/1/usage/cost/total", /missing/, message({ role: "assistant", content: "", usage: { cost } })],
    [
      "/messages/1/alternatives/0/role",
      /role assistant/,
      message({ role: "assistant", content: "", alternatives: [{ role: "user", content: "" }] }),
    ],
    ["/messages/1/content/0", /an object with a type/, part(1)],
    ["/messages/1/content/0/type", /type: "opaque"/, part({ type: "tool_use" })],
    ["/messages/1/content/0/type", /missing; give one of text/, part({ text: "hi" })],
    ["/messages/1/content/0/text", /a number; give text/, part({ type: "text", text: 1 })],
    ["/messages/1/content/0/arguments", /either/, part({ type: "toolCall", ...call })],
    ["/messages/1/content/0/arguments", /text; give an object/, part({ type: "toolCall", ...call, arguments: "{}" })],
    [
      "/messages/1/content/0/arguments",
      /either/,
      part({ type: "toolCall", ...call, arguments: {}, argumentsText: "{}" }),
    ],
    ["/messages/1/content/0/data", /missing/, part({ type: "image", mimeType: "image/png" })],
    ["/messages/1/content/0/source/type", /base64, url, file/, part({ type: "image", source: { type: "text" } })],
    ["/messages/1/content/0/source/url", /missing/, part({ type: "image", source: { type: "url" } })],
    ["/messages/1/content/0/citations/0", /a citation/, part({ type: "text", text: "", citations: [null] })],
  ])("at %s (%s)", (path, mend, context) => {
    expect(() => normalize(context)).toThrow(DecodeError);
    expect(() => normalize(context)).toThrow(expect.objectContaining({ path }));
    expect(() => normalize(context)).toThrow(mend);
  });

  test("nests too deep, with a place and not with the end of the stack", () => {
    expect(() => normalize(part(deep(60)))).not.toThrow();
    expect(() => normalize(part(deep(5_000)))).toThrow(DecodeError);
    let answer: object = { role: "assistant", content: "" };
    for (let level = 0; level < 5_000; level++) answer = { role: "assistant", content: "", alternatives: [answer] };
    expect(() => normalize({ messages: [answer] })).toThrow(DecodeError);
  });
});

describe("a request as a protocol writes it", () => {
  const question = "北京仓还有货吗？";
  const rule = "只回答库存问题。";
  const bodies = {
    "openai-chat": {
      model: "m",
      messages: [
        { role: "developer", content: rule },
        { role: "user", content: question },
      ],
    },
    "openai-responses": { model: "m", instructions: rule, input: question },
    "anthropic-messages": { model: "m", max_tokens: 64, system: rule, messages: [{ role: "user", content: question }] },
    "gemini-generate-content": {
      system_instruction: { parts: [{ text: rule }] },
      contents: [{ role: "user", parts: [{ text: question }] }],
    },
  } as const;

  test.each(Object.entries(bodies))("%s is a context once it is decoded", (id, body) => {
    const { messages } = protocolOf(id).decodeRequest({ body }).value;
    const context = normalizeContext({ messages });
    expect(context.messages).toEqual(messages);
    expect(getCurrentSystemPrompt(context)).toBe(rule);
  });

  test("is none before", () => {
    for (const body of Object.values(bodies)) expect(() => normalize(body)).toThrow(DecodeError);
    const { messages } = bodies["openai-chat"];
    expect(() => normalize({ messages })).toThrow(expect.objectContaining({ path: "/messages/0/role" }));
  });
});
