import type { Exchange, Json, Protocol, ProtocolId, ProviderErrorDetails, ProviderErrorKind } from "@rolecall/core";
import { checkDepth, DecodeError, isJsonObject, ProviderError, RolecallError, UnsupportedError } from "@rolecall/core";
import { familyOf } from "../families/index.ts";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { scrub, scrubJson } from "../http/secrets.ts";
import type { Sink } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import { converterOf, protocolOf } from "../protocols.ts";
import type { WholeAnswer } from "../upstream/collect.ts";
import { singleHeaders } from "../upstream/collect.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";

/** An answer that says no: in the envelope of a family, ready to be sent. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: unknown;
  readonly message: string;
}

/** What the gateway itself refuses or cannot do. */
export function createError(kind: ProviderErrorKind, message: string, status?: number): ProviderError {
  const retryable = kind === "overloaded" || kind === "server" || kind === "timeout" || kind === "rate_limit";
  const details: ProviderErrorDetails = { kind, retryable, ...(status !== undefined && { status }) };
  return new ProviderError(message, details);
}

/** The error of whatever went wrong on the way to the service or back. */
export function errorOf(thrown: unknown, stage: "request" | "answer"): ProviderError {
  if (thrown instanceof ProviderError) {
    // A stream tells its failure without a status, and it was not the gateway that failed.
    if (stage === "request") return thrown;
    const { status, ...details } = thrown.details;
    // Each family has its own number for an overloaded service.
    if (thrown.kind === "overloaded") return new ProviderError(thrown.message, details);
    const isUntold = status === undefined && (thrown.kind === "server" || thrown.kind === "unknown");
    return isUntold ? createError("server", thrown.message, 502) : thrown;
  }
  if (thrown instanceof UpstreamFailure) {
    const late = thrown.stage === "firstByte" || thrown.stage === "idle" || thrown.stage === "total";
    return createError(late ? "timeout" : "server", `the service: ${thrown.message}`, late ? 504 : 502);
  }
  if (thrown instanceof RolecallError) {
    if (stage === "answer")
      return createError("server", `the service's answer cannot be converted: ${thrown.message}`, 502);
    const path = thrown instanceof DecodeError || thrown instanceof UnsupportedError ? thrown.path : "";
    return createError("invalid_request", path === "" ? thrown.message : `${path}: ${thrown.message}`, 400);
  }
  return createError("server", "the gateway failed; this is a bug of Rolecall", 500);
}

/** The same error without keys, wherever a service put them. */
export function scrubError(error: ProviderError, secrets: readonly (string | undefined)[]): ProviderError {
  const { raw, ...details } = error.details;
  return new ProviderError(scrub(error.message, secrets), {
    ...scrubJson(details, secrets),
    ...(raw !== undefined && { raw: scrubJson(raw, secrets) }),
  });
}

/** An error in the envelope of a family. */
export async function encodeFor(family: ProtocolId, error: ProviderError): Promise<ErrorAnswer> {
  return encodeError(await protocolOf(family), error);
}

export function encodeError(protocol: Protocol, error: ProviderError): ErrorAnswer {
  const { value } = protocol.encodeError(error);
  const status = error.details.status ?? value.status;
  return {
    status,
    headers: { ...value.headers },
    body: underStatus(protocol.id, value.body, status),
    message: error.message,
  };
}

/** The end of a stream that failed, as clients look for it; `begun` is how the stream began, which names the answer. */
export function failureEvents(protocol: Protocol, error: ProviderError, begun?: Buffer): string {
  const conversion = converterOf(protocol, protocol).createStreamConversion();
  const [first] = begun?.toString("utf8").match(firstEvent) ?? [""];
  conversion.push(first);
  const text = conversion.over || conversion.failure !== undefined ? "" : conversion.fail(error, error);
  // A beginning that says nothing of the answer, or all of it.
  return text === "" && begun !== undefined ? failureEvents(protocol, error) : text;
}

const firstEvent = /^[\s\S]*?(?:\r\n|\r|\n){2}/;

export async function sendError(
  sink: Sink,
  family: ProtocolId,
  error: ProviderError,
  headers: { readonly [name: string]: string } = {},
): Promise<ErrorAnswer> {
  const answer = await encodeFor(family, error);
  sendJson(sink, answer.status, answer.body, { ...answer.headers, ...headers });
  return answer;
}

function underStatus(protocol: ProtocolId, body: Json, status: number): Json {
  return familyOf(protocol).withStatus?.(body, status) ?? body;
}

const statuses: { readonly [K in ProviderErrorKind]: number } = {
  invalid_request: 400,
  authentication: 401,
  permission: 403,
  not_found: 404,
  rate_limit: 429,
  overloaded: 503,
  context_length: 400,
  content_filter: 400,
  billing: 402,
  server: 502,
  timeout: 504,
  unknown: 502,
};

/** The error that an answer under a good status states, and the status that it would have had: its own number, or that of its kind. */
function statedError(protocol: Protocol, body: unknown): { readonly status: number; readonly body: unknown } {
  const stated = protocol.findError(body as Json);
  const error = stated === undefined ? body : stated.body;
  return { status: stated?.status ?? statuses[protocol.decodeError(500, {}, error).kind], body: error };
}

const redirected = createError("server", "the service redirects; redirects are not followed", 502);

/** The error answer of a service in the client's terms. Bodies that are no JSON are not shown: nobody knows what stands in them. */
export function convertErrorAnswer(
  client: Protocol,
  service: Protocol,
  answer: WholeAnswer,
  secrets: readonly (string | undefined)[],
  exchange?: Exchange,
): ErrorAnswer {
  const whole = scrubJson(readJson(answer.body), secrets);
  const received = singleHeaders(answer.headers);
  const { status, body } =
    answer.status < 300
      ? statedError(service, whole)
      : answer.status < 400
        ? { status: 502, body: encodeError(service, redirected).body }
        : { status: answer.status, body: whole };
  const isForeign = familyOf(client.id).vendor !== familyOf(service.id).vendor;
  const input = {
    status,
    headers: received,
    body: isForeign && overloaded.has(status) ? withoutGeneralType(body) : body,
  };
  const { value } = converterOf(client, service).convertError(input, exchange === undefined ? {} : { exchange });
  const headers = {
    ...renameRequestId(answerHeaders(answer.headers, false, secrets), client.id),
    ...answerHeaders(value.headers, false, secrets),
  };
  const error = service.decodeError(status, received, input.body);
  const sent = clientStatus(client.id, service.id, value.status, status, error);
  return {
    status: sent,
    headers,
    // Within one protocol the service's own words stay as they are.
    body: client === service && isJsonObject(body) ? value.body : underStatus(client.id, value.body, sent),
    message: scrub(error.message, secrets),
  };
}

/** The numbers that the families have for an overloaded service; services of any of them use both. */
const overloaded: ReadonlySet<number> = new Set([503, 529]);

/** Under them the type of every failure of a server says less than the status. */
function withoutGeneralType(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body["error"])) return body;
  const { type, ...error } = body["error"];
  return type === "server_error" || type === "api_error" ? { ...body, error } : body;
}

/** Each family has its own number for an overloaded service; what the service says is kept where the families agree. */
function clientStatus(
  client: ProtocolId,
  service: ProtocolId,
  encoded: number,
  received: number,
  error: ProviderError,
) {
  if (client === service) return received;
  if (error.kind === "overloaded") return familyOf(client).overloaded;
  if (received === 529) return 503;
  return error.kind === "server" || error.kind === "invalid_request" || error.kind === "unknown" ? received : encoded;
}

function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    checkDepth(value);
    return value;
  } catch {
    return undefined;
  }
}
