import type { ProtocolId, ProviderErrorKind } from "@rolecall/core";
import { convertError, DecodeError, LossError, ProviderError, RolecallError, UnsupportedError } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { readCorpus } from "../bodies/bodies.ts";
import { pairs, protocolOf, protocols } from "../protocols.ts";

const chat = protocolOf("openai-chat");
const anthropic = protocolOf("anthropic-messages");
const chatBody = (type: string, code: string | null, message = "no"): object => ({
  error: { message, type, param: null, code },
});
const geminiBody = (status: string, message = "no"): object => ({ error: { code: 0, message, status } });
const anthropicBody = (type: string, message = "no"): object => ({ type: "error", error: { type, message } });

describe("an error of Chat Completions", () => {
  test.each<[status: number, body: unknown, kind: ProviderErrorKind, why: string]>([
    [400, chatBody("invalid_request_error", null), "invalid_request", "its type"],
    [400, chatBody("invalid_request_error", "context_length_exceeded"), "context_length", "its code"],
    [400, chatBody("invalid_request_error", null, "prompt is too long"), "context_length", "its words"],
    [401, chatBody("invalid_request_error", "invalid_api_key"), "authentication", "its code"],
    [
      401,
      chatBody("authentication_error", "invalid_request_error"),
      "authentication",
      "its type: the code says nothing",
    ],
    [403, chatBody("invalid_request_error", null), "permission", "its status: the type says nothing"],
    [404, chatBody("invalid_request_error", "model_not_found"), "not_found", "its code"],
    [429, chatBody("requests", "rate_limit_exceeded"), "rate_limit", "its code"],
    [429, chatBody("insufficient_quota", "insufficient_quota"), "billing", "its code: waiting does not help"],
    [500, chatBody("server_error", null), "server", "its type"],
    [503, "<html>busy</html>", "overloaded", "its status: a proxy answered"],
    [504, undefined, "timeout", "its status: there is no body"],
    [418, { detail: "teapot" }, "invalid_request", "the class of its status"],
    [400, { error: "plain words" }, "invalid_request", "its status: the envelope is a text"],
    [400, chatBody("constructor", "__proto__"), "invalid_request", "its status: its words are no words"],
  ])("%i %j is %s by %s", (status, body, kind) => {
    expect(chat.decodeError(status, {}, body).kind).toBe(kind);
  });
});

describe("an error of the Messages API", () => {
  test.each<[status: number, body: unknown, kind: ProviderErrorKind]>([
    [400, anthropicBody("invalid_request_error"), "invalid_request"],
    [400, anthropicBody("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"), "context_length"],
    [401, anthropicBody("authentication_error"), "authentication"],
    [402, anthropicBody("billing_error"), "billing"],
    [403, anthropicBody("permission_error"), "permission"],
    [404, anthropicBody("not_found_error"), "not_found"],
    [413, anthropicBody("request_too_large"), "invalid_request"],
    [429, anthropicBody("rate_limit_error"), "rate_limit"],
    [500, anthropicBody("api_error"), "server"],
    [529, anthropicBody("overloaded_error"), "overloaded"],
    [529, anthropicBody("a_new_error"), "overloaded"],
  ])("%i %j is %s", (status, body, kind) => {
    expect(anthropic.decodeError(status, {}, body).kind).toBe(kind);
  });
});

describe("an error of generateContent", () => {
  const gemini = protocolOf("gemini-generate-content");

  test.each<[status: number, word: string, kind: ProviderErrorKind]>([
    [400, "INVALID_ARGUMENT", "invalid_request"],
    [400, "FAILED_PRECONDITION", "invalid_request"],
    [401, "UNAUTHENTICATED", "authentication"],
    [403, "PERMISSION_DENIED", "permission"],
    [404, "NOT_FOUND", "not_found"],
    [429, "RESOURCE_EXHAUSTED", "rate_limit"],
    [500, "INTERNAL", "server"],
    [503, "UNAVAILABLE", "overloaded"],
    [504, "DEADLINE_EXCEEDED", "timeout"],
    [503, "A_NEW_WORD", "overloaded"],
  ])("%i %s is %s", (status, word, kind) => {
    expect(gemini.decodeError(status, {}, geminiBody(word)).kind).toBe(kind);
  });

  test("tells among its details how long to wait, unless a header does", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12.5s" }];
    const body = { error: { code: 429, message: "no", status: "RESOURCE_EXHAUSTED", details } };
    expect(gemini.decodeError(429, {}, body).details.retryAfterMs).toBe(12_500);
    expect(gemini.decodeError(429, { "retry-after": "3" }, body).details.retryAfterMs).toBe(3000);
  });
});

test("only what may pass by itself is worth another try", () => {
  const kinds = [400, 401, 402, 403, 404, 408, 429, 500, 503].filter(
    (status) => chat.decodeError(status, {}, undefined).retryable,
  );
  expect(kinds).toEqual([408, 429, 500, 503]);
});

describe("how long to wait", () => {
  test.each([
    [{ "retry-after": "20" }, 20_000],
    [{ "Retry-After": "1.5" }, 1500],
    [{ "retry-after-ms": "120", "retry-after": "1" }, 120],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("%j: %s ms", (headers, wait) => {
    for (const protocol of protocols) {
      expect(protocol.decodeError(429, headers, undefined).details.retryAfterMs).toBe(wait);
    }
  });
});

function bodyOf(protocol: ProtocolId, type: string): object {
  if (protocol === "openai-chat") return chatBody(type, null, "Slow down");
  if (protocol === "anthropic-messages") return anthropicBody(type, "Slow down");
  return geminiBody(type === "overloaded_error" ? "UNAVAILABLE" : "RESOURCE_EXHAUSTED", "Slow down");
}

describe.each(pairs.map(([source, to]) => ({ name: `${source.id} for a client of ${to.id}`, source, to })))(
  "$name",
  ({ source, to }) => {
    const input = (status: number, type: string) => ({
      status,
      headers: { "retry-after": "7", "request-id": "req_1", "x-request-id": "req_1" },
      body: bodyOf(source.id, type),
    });

    test("keeps message, status, wait and request id", async () => {
      const { value } = await convertError(input(429, "rate_limit_error"), { from: source.id, to: to.id });
      const error = to.decodeError(value.status, value.headers, value.body);
      expect(error.message).toBe("Slow down");
      expect(error.details).toMatchObject({ status: 429, kind: "rate_limit", retryAfterMs: 7000, requestId: "req_1" });
    });

    test("speaks the target's words", async () => {
      const { value } = await convertError(input(503, "overloaded_error"), { from: source.id, to: to.id });
      expect(to.decodeError(value.status, value.headers, value.body).kind).toBe("overloaded");
    });
  },
);

test("an error goes back to its own clients as it came", async () => {
  const body = { error: { message: "no", type: "odd", param: "tools[0]", code: 7, extra: true } };
  const { value, losses } = await convertError({ status: 418, body }, { from: "openai-chat", to: "openai-chat" });
  expect(value).toMatchObject({ status: 418, body });
  expect(losses).toEqual([]);
});

test("what the other envelope has no field for is reported", async () => {
  const body = { error: { message: "no", type: "invalid_request_error", param: "tools", code: "bad" } };
  const { losses } = await convertError({ status: 400, body }, { from: "openai-chat", to: "anthropic-messages" });
  expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "error.field /body/error/param",
    "error.field /body/error/code",
  ]);
});

test("every error of Rolecall has a mark, a code and its own name", () => {
  const errors = [
    new DecodeError("/messages", "no"),
    new UnsupportedError("media", "", "no", ["media: drop"]),
    new LossError([]),
    new ProviderError("no", { kind: "server", retryable: true }),
  ];
  for (const error of errors) {
    expect(error).toBeInstanceOf(RolecallError);
    expect(error.isRolecallError).toBe(true);
  }
  expect(errors.map(({ name, code }) => [name, code])).toEqual([
    ["DecodeError", "decode"],
    ["UnsupportedError", "unsupported"],
    ["LossError", "loss"],
    ["ProviderError", "provider"],
  ]);
});

describeWithCorpus("recorded errors", (folder) => {
  const { errors } = readCorpus(folder);
  /** What a service may mean by a status. */
  const sensible: { readonly [status: number]: readonly ProviderErrorKind[] } = {
    400: ["invalid_request", "context_length", "content_filter"],
    401: ["authentication"],
    404: ["not_found"],
    429: ["rate_limit", "billing"],
  };
  const decode = (protocol: ProtocolId, status: number, headers: object, body: unknown) =>
    protocolOf(protocol).decodeError(status, headers as { [name: string]: string }, body);

  test(`all ${errors.length} have a sensible kind and a message of the service`, () => {
    const odd = errors.filter(({ protocol, status, headers, body }) => {
      const error = decode(protocol, status, headers, body);
      return sensible[status]?.includes(error.kind) !== true || /no message$/.test(error.message);
    });
    expect(odd.map(({ path, status }) => `${status} ${path}`)).toEqual([]);
  });

  test.each(pairs.map(([source, to]) => ({ name: `${source.id} to ${to.id}`, source, to })))(
    "$name keeps kind, status, message and wait",
    async ({ source, to }) => {
      for (const { protocol, status, headers, body } of errors) {
        if (protocol !== source.id) continue;
        const before = decode(protocol, status, headers, body);
        const input = { status, headers: { ...headers, "retry-after": "3" }, body };
        const { value } = await convertError(input, { from: source.id, to: to.id });
        const after = to.decodeError(value.status, value.headers, value.body);
        expect({
          kind: after.kind,
          status: after.status,
          message: after.message,
          wait: after.details.retryAfterMs,
        }).toEqual({
          kind: before.kind,
          status,
          message: before.message,
          wait: 3000,
        });
      }
    },
  );
});
