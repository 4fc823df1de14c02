import type { StatedError } from "../../codec/errors/envelope.ts";
import { createProviderError, errorObject, headerReader, statedAtTop } from "../../codec/errors/envelope.ts";
import type { Encoded, WireError } from "../../codec/protocol.ts";
import { entryOf } from "../../codec/table.ts";
import type { ProviderError, ProviderErrorKind } from "../../errors/index.ts";
import type { Exchange, Json } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { LossDraft } from "../../loss/index.ts";

/** https://platform.claude.com/docs/en/api/errors */
const kinds: { readonly [type: string]: ProviderErrorKind } = {
  invalid_request_error: "invalid_request",
  authentication_error: "authentication",
  billing_error: "billing",
  permission_error: "permission",
  not_found_error: "not_found",
  request_too_large: "invalid_request",
  rate_limit_error: "rate_limit",
  timeout_error: "timeout",
  api_error: "server",
  overloaded_error: "overloaded",
};

const written: { readonly [K in ProviderErrorKind]: { readonly type: string; readonly status: number } } = {
  invalid_request: { type: "invalid_request_error", status: 400 },
  authentication: { type: "authentication_error", status: 401 },
  permission: { type: "permission_error", status: 403 },
  not_found: { type: "not_found_error", status: 404 },
  rate_limit: { type: "rate_limit_error", status: 429 },
  overloaded: { type: "overloaded_error", status: 529 },
  context_length: { type: "invalid_request_error", status: 400 },
  content_filter: { type: "invalid_request_error", status: 400 },
  billing: { type: "billing_error", status: 402 },
  server: { type: "api_error", status: 500 },
  timeout: { type: "timeout_error", status: 408 },
  unknown: { type: "api_error", status: 500 },
};

export function decodeError(
  status: number,
  headers: { readonly [name: string]: string | undefined },
  body: unknown,
): ProviderError {
  const header = headerReader(headers);
  const error = errorObject(body)?.value;
  const type = typeof error?.["type"] === "string" ? error["type"] : undefined;
  return createProviderError(
    { status, body, header },
    {
      message: error?.["message"],
      kind: type === undefined ? undefined : entryOf(kinds, type),
      requestId:
        isJsonObject(body) && typeof body["request_id"] === "string" ? body["request_id"] : header("request-id"),
      type,
    },
  );
}

/** The error that an answer, or an event of one, states at its top. */
export function findError(answer: Json): StatedError | undefined {
  return isJsonObject(answer) ? statedAtTop(answer) : undefined;
}

/** The error of an answer, or of an event, as the codec of error bodies reads it. */
export function readStated({ body, status = 0 }: StatedError): ProviderError {
  return decodeError(status, {}, body);
}

export function encodeError(error: ProviderError, _exchange?: Exchange): Encoded<WireError> {
  const { kind, requestId, status, type, providerCode, param, retryAfterMs: wait, raw } = error.details;
  const own = isJsonObject(raw) && raw["type"] === "error" && isJsonObject(raw["error"]);
  const word = written[kind];
  const losses: LossDraft[] = [];
  if (!own) {
    for (const [field, value] of [
      ["param", param],
      ["providerCode", providerCode],
    ] as const) {
      if (value !== undefined)
        losses.push({ code: "error.field", stage: "encode", node: error, field, values: { to: "anthropic-messages" } });
    }
  }
  const known = type !== undefined && entryOf(kinds, type) === kind;
  return {
    value: {
      status: known || own ? (status ?? word.status) : word.status,
      headers: { ...(requestId !== undefined && { "request-id": requestId }), ...retryHeader(wait) },
      body: own
        ? (raw as Json)
        : {
            type: "error",
            error: { type: known ? type : word.type, message: error.message },
            ...(requestId !== undefined && { request_id: requestId }),
          },
    },
    losses,
  };
}

function retryHeader(wait: number | undefined): { readonly [name: string]: string } {
  return wait === undefined ? {} : { "retry-after": String(Math.ceil(wait / 1000)) };
}
