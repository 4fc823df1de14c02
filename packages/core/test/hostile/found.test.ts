import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, expect, test } from "vitest";
import type { AssistantMessage, Json, JsonObject, Profile } from "../../src/index.ts";
import { ConfigError, checkProfile, createFrameParser, jsonEqual, RolecallError } from "../../src/index.ts";
import { convert, converterOf, protocolIds, protocols } from "../laws/conversion.ts";
import { chunk, data, done, events, start } from "../stream/wire.ts";

const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;
const gemini = "gemini-generate-content";
const chat = "openai-chat";
const responses = "openai-responses";

/** Bodies that came back as something else, and nothing was told. */
const bodies: readonly (readonly [name: string, BodyProtocol, "request" | "response", text: string])[] = [
  ["a null under __proto__", responses, "response", '{"id":"r","object":"response","output":[],"__proto__":null}'],
  ["an echo under __proto__", responses, "response", '{"object":"response","output":[],"__proto__":{"tools":[]}}'],
  [
    "what a tool of the service found under __proto__",
    responses,
    "response",
    '{"object":"response","output":[{"type":"web_search_call","id":"w","status":"completed","__proto__":{"a":1}}]}',
  ],
  [
    "a tool that the first turn adds",
    "anthropic-messages",
    "request",
    '{"messages":[{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":{}}}]}]}',
  ],
  ["no summary of reasoning", responses, "response", '{"output":[{"type":"reasoning","summary":null}]}'],
  [
    "a status that reads as a reason",
    responses,
    "response",
    '{"object":"response","output":[],"status":"content_filter"}',
  ],
  ["a status that reads as a status", responses, "response", '{"object":"response","output":[],"status":"status/x"}'],
  ["a time before 1970", responses, "response", '{"object":"response","output":[],"created_at":-1e12}'],
  [
    "a time with a fraction",
    chat,
    "response",
    '{"created":1.5,"choices":[{"index":0,"message":{"role":"assistant"}}]}',
  ],
  [
    "a time beyond all dates",
    chat,
    "response",
    '{"created":1e308,"choices":[{"index":0,"message":{"role":"assistant"}}]}',
  ],
  ["a role that is no text", gemini, "request", '{"systemInstruction":{"role":0},"contents":[]}'],
  [
    "a kind of answer that nobody knows",
    gemini,
    "request",
    '{"contents":[],"generationConfig":{"responseModalities":["P"]}}',
  ],
  [
    "parts that are no objects",
    gemini,
    "request",
    '{"contents":[{"role":"user","parts":[5,"x",null,[1],{"text":"a"}]}]}',
  ],
  [
    "no arguments of a tool of the service",
    gemini,
    "request",
    '{"contents":{"parts":{"toolCall":{"args":null,"toolType":""}}}}',
  ],
  [
    "parts of an answer that are no objects",
    gemini,
    "response",
    '{"candidates":[{"content":{"role":"model","parts":[null,1]}}]}',
  ],
];

describe("comes back as it was", () => {
  test.each(bodies)("%s", (_name, id, operation, text) => {
    const { value, losses } = convert(id, id, operation, json(text));
    expect(losses).toEqual([]);
    expect(jsonEqual(value, json(text)), JSON.stringify(value)).toBe(true);
  });
});

describe("is told", () => {
  const answer = (created: number): JsonObject =>
    json(
      `{"created":${created},"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}`,
    );

  test.each([-1, 1.5, 1e300])("a time of %d that another protocol does not get as it is", (created) => {
    for (const to of protocolIds.filter((id) => id !== chat)) {
      const { losses } = convert(chat, to, "response", answer(created));
      expect(losses.map(({ path }) => path)).toContain("/created");
    }
  });

  test("the second that a time with a fraction falls into arrives", () => {
    expect(convert(chat, responses, "response", answer(1.5)).value).toMatchObject({ created_at: 1 });
  });

  test.each(["", "c2ln"])("that a part without a text was a thought, signed with %j", (thoughtSignature) => {
    const thought = { text: "", thought: true, ...(thoughtSignature !== "" && { thoughtSignature }) };
    const contents = [
      { role: "user", parts: [{ text: "q" }] },
      { role: "model", parts: [thought, { text: "a" }] },
      { role: "user", parts: [{ text: "q" }] },
    ];
    for (const to of protocolIds.filter((id) => id !== gemini)) {
      const { losses } = convert(gemini, to, "request", { contents });
      expect(losses.map(({ path }) => path)).toContain("/contents/1/parts/0/thought");
    }
  });
});

describe("streams", () => {
  test("which element of a list is damaged does not depend on where its bytes are cut", () => {
    const bytes = Uint8Array.from(
      [...'[{"a":1},{"b":"?"},?,{"c":2}]'].map((one) => (one === "?" ? 0xff : one.charCodeAt(0))),
    );
    const frames = [{ data: '{"a":1}' }, { data: '{"b":"\ufffd"}', damaged: true }, { data: '{"c":2}' }];
    for (let at = 0; at <= bytes.length; at++) {
      const parser = createFrameParser();
      expect([...parser.push(bytes.subarray(0, at)), ...parser.push(bytes.subarray(at))]).toEqual(frames);
    }
  });

  test("a time that is none is null nowhere", () => {
    const conversion = converterOf(responses, chat).createStreamConversion();
    const text = conversion.push(chunk({ content: "a" }, "stop", { created: 1e308 }) + done) + conversion.finish();
    expect(text).toContain('"created_at":0');
    expect(text).not.toContain('"created_at":null');
  });

  /** Streams of so many counts, each with a name of its own. */
  const countsOf: { readonly [P in BodyProtocol]?: (name: string) => string } = {
    "openai-chat": (name) => data({ id: "c", model: "m", choices: [], usage: { prompt_tokens: 1, [name]: 1 } }),
    "anthropic-messages": (name) => data({ type: "message_delta", delta: {}, usage: { output_tokens: 1, [name]: 1 } }),
    "gemini-generate-content": (name) => data({ candidates: [], usageMetadata: { promptTokenCount: 1, [name]: 1 } }),
  };
  const begun: { readonly [P in BodyProtocol]?: string } = {
    "openai-chat": chunk({ content: "a" }),
    "anthropic-messages": events(start()),
  };

  test.each(Object.keys(countsOf) as BodyProtocol[])("%s: what is said of ever more counts grows with them", (id) => {
    const sizeOf = (count: number): number => {
      const decoder = protocols[id].createStreamDecoder();
      const names = Array.from({ length: count }, (_, index) => countsOf[id]!(`count_${index}`));
      const frames = createFrameParser().push(`${begun[id] ?? ""}${names.join("")}`);
      return JSON.stringify(frames.map((frame) => decoder.push(frame))).length;
    };
    expect(sizeOf(2000) / sizeOf(500)).toBeLessThan(5);
  });

  test("counts that nobody knows reach the message, or are told", async () => {
    const counts = Array.from({ length: 200 }, (_, index) =>
      data({ id: "c", model: "m", choices: [], usage: { prompt_tokens: 1, [`k${index}`]: index } }),
    ).join("");
    const { value, losses } = await converterOf(chat, chat).collectStream(
      chunk({ content: "a" }) + counts + chunk({}, "stop") + done,
    );
    const told = losses.flatMap(({ path }) => /^\/events\/\d+\/usage\/(k\d+)$/.exec(path)?.slice(1) ?? []);
    const kept = Object.keys(value["usage"] as JsonObject).filter((key) => key.startsWith("k"));
    expect(new Set([...kept, ...told]).size).toBe(200);
  });
});

describe("a profile", () => {
  test.each<readonly [string, unknown]>([
    ["that inherits what is no pattern", Object.create({ toolNamePattern: null })],
    ["that inherits a number which is a symbol", Object.create({ maxOutputTokens: Symbol("1") })],
    ["whose field cannot be read", Object.defineProperty({}, "model", { enumerable: true, get: () => null!["x"] })],
    ["under __proto__", json('{"__proto__":{"toolNamePattern":1}}')],
  ])("%s is refused", (_name, profile) => {
    expect(() => checkProfile(profile as Profile)).toThrow(ConfigError);
  });
});

test("a form that was made by hand is read as it is, also where it has no text", () => {
  const odd = { toString: 1, valueOf: 1 };
  const forms = { "choices/primary": odd, "candidates/primary": odd };
  for (const id of protocolIds) {
    const message = {
      role: "assistant",
      content: [{ type: "text", text: "a" }],
      api: id,
      provider: "p",
      model: "m",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
      stopReason: "stop",
      timestamp: 0,
      wire: { protocol: id, form: forms },
    } as unknown as AssistantMessage;
    expect(protocols[id].encodeResponse(message).value).toBeTypeOf("object");
  }
});

/** Requests whose settings make an encoder look at what it wrote of the last turns. */
const thinking: readonly (readonly [BodyProtocol, (part: Json) => JsonObject])[] = [
  ["anthropic-messages", (part) => ({ thinking: { type: "enabled" }, messages: [{ role: "user", content: [part] }] })],
  [chat, (part) => ({ reasoning_effort: "high", messages: [{ role: "user", content: [part] }] })],
  [responses, (part) => ({ reasoning: { effort: "high" }, input: [{ role: "user", content: [part] }] })],
  [gemini, (part) => ({ generationConfig: { thinkingConfig: {} }, contents: [{ role: "user", parts: [part] }] })],
];

test.each(thinking)("a part of %s that is no object is mended or refused", (id, bodyOf) => {
  for (const part of [null, 1, "text", [], true]) {
    for (const mend of [{}, { mend: true } as const]) {
      const body = JSON.stringify({ model: "m", ...bodyOf(part) });
      try {
        converterOf(id, id).convertRequest(body, mend);
      } catch (error) {
        expect(error).toBeInstanceOf(RolecallError);
      }
    }
  }
});
