import type { ProtocolId } from "@rolecall/core";
import { createSseParser } from "@rolecall/core";
import type { Received } from "../service.ts";
import { anthropicCall, anthropicEvents, anthropicText, chatCall, chatEvents, chatText } from "../service.ts";
import { geminiCall, geminiEvents, geminiText } from "./gemini.ts";
import { responsesCall, responsesEvents, responsesText } from "./responses.ts";

/** What a service may say in place of an answer. */
export type Refusal = "authentication" | "not_found" | "rate_limit" | "overloaded" | "server" | "invalid_request";

/** Everything in which the families differ that the tests of all of them need. */
export interface TestFamily {
  readonly protocol: ProtocolId;
  /** Where clients ask. */
  path(stream?: boolean): string;
  /** Where a service is asked. */
  readonly asked: RegExp;
  /** A question. `model` stands in the path where the protocol has it there. */
  body(text: string, stream?: boolean): Record<string, unknown>;
  /** Answers of a service. */
  text(text: string): object;
  call(name: string, args: unknown, before?: string): object;
  events(answer: object): string[];
  refusal(kind: Refusal, message: string): { readonly status: number; readonly body: object };
  /** The words that clients may be told for a kind of error: some families have none of their own for each. */
  kinds(kind: Refusal): readonly unknown[];
  /** Where the kind of an error stands in its envelope. */
  kindOf(error: { readonly [key: string]: unknown }): unknown;
  /** The header that brings a key to a service, and its value. */
  keyHeader(key: string): readonly [string, string];
  /** Whether a stream that a client read has its end. */
  readonly end: RegExp;
  /** What the pieces of a stream say. */
  readonly piece: RegExp;
}

const statuses = {
  authentication: 401,
  not_found: 404,
  rate_limit: 429,
  overloaded: 503,
  server: 500,
  invalid_request: 400,
} as const;

const chatWords = {
  authentication: "invalid_request_error",
  not_found: "invalid_request_error",
  rate_limit: "rate_limit_error",
  overloaded: "server_error",
  server: "server_error",
  invalid_request: "invalid_request_error",
} as const;

const anthropicWords = {
  authentication: "authentication_error",
  not_found: "not_found_error",
  rate_limit: "rate_limit_error",
  overloaded: "overloaded_error",
  server: "api_error",
  invalid_request: "invalid_request_error",
} as const;

const geminiWords = {
  authentication: "UNAUTHENTICATED",
  not_found: "NOT_FOUND",
  rate_limit: "RESOURCE_EXHAUSTED",
  overloaded: "UNAVAILABLE",
  server: "INTERNAL",
  invalid_request: "INVALID_ARGUMENT",
} as const;

export const families: readonly TestFamily[] = [
  {
    protocol: "openai-chat",
    path: () => "/v1/chat/completions",
    asked: /^\/v1\/chat\/completions$/,
    body: (text, stream) => ({
      model: "m",
      max_tokens: 50,
      messages: [{ role: "user", content: text }],
      ...(stream !== undefined && { stream }),
    }),
    text: (text) => chatText(text),
    call(name, args, before) {
      const { choices, ...answer } = chatCall(name, args);
      const [choice] = choices;
      return { ...answer, choices: [{ ...choice, message: { ...choice?.message, content: before ?? null } }] };
    },
    events: (answer) => chatEvents(answer as ReturnType<typeof chatText>),
    refusal: (kind, message) => ({
      status: statuses[kind],
      body: { error: { message, type: chatWords[kind], param: null, code: null } },
    }),
    // Its services may use any word.
    kinds: (kind) => [chatWords[kind], anthropicWords[kind], "invalid_request_error"],
    kindOf: (error) => error["type"],
    keyHeader: (key) => ["authorization", `Bearer ${key}`],
    end: /\[DONE\]|"finish_reason":"/,
    piece: /"content":"([^"]*)"/g,
  },
  {
    protocol: "openai-responses",
    path: () => "/v1/responses",
    asked: /^\/v1\/responses$/,
    body: (text, stream) => ({
      model: "m",
      max_output_tokens: 50,
      input: [{ role: "user", content: text }],
      ...(stream !== undefined && { stream }),
    }),
    text: (text) => responsesText(text),
    call: (name, args, before) => responsesCall(name, args, before),
    events: (answer) => responsesEvents(answer as ReturnType<typeof responsesText>),
    refusal: (kind, message) => ({
      status: statuses[kind],
      body: { error: { message, type: chatWords[kind], param: null, code: null } },
    }),
    kinds: (kind) => [chatWords[kind], anthropicWords[kind], "invalid_request_error"],
    kindOf: (error) => error["type"],
    keyHeader: (key) => ["authorization", `Bearer ${key}`],
    end: /response\.(?:completed|incomplete)/,
    piece: /"type":"response\.output_text\.delta"[^\n]*?"delta":"([^"]*)"/g,
  },
  {
    protocol: "anthropic-messages",
    path: () => "/v1/messages",
    asked: /^\/v1\/messages(?:\?beta=true)?$/,
    body: (text, stream) => ({
      model: "m",
      max_tokens: 50,
      messages: [{ role: "user", content: text }],
      ...(stream !== undefined && { stream }),
    }),
    text: (text) => anthropicText(text),
    call(name, args, before) {
      const { content, ...answer } = anthropicCall(name, args);
      return { ...answer, content: before === undefined ? content : [{ type: "text", text: before }, ...content] };
    },
    events: (answer) => anthropicEvents(answer as ReturnType<typeof anthropicText>),
    refusal: (kind, message) => ({
      status: kind === "overloaded" ? 529 : statuses[kind],
      body: { type: "error", error: { type: anthropicWords[kind], message }, request_id: "req_1" },
    }),
    kinds: (kind) => [anthropicWords[kind]],
    kindOf: (error) => error["type"],
    keyHeader: (key) => ["authorization", `Bearer ${key}`],
    end: /message_stop/,
    piece: /"text":"([^"]*)"/g,
  },
  {
    protocol: "gemini-generate-content",
    path: (stream) => `/v1beta/models/m:${stream === true ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    asked: /^\/v1beta\/models\/[^/]+:(?:g|streamG)enerateContent(?:\?alt=\w+)?$/,
    body: (text) => ({
      contents: [{ role: "user", parts: [{ text }] }],
      generationConfig: { maxOutputTokens: 50 },
    }),
    text: (text) => geminiText(text),
    call: (name, args, before) => geminiCall(name, args, before),
    events: (answer) => geminiEvents(answer as ReturnType<typeof geminiText>),
    refusal: (kind, message) => ({
      status: statuses[kind],
      body: { error: { code: statuses[kind], message, status: geminiWords[kind] } },
    }),
    kinds: (kind) => [geminiWords[kind]],
    kindOf: (error) => error["status"],
    keyHeader: (key) => ["x-goog-api-key", key],
    end: /"finishReason":"/,
    piece: /"text":"([^"]*)"/g,
  },
];

export function family(protocol: ProtocolId): TestFamily {
  return families.find((known) => known.protocol === protocol)!;
}

/** Every protocol of a client before every protocol of a service. */
export const pairs: readonly { readonly from: TestFamily; readonly to: TestFamily; readonly name: string }[] =
  families.flatMap((from) => families.map((to) => ({ from, to, name: `${from.protocol} → ${to.protocol}` })));

/** The family whose service was asked, and whether for a stream. */
export function askedFor({ url, body }: Received): { readonly family: TestFamily; readonly stream: boolean } {
  const found = families.find(({ asked }) => asked.test(url));
  if (found === undefined) throw new Error(`nobody asks ${url}`);
  return { family: found, stream: url.includes(":stream") || body?.stream === true };
}

/** The errors that a stream tells, and the type of its last frame. A bare one behind the frames repeats the last of them. */
export function toldIn(text: string): { readonly errors: readonly string[]; readonly last: string } {
  const parser = createSseParser();
  const frames = [...parser.push(text), ...parser.finish()];
  const read = frames.map(({ event, data }) => {
    const value = data === "[DONE]" ? {} : (JSON.parse(data) as Record<string, unknown>);
    const error = value["error"] ?? (value["type"] === "error" || event === "error" ? value : undefined);
    return { type: String(value["type"] ?? event), error: error as { readonly message: string } | undefined };
  });
  const errors = read.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
  const lasts = read.findLastIndex(({ error }) => error !== undefined);
  // A failed response of what was said follows the error.
  const isLast = lasts >= 0 && read.slice(lasts + 1).every(({ type }) => type === "response.failed");
  return { errors, last: isLast ? "error" : "other" };
}

/** What the pieces of a stream of a family say. */
export function saidIn(text: string, { piece }: TestFamily): string {
  return [...text.matchAll(piece)].map((match) => match[1]).join("");
}
