import type { ProviderError, ProviderErrorKind } from "../../errors/index.ts";
import type { Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Encoded, WireError } from "../protocol.ts";
import { entryOf } from "../table.ts";
import { createProviderError, errorObject, headerReader } from "./envelope.ts";

/**
 * https://platform.openai.com/docs/guides/error-codes, the codes of a response's `error`, and the types of Open Responses
 * (https://www.openresponses.org/specification).
 */
const kinds: { readonly [word: string]: ProviderErrorKind } = {
  invalid_request_error: "invalid_request",
  invalid_request: "invalid_request",
  invalid_prompt: "invalid_request",
  authentication_error: "authentication",
  invalid_api_key: "authentication",
  permission_error: "permission",
  not_found_error: "not_found",
  not_found: "not_found",
  model_not_found: "not_found",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  too_many_requests: "rate_limit",
  requests: "rate_limit",
  tokens: "rate_limit",
  insufficient_quota: "billing",
  billing_hard_limit_reached: "billing",
  server_error: "server",
  model_error: "server",
  api_error: "server",
  overloaded_error: "overloaded",
  engine_overloaded: "overloaded",
  server_is_overloaded: "overloaded",
  context_length_exceeded: "context_length",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  bio_policy: "content_filter",
  misalignment_policy_violation: "content_filter",
  image_content_policy_violation: "content_filter",
  vector_store_timeout: "timeout",
};

const written: {
  readonly [K in ProviderErrorKind]: { readonly type: string; readonly status: number; readonly code?: string };
} = {
  invalid_request: { type: "invalid_request_error", status: 400 },
  authentication: { type: "invalid_request_error", status: 401, code: "invalid_api_key" },
  permission: { type: "invalid_request_error", status: 403 },
  not_found: { type: "invalid_request_error", status: 404 },
  rate_limit: { type: "rate_limit_error", status: 429, code: "rate_limit_exceeded" },
  overloaded: { type: "overloaded_error", status: 503 },
  context_length: { type: "invalid_request_error", status: 400, code: "context_length_exceeded" },
  content_filter: { type: "invalid_request_error", status: 400, code: "content_filter" },
  billing: { type: "insufficient_quota", status: 429, code: "insufficient_quota" },
  server: { type: "server_error", status: 500 },
  timeout: { type: "server_error", status: 504 },
  unknown: { type: "server_error", status: 500 },
};

/** The error of an answer of OpenAI, in either of its protocols. */
export function decodeOpenAiError(
  status: number,
  headers: { readonly [name: string]: string | undefined },
  body: unknown,
): ProviderError {
  const header = headerReader(headers);
  const error = errorObject(body)?.value;
  const text = (key: string): string | undefined => {
    const value = error?.[key];
    return typeof value === "string" ? value : undefined;
  };
  // The event of a stream has its own name for a type.
  const type = text("type") === "error" ? undefined : text("type");
  const code = text("code");
  return createProviderError(
    { status, body, header },
    {
      message: error?.["message"],
      kind: specific(code, status) ?? specific(type, status),
      requestId: header("x-request-id"),
      type,
      providerCode: code,
      param: text("param"),
    },
  );
}

/** `invalid_request_error` is the type, or the code, of most refusals; the status says which. */
function specific(word: string | undefined, status: number): ProviderErrorKind | undefined {
  const kind = word === undefined ? undefined : entryOf(kinds, word);
  // A model that is not found makes some requests invalid ones.
  if (kind === "not_found" && status === 400) return undefined;
  return kind === "invalid_request" && status !== 400 && status !== 422 && status !== 0 ? undefined : kind;
}

/** An error as the APIs of Google state it: in the same envelope, with a number and a status for its words. */
function isGoogleError({ code, status, type }: JsonObject): boolean {
  return type === undefined && typeof code === "number" && typeof status === "string";
}

/** An error as OpenAI writes it, in either of its protocols. */
export function encodeOpenAiError(error: ProviderError): Encoded<WireError> {
  const { kind, requestId, status, type, providerCode, param, retryAfterMs: wait, raw } = error.details;
  const own =
    isJsonObject(raw) &&
    raw["type"] !== "error" &&
    isJsonObject(raw["error"]) &&
    typeof raw["error"]["message"] === "string" &&
    !isGoogleError(raw["error"]);
  const word = written[kind];
  const known = type !== undefined && entryOf(kinds, type) === kind;
  return {
    value: {
      status: own ? (status ?? word.status) : word.status,
      headers: {
        ...(requestId !== undefined && { "x-request-id": requestId }),
        ...(wait !== undefined && { "retry-after": String(Math.ceil(wait / 1000)), "retry-after-ms": String(wait) }),
      },
      body: own
        ? (raw as Json)
        : {
            error: {
              message: error.message,
              type: known ? type : word.type,
              param: param ?? null,
              code: providerCode ?? word.code ?? null,
            },
          },
    },
    losses: [],
  };
}
