import type { StatedError } from "../../codec/errors/envelope.ts";
import { createProviderError, errorObject, headerReader, statedAtTop } from "../../codec/errors/envelope.ts";
import type { Encoded, WireError } from "../../codec/protocol.ts";
import { entryOf } from "../../codec/table.ts";
import type { ProviderError, ProviderErrorKind } from "../../errors/index.ts";
import type { Exchange, Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { LossDraft } from "../../loss/index.ts";

/** https://ai.google.dev/gemini-api/docs/troubleshooting, https://cloud.google.com/apis/design/errors */
const kinds: { readonly [status: string]: ProviderErrorKind } = {
  INVALID_ARGUMENT: "invalid_request",
  FAILED_PRECONDITION: "invalid_request",
  OUT_OF_RANGE: "invalid_request",
  UNAUTHENTICATED: "authentication",
  PERMISSION_DENIED: "permission",
  NOT_FOUND: "not_found",
  ALREADY_EXISTS: "invalid_request",
  RESOURCE_EXHAUSTED: "rate_limit",
  ABORTED: "server",
  CANCELLED: "timeout",
  DEADLINE_EXCEEDED: "timeout",
  UNIMPLEMENTED: "invalid_request",
  UNAVAILABLE: "overloaded",
  INTERNAL: "server",
  UNKNOWN: "server",
  DATA_LOSS: "server",
};

const written: { readonly [K in ProviderErrorKind]: { readonly status: string; readonly code: number } } = {
  invalid_request: { status: "INVALID_ARGUMENT", code: 400 },
  authentication: { status: "UNAUTHENTICATED", code: 401 },
  permission: { status: "PERMISSION_DENIED", code: 403 },
  not_found: { status: "NOT_FOUND", code: 404 },
  rate_limit: { status: "RESOURCE_EXHAUSTED", code: 429 },
  overloaded: { status: "UNAVAILABLE", code: 503 },
  context_length: { status: "INVALID_ARGUMENT", code: 400 },
  content_filter: { status: "INVALID_ARGUMENT", code: 400 },
  billing: { status: "FAILED_PRECONDITION", code: 400 },
  server: { status: "INTERNAL", code: 500 },
  timeout: { status: "DEADLINE_EXCEEDED", code: 504 },
  unknown: { status: "UNKNOWN", code: 500 },
};

export function decodeError(
  status: number,
  headers: { readonly [name: string]: string | undefined },
  body: unknown,
): ProviderError {
  const header = headerReader(headers);
  const error = errorObject(body)?.value;
  const type = typeof error?.["status"] === "string" ? error["status"] : undefined;
  const wait = error === undefined ? undefined : retryDelay(error);
  const isTold = header("retry-after") !== undefined;
  const delayed = (name: string): string | undefined =>
    header(name) ?? (name === "retry-after-ms" && wait !== undefined && !isTold ? String(wait) : undefined);
  return createProviderError(
    { status, body, header: delayed },
    {
      message: error?.["message"],
      kind: type === undefined ? undefined : entryOf(kinds, type),
      requestId: header("x-request-id"),
      type,
    },
  );
}

/** Milliseconds of a `RetryInfo` among the details, which says seconds as in "12.5s". */
function retryDelay({ details }: JsonObject): number | undefined {
  for (const detail of Array.isArray(details) ? (details as readonly Json[]) : []) {
    if (!isJsonObject(detail) || typeof detail["retryDelay"] !== "string") continue;
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(detail["retryDelay"])?.[1];
    if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  }
  return undefined;
}

/** The error that an answer, or a chunk of one, states at its top. */
export function findError(answer: Json): StatedError | undefined {
  return isJsonObject(answer) && !("candidates" in answer) ? statedAtTop(answer) : undefined;
}

/** The error of an answer, or of a chunk, as the codec of error bodies reads it. */
export function readStated({ body, status = 0 }: StatedError): ProviderError {
  return decodeError(status, {}, body);
}

export function encodeError(error: ProviderError, _exchange?: Exchange): Encoded<WireError> {
  const { kind, requestId, status, type, providerCode, param, retryAfterMs: wait, raw } = error.details;
  const own =
    isJsonObject(raw) &&
    isJsonObject(raw["error"]) &&
    typeof raw["error"]["code"] === "number" &&
    typeof raw["error"]["status"] === "string";
  const word = written[kind];
  const losses: LossDraft[] = [];
  if (!own) {
    for (const [field, value] of [
      ["param", param],
      ["providerCode", providerCode],
    ] as const) {
      if (value !== undefined)
        losses.push({ code: "error.field", stage: "encode", node: error, field, values: { to: protocol } });
    }
  }
  const known = type !== undefined && entryOf(kinds, type) === kind;
  const code = known || own ? (status ?? word.code) : word.code;
  return {
    value: {
      status: code,
      headers: {
        ...(requestId !== undefined && { "x-request-id": requestId }),
        ...(wait !== undefined && { "retry-after": String(Math.ceil(wait / 1000)) }),
      },
      body: own ? (raw as Json) : { error: { code, message: error.message, status: known ? type : word.status } },
    },
    losses,
  };
}

const protocol = "gemini-generate-content";
