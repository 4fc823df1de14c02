import type { ProtocolId } from "@rolecall/core";
import { convertError } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const chat = "openai-chat";
const anthropic = "anthropic-messages";

interface Case {
  readonly name: string;
  readonly from: ProtocolId;
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body: unknown;
  readonly message: string;
  readonly losses: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "reasons of FastAPI become the message",
    from: chat,
    status: 422,
    body: { detail: [{ type: "missing", loc: ["body", "model"], msg: "Field required" }, { msg: "and more" }] },
    message: "body.model: Field required; and more",
    losses: ["error.rewritten /status", "error.field /body/detail/0/type"],
  },
  {
    name: "metadata and a code that is a number",
    from: chat,
    status: 502,
    body: { error: { message: "Provider returned error", code: 502, metadata: { raw: "the reason" } } },
    message: "Provider returned error",
    losses: ["error.field /body/error/code", "error.field /body/error/metadata/raw", "error.rewritten /status"],
  },
  {
    name: "an error without an envelope",
    from: chat,
    status: 400,
    body: { object: "error", message: "m", type: "BadRequest", param: "p", code: 400 },
    message: "m",
    losses: ["error.field /body/param", "error.rewritten /body/type", "error.field /body/code"],
  },
  {
    name: "an error in a list",
    from: chat,
    status: 400,
    body: [{ error: { message: "m", code: 400, status: "INVALID_ARGUMENT" } }],
    message: "m",
    losses: ["error.field /body/0/error/code", "error.field /body/0/error/status"],
  },
  {
    name: "details, headers and the status of an overload",
    from: anthropic,
    status: 529,
    headers: { "anthropic-ratelimit-tokens-reset": "t", "Request-Id": "r", "content-length": "9", "retry-after": "7" },
    body: { type: "error", error: { type: "overloaded_error", message: "m", details: { why: "x" } }, request_id: "r" },
    message: "m",
    losses: [
      "error.field /body/error/details/why",
      "error.header /headers/anthropic-ratelimit-tokens-reset",
      "error.rewritten /status",
    ],
  },
  {
    name: "a time to wait that is a date",
    from: anthropic,
    status: 429,
    headers: { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" },
    body: { type: "error", error: { type: "rate_limit_error", message: "m" } },
    message: "m",
    losses: ["error.header /headers/retry-after"],
  },
];

describe("what an error says is carried or reported", () => {
  test.each(cases)("$name", async ({ from, status, headers = {}, body, message, losses }) => {
    const to = from === chat ? anthropic : chat;
    const converted = await convertError({ status, headers, body }, { from, to });
    expect(converted.value.body).toMatchObject({ error: { message } });
    expect(converted.losses.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([...losses].sort());
  });

  test.each(cases)("within one protocol: $name", async ({ from, status, headers = {}, body }) => {
    const { value, losses } = await convertError({ status, headers, body }, { from, to: from });
    const { "content-length": _length, ...kept } = headers;
    expect({ value, losses }).toEqual({ value: { status, headers: kept, body }, losses: [] });
  });

  test.each(cases)("as text or bytes: $name", async ({ from, status, headers = {}, body }) => {
    const to = from === chat ? anthropic : chat;
    const expected = await convertError({ status, headers, body }, { from, to });
    const text = JSON.stringify(body);
    expect(await convertError({ status, headers, body: text }, { from, to })).toEqual(expected);
    expect(await convertError({ status, headers, body: new TextEncoder().encode(text) }, { from, to })).toEqual(
      expected,
    );
  });
});

test("a page of a proxy is the message, and its cut is reported", async () => {
  const options = { from: chat, to: anthropic } as const;
  const short = await convertError({ status: 529, body: " <html>busy</html>\n" }, options);
  expect(short).toMatchObject({ value: { body: { error: { message: "<html>busy</html>" } } }, losses: [] });
  const long = await convertError({ status: 529, body: "x".repeat(501) }, options);
  expect(long.losses).toMatchObject([{ code: "error.field", path: "/body" }]);
});

test("a number in the text of an error that no double holds is reported", async () => {
  const body = '{"error":{"message":"m","type":"invalid_request_error","id":12345678901234567890}}';
  const { losses } = await convertError({ status: 400, body }, { from: chat, to: chat });
  expect(losses).toMatchObject([{ code: "field.precision", path: "/body/error/id" }]);
});
