import type { ContextMessage, JsonObject, Part } from "@rolecall/core";
import { normalizeContext } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { protocolOf } from "../protocols.ts";

const produced = (content: object, producer: object = {}) =>
  normalizeContext({ messages: [{ role: "assistant", content: [content], ...producer } as ContextMessage] }).messages;
const part = (content: object, producer: object): Part => produced(content, producer)[0]!.content[0]!;

const anthropic = { api: "anthropic-messages", provider: "anthropic" };
const responses = { api: "openai-responses", provider: "openai" };
const chat = { api: "openai-completions", provider: "openrouter" };
const gemini = { api: "google-generative-ai", provider: "google" };
const item = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "enc",
};

describe("a signature becomes state of the protocol that the message names", () => {
  const of = (protocol: string, provider: string) => ({ protocol, provider });
  const claude = of("anthropic-messages", "anthropic");
  const openai = of("openai-responses", "openai");
  const google = of("gemini-generate-content", "google");
  const sealed = { bindsTo: "prefix", replay: "required" };

  test.each<[what: string, content: object, producer: object, expected: object]>([
    [
      "a thinking block",
      { type: "thinking", thinking: "Hm.", thinkingSignature: "sig" },
      anthropic,
      { type: "thinking", thinking: "Hm.", state: [{ ...claude, kind: "signature", value: "sig", ...sealed }] },
    ],
    [
      "a redacted one, of which the text is the host's",
      { type: "thinking", thinking: "[Reasoning redacted]", thinkingSignature: "data", redacted: true },
      anthropic,
      {
        type: "thinking",
        thinking: "",
        redacted: true,
        state: [{ ...claude, kind: "encrypted", value: "data", ...sealed }],
      },
    ],
    [
      "a reasoning item",
      { type: "thinking", thinking: "Hm.", thinkingSignature: JSON.stringify(item) },
      responses,
      {
        type: "thinking",
        thinking: "Hm.",
        kind: "summary",
        state: [
          { ...openai, kind: "itemId", value: "rs_1" },
          { ...openai, kind: "encrypted", value: "enc", ...sealed },
        ],
      },
    ],
    [
      "a text of Responses",
      { type: "text", text: "Hi", textSignature: '{"v":1,"id":"msg_1","phase":"final_answer"}' },
      responses,
      { type: "text", text: "Hi", phase: "final_answer", state: [{ ...openai, kind: "itemId", value: "msg_1" }] },
    ],
    [
      "a text of Responses with its id alone",
      { type: "text", text: "Hi", textSignature: "msg_1" },
      responses,
      { type: "text", text: "Hi", state: [{ ...openai, kind: "itemId", value: "msg_1" }] },
    ],
    [
      "a call of Responses with both its ids",
      { type: "toolCall", id: "call_1|fc_1", name: "read", arguments: {} },
      responses,
      {
        type: "toolCall",
        kind: "function",
        id: "call_1|fc_1",
        name: "read",
        arguments: {},
        state: [
          { ...openai, kind: "itemId", value: "fc_1" },
          { ...openai, kind: "callId", value: "call_1" },
        ],
      },
    ],
    [
      "details beside a Chat message",
      { type: "thinking", thinking: "Hm.", thinkingSignature: '[{"type":"reasoning.text"}]' },
      chat,
      {
        type: "thinking",
        thinking: "Hm.",
        state: [{ ...of("openai-chat", "openrouter"), kind: "details", value: [{ type: "reasoning.text" }] }],
      },
    ],
    [
      "the field of a Chat message",
      { type: "thinking", thinking: "Hm.", thinkingSignature: "reasoning_content" },
      chat,
      { type: "thinking", thinking: "Hm.", wire: { protocol: "openai-chat", form: { field: "reasoning_content" } } },
    ],
    ...(
      [
        ["textSignature", { type: "text", text: "Hi" }],
        ["thinkingSignature", { type: "thinking", thinking: "Hm." }],
        ["thoughtSignature", { type: "toolCall", kind: "function", id: "a", name: "read", arguments: {} }],
      ] as const
    ).map(([field, plain]): [string, object, object, object] => [
      `${field} of Gemini`,
      { ...plain, [field]: "c2ln" },
      gemini,
      { ...plain, state: [{ ...google, kind: "signature", value: "c2ln", bindsTo: "node", replay: "required" }] },
    ]),
  ])("%s", (_what, content, producer, expected) => {
    expect(part(content, producer)).toEqual(expected);
  });

  test("and stands behind the state that the part has", () => {
    const state = [{ protocol: "gemini-generate-content", kind: "itemId", value: "x" }];
    expect(part({ type: "text", text: "Hi", textSignature: "c2ln", state }, gemini).state).toMatchObject([
      state[0],
      { kind: "signature" },
    ]);
  });
});

describe("a signature of which nobody says whose it is", () => {
  const thinking = { type: "thinking", thinking: "Hm." };
  const call = { type: "toolCall", kind: "function", id: "a", name: "read", arguments: {} };

  test.each<[what: string, content: object, producer: object]>([
    ["without an api", { ...thinking, thinkingSignature: "sig" }, {}],
    ["with a provider alone", { ...thinking, thinkingSignature: "sig" }, { provider: "anthropic" }],
    ["that is no item of Responses", { ...thinking, thinkingSignature: "{broken" }, responses],
    ["that is an item of another type", { ...thinking, thinkingSignature: '{"type":"message","id":"a"}' }, responses],
    ["that is an item without anything", { ...thinking, thinkingSignature: '{"type":"reasoning"}' }, responses],
    ["that is no id of Responses", { type: "text", text: "", textSignature: "c2ln" }, responses],
    ["that is a number in JSON", { type: "text", text: "", textSignature: '{"id":1}' }, responses],
    ["that is no Base64", { ...thinking, thinkingSignature: "{}" }, gemini],
    ["that is no field of Chat", { ...thinking, thinkingSignature: "thoughts" }, chat],
    ["that is cut off", { ...thinking, thinkingSignature: '[{"type"' }, chat],
    ["that says nothing", { ...thinking, thinkingSignature: "" }, anthropic],
    ["on a call of Messages", { ...call, thoughtSignature: "c2ln" }, anthropic],
    ["on a call of Chat", { ...call, thoughtSignature: "c2ln" }, chat],
  ])("%s stays where it is", (_what, content, producer) => {
    expect(part(content, producer)).toEqual(content);
  });

  test.each(["call|", "|fc", "call"])("an id %j that is not two stays one", (id) => {
    expect(part({ ...call, id }, responses)).toEqual({ ...call, id });
  });

  test("is read once the message says it", () => {
    const unknown = produced({ ...thinking, thinkingSignature: "sig" })[0] as ContextMessage;
    const known = normalizeContext({ messages: [{ ...unknown, api: "anthropic-messages" } as ContextMessage] });
    expect(known.messages[0]!.content[0]!.state).toMatchObject([{ protocol: "anthropic-messages", value: "sig" }]);
  });

  test.each(["anthropic-messages", "openai-responses", "openai-chat", "gemini-generate-content"])(
    "goes to no service of %s, and is reported",
    (id) => {
      const signed = [
        { ...thinking, thinkingSignature: "secret-signature" },
        { type: "text", text: "hi", textSignature: "secret-signature" },
        { ...call, thoughtSignature: "secret-signature" },
        { type: "text", text: "ho", textSignature: "" },
      ];
      const messages = [
        { role: "user" as const, content: [{ type: "text" as const, text: "hi" }] },
        ...signed.flatMap((content) => produced(content)),
      ];
      const { value, losses } = protocolOf(id).encodeRequest({ messages, settings: { model: "m", maxTokens: 64 } });
      expect(JSON.stringify(value.body)).not.toContain("secret-signature");
      expect(losses.filter(({ code }) => code === "state.unattributed")).toMatchObject([
        { field: "thinkingSignature" },
        { field: "textSignature" },
        { field: "thoughtSignature" },
      ]);
    },
  );
});

describe("signed parts go back to their service as they came", () => {
  const sent = (content: object, producer: { readonly api: string; readonly provider: string }): string => {
    const result = { role: "toolResult", toolCallId: "call_1|fc_1", content: "done" } as const;
    const user = { role: "user", content: "hi" } as const;
    // Reasoning that nothing follows is sent by no protocol.
    const answer = { role: "assistant", content: [content, "Hi"], ...producer } as ContextMessage;
    const { messages } = normalizeContext({ messages: [user, answer, ...("name" in content ? [result] : [])] });
    const id = messages[1]?.role === "assistant" ? messages[1].api! : "";
    const conversation = { messages, settings: { model: "m", maxTokens: 64 } };
    const { value } = protocolOf(id).encodeRequest(conversation, { provider: producer.provider });
    return JSON.stringify(value.body as JsonObject);
  };

  test.each<[what: string, content: object, producer: { api: string; provider: string }, expected: string]>([
    [
      "thinking",
      { type: "thinking", thinking: "Hm.", thinkingSignature: "sig" },
      anthropic,
      '{"type":"thinking","thinking":"Hm.","signature":"sig"}',
    ],
    [
      "redacted thinking",
      { type: "thinking", thinking: "[Reasoning redacted]", thinkingSignature: "data", redacted: true },
      anthropic,
      '{"type":"redacted_thinking","data":"data"}',
    ],
    [
      "a reasoning item",
      { type: "thinking", thinking: "Hm.", thinkingSignature: JSON.stringify(item) },
      responses,
      '"encrypted_content":"enc"',
    ],
    [
      "both ids of a call",
      { type: "toolCall", id: "call_1|fc_1", name: "read", arguments: {} },
      responses,
      '{"type":"function_call_output","call_id":"call_1"',
    ],
    [
      "a thought signature",
      { type: "text", text: "Hi", textSignature: "c2ln" },
      gemini,
      '{"text":"Hi","thoughtSignature":"c2ln"}',
    ],
    [
      "the field of reasoning",
      { type: "thinking", thinking: "Hm.", thinkingSignature: "reasoning" },
      chat,
      '"reasoning":"Hm."',
    ],
  ])("%s", (_what, content, producer, expected) => {
    expect(sent(content, producer)).toContain(expected);
  });
});
