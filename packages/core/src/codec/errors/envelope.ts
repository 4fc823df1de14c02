import type { ProviderErrorDetails, ProviderErrorKind } from "../../errors/index.ts";
import { ProviderError } from "../../errors/index.ts";
import type { Json, JsonObject, Pointer } from "../../ir/index.ts";
import { escapeSegment, isJsonObject } from "../../ir/index.ts";
import type { LossDraft } from "../../loss/index.ts";
import type { WireError } from "../protocol.ts";
import { scalarText } from "../table.ts";

/** Looks headers up without regard to case. */
export function headerReader(headers: {
  readonly [name: string]: string | undefined;
}): (name: string) => string | undefined {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => lower.get(name);
}

/** Milliseconds to wait: `retry-after-ms`, or `retry-after` in seconds. A date is left to the transport, which has a clock. */
function retryAfterMs(header: (name: string) => string | undefined): number | undefined {
  const exact = Number(header("retry-after-ms"));
  if (Number.isFinite(exact) && exact >= 0 && header("retry-after-ms") !== undefined) return exact;
  const text = header("retry-after");
  const seconds = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isFinite(seconds) && seconds >= 0
    ? seconds * 1000
    : undefined;
}

/** The object of an error body that holds its words, and where it stands. */
export interface ErrorObject {
  readonly value: JsonObject;
  readonly at: Pointer;
}

/**
 * The error object of a body: below `error`, or the body itself (vLLM), or in the only entry of a list (Gemini, where it speaks as
 * another protocol).
 */
export function errorObject(body: unknown, at: Pointer = ""): ErrorObject | undefined {
  if (Array.isArray(body)) return body.length === 1 && at === "" ? errorObject(body[0], "/0") : undefined;
  if (!isJsonObject(body)) return undefined;
  if (isJsonObject(body["error"])) return { value: body["error"], at: `${at}/error` };
  return typeof body["message"] === "string" ? { value: body, at } : undefined;
}

/** An error that an answer states although its status, or its place in a stream, says that all is well. */
export interface StatedError {
  /** As a body of its own. */
  readonly body: JsonObject;
  /** Where it stands in the answer. */
  readonly at: Pointer;
  /** The HTTP status that it names. */
  readonly status?: number;
}

/** The error that an answer states at its top: below `error`, or as an error body of vLLM or Anthropic. */
export function statedAtTop(answer: JsonObject): StatedError | undefined {
  const { error } = answer;
  // Beside an answer the error stands alone: what else was said is none of its words.
  if (isStated(error)) return stated("choices" in answer || "content" in answer ? { error } : answer, "/error");
  return answer["object"] === "error" || answer["type"] === "error" ? stated(answer, "") : undefined;
}

/** The error that something below an answer states under its own `error`. */
export function statedBelow(value: JsonObject, at: Pointer): StatedError | undefined {
  return isStated(value["error"]) ? stated({ error: value["error"] }, `${at}/error`) : undefined;
}

/** Servers fill the field in where nothing failed, too. */
function isStated(error: Json | undefined): error is Json {
  const says = (value: Json | undefined): boolean =>
    value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
  return typeof error === "object" && error !== null ? Object.values(error).some(says) : says(error);
}

function stated(body: JsonObject, at: Pointer): StatedError {
  const error = errorObject(body)?.value ?? body;
  for (const key of ["code", "status", "status_code"]) {
    const value = error[key];
    const number = typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;
    if (Number.isInteger(number) && number >= 400 && number < 600) return { body, at, status: number };
  }
  return { body, at };
}

/** The words of a service, whatever envelope they came in. */
function errorMessage(stated: unknown, body: unknown, status: number): string {
  if (typeof stated === "string" && stated !== "") return stated;
  if (typeof body === "string" && body.trim() !== "") return body.trim().slice(0, 500);
  if (isJsonObject(body)) {
    for (const key of ["message", "error", "detail"]) if (typeof body[key] === "string") return body[key];
    const reasons = (Array.isArray(body["detail"]) ? body["detail"] : [body["detail"]]).map(detailText);
    const known = reasons.filter((reason) => reason !== undefined);
    if (known.length > 0) return known.join("; ");
  }
  return `the service answered with status ${status} and no message`;
}

/** One reason of a server that is made with FastAPI: `{loc: ["body", "model"], msg}`, or the words alone. */
function detailText(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  if (!isJsonObject(detail)) return undefined;
  const text = detail["msg"] ?? detail["message"];
  if (typeof text !== "string") return undefined;
  const place = Array.isArray(detail["loc"]) ? (detail["loc"] as readonly Json[]).map(scalarText).join(".") : "";
  return place === "" ? text : `${place}: ${text}`;
}

const byStatus: { readonly [status: number]: ProviderErrorKind } = {
  400: "invalid_request",
  401: "authentication",
  402: "billing",
  403: "permission",
  404: "not_found",
  408: "timeout",
  409: "invalid_request",
  413: "invalid_request",
  415: "invalid_request",
  422: "invalid_request",
  429: "rate_limit",
  499: "timeout",
  503: "overloaded",
  504: "timeout",
  529: "overloaded",
};

/**
 * The kind of an error: the service's own word first, then the status. The two kinds that services hide in invalid requests are told by
 * their documented words.
 */
function errorKind(stated: ProviderErrorKind | undefined, status: number, message: string): ProviderErrorKind {
  const kind = stated ?? byStatus[status] ?? (status >= 500 ? "server" : status >= 400 ? "invalid_request" : "unknown");
  if (kind !== "invalid_request") return kind;
  if (/prompt is too long|context[_ ](?:length|window)|maximum context|too many tokens/i.test(message))
    return "context_length";
  return kind;
}

/** The error of an answer: kind and wait as far as they can be told, and the service's own words. */
export function createProviderError(
  answer: { readonly status: number; readonly body: unknown; readonly header: (name: string) => string | undefined },
  stated: {
    readonly message: unknown;
    readonly kind: ProviderErrorKind | undefined;
    readonly requestId: string | undefined;
    readonly type: string | undefined;
    readonly providerCode?: string | undefined;
    readonly param?: string | undefined;
  },
): ProviderError {
  const { status, body, header } = answer;
  const message = errorMessage(stated.message, body, status);
  const kind = errorKind(stated.kind, status, message);
  const wait = retryAfterMs(header);
  const details: ProviderErrorDetails = {
    status,
    kind,
    retryable: kind === "rate_limit" || kind === "overloaded" || kind === "server" || kind === "timeout",
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(stated.requestId !== undefined && { requestId: stated.requestId }),
    ...(stated.type !== undefined && { type: stated.type }),
    ...(stated.providerCode !== undefined && { providerCode: stated.providerCode }),
    ...(stated.param !== undefined && { param: stated.param }),
    ...(body !== undefined && { raw: body as Json }),
  };
  return new ProviderError(message, details);
}

/** Every leaf of an error body that the sent one does not state. `placeOf` says where a pointer of the body stands in the source. */
export function errorBodyLosses(
  body: Json,
  message: string,
  sent: Pick<WireError, "body" | "headers">,
  placeOf: (pointer: Pointer) => Pointer,
): LossDraft[] {
  const losses: LossDraft[] = [];
  const found = errorObject(body);
  const envelope = isJsonObject(sent.body) ? sent.body : {};
  const written = isJsonObject(envelope["error"]) ? envelope["error"] : {};
  const fieldOf = (pointer: Pointer): string | undefined =>
    found !== undefined && pointer.startsWith(`${found.at}/`) ? pointer.slice(found.at.length + 1) : undefined;
  const isTold = (value: Json, pointer: Pointer): boolean => {
    if (value === message || (typeof value === "string" && pointer === "" && value.trim() === message)) return true;
    if (/^\/detail\/(?:\d+\/)?(?:msg|message|loc\/\d+)$/.test(pointer)) return message.includes(String(value));
    if (isConstant(value, pointer)) return true;
    if (pointer === "/request_id") {
      return envelope["request_id"] === value || Object.values(sent.headers).some((text) => text === value);
    }
    const field = fieldOf(pointer);
    return field !== undefined && Object.hasOwn(written, field) && written[field] === value;
  };
  const visit = (value: Json | undefined, pointer: Pointer): void => {
    if (value === undefined || value === null || value === "") return;
    if (typeof value === "object") {
      for (const [key, item] of Object.entries(value)) visit(item as Json, `${pointer}/${escapeSegment(key)}`);
    } else if (!isTold(value, pointer)) {
      const code = fieldOf(pointer) === "type" ? "error.rewritten" : "error.field";
      losses.push({ code, stage: "encode", path: placeOf(pointer) });
    }
  };
  visit(body, "");
  return losses;
}

/** What every error of some service says, and the number of an event. */
const isConstant = (value: Json, pointer: Pointer): boolean =>
  (value === "error" && (pointer === "/type" || pointer === "/object")) || pointer === "/sequence_number";
