import type { StatedError } from "../../codec/errors.ts";
import { createProviderError, errorObject, headerReader, statedAtTop, statedBelow } from "../../codec/errors.ts";
import type { Encoded, WireError } from "../../codec/protocol.ts";
import { entryOf } from "../../codec/table.ts";
import type { ProviderError, ProviderErrorKind } from "../../errors/index.ts";
import type { Exchange, Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";

/** https://platform.openai.com/docs/guides/error-codes */
const kinds: { readonly [word: string]: ProviderErrorKind } = {
  invalid_request_error: "invalid_request",
  authentication_error: "authentication",
  invalid_api_key: "authentication",
  permission_error: "permission",
  not_found_error: "not_found",
  model_not_found: "not_found",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  requests: "rate_limit",
  tokens: "rate_limit",
  insufficient_quota: "billing",
  billing_hard_limit_reached: "billing",
  server_error: "server",
  api_error: "server",
  overloaded_error: "overloaded",
  engine_overloaded: "overloaded",
  context_length_exceeded: "context_length",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
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

export function decodeError(
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
  const type = text("type");
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

/** The error of a whole answer: the one that it states, or a reason to end that says that there is one. */
export function findError(answer: Json): StatedError | undefined {
  const stated = findStated(answer);
  if (stated !== undefined || !isJsonObject(answer)) return stated;
  const [choice] = Array.isArray(answer["choices"]) ? answer["choices"] : [];
  if (!isJsonObject(choice) || choice["finish_reason"] !== "error") return undefined;
  const { native_finish_reason: native } = choice;
  const message = `the model failed: ${typeof native === "string" ? native : "error"}`;
  return { body: { error: { message, type: "server_error" } }, at: "/choices/0/finish_reason" };
}

/** The error that an answer, or a chunk of one, states: at its top, or in its first candidate (OpenRouter). */
export function findStated(answer: Json): StatedError | undefined {
  if (!isJsonObject(answer)) return undefined;
  const top = statedAtTop(answer);
  if (top !== undefined || !Array.isArray(answer["choices"])) return top;
  const { choices } = answer;
  const position = choices.findIndex((choice) => isJsonObject(choice) && (choice["index"] ?? 0) === 0);
  const choice = choices[position];
  return isJsonObject(choice) ? statedBelow(choice, `/choices/${position}`) : undefined;
}

/** The error of an answer, or of a chunk, as the codecs of error bodies read it. */
export function readStated({ body, status }: StatedError): ProviderError {
  const isRefusal = isJsonObject(body["error"]) && body["error"]["type"] === "invalid_request_error";
  return decodeError(status ?? (isRefusal ? 400 : 0), {}, body);
}

/** `invalid_request_error` is the type, or the code, of most refusals; the status says which. */
function specific(word: string | undefined, status: number): ProviderErrorKind | undefined {
  const kind = word === undefined ? undefined : entryOf(kinds, word);
  return kind === "invalid_request" && status !== 400 && status !== 422 ? undefined : kind;
}

/** An error as the APIs of Google state it: in the same envelope, with a number and a status for its words. */
function isGoogleError({ code, status, type }: JsonObject): boolean {
  return type === undefined && typeof code === "number" && typeof status === "string";
}

export function encodeError(error: ProviderError, _exchange?: Exchange): Encoded<WireError> {
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
