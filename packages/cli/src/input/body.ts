import type { InexactPlace, Json, JsonObject, Pointer, ProtocolId, WireRequest } from "@rolecall/core";
import { detectProtocol, isJsonObject, readHeaders } from "@rolecall/core";

export type Operation = "request" | "response";

/** One body out of a file, with what stood around it. */
export interface Body {
  readonly operation: Operation;
  readonly value: Json;
  /** Where it stands in the file. */
  readonly at: Pointer;
  /** The path that the request went to. */
  readonly path?: string;
  readonly url?: NonNullable<WireRequest["url"]>;
  readonly headers?: NonNullable<WireRequest["headers"]>;
}

const bodyKeys = ["messages", "contents", "input", "choices", "candidates", "output", "content"];

/** True for what holds a body, as against a body. */
function isEnvelope(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && "body" in value && !bodyKeys.some((key) => key in value);
}

/** Whether a body is a response; everything that does not say so is a request. */
function operationOf(body: Json): Operation {
  if (!isJsonObject(body)) return "request";
  const { choices, candidates, promptFeedback, object, output, type } = body;
  const isResponse =
    Array.isArray(choices) ||
    Array.isArray(candidates) ||
    isJsonObject(promptFeedback) ||
    object === "response" ||
    Array.isArray(output) ||
    type === "message";
  return isResponse ? "response" : "request";
}

/**
 * The bodies of a file. It may be a body itself, a request as it goes over HTTP (`{body, url?, headers?}`, or `{method, path, headers, body}`
 * as recorders write it), or a recorded exchange `{request: {body}, response: {body}}`.
 */
export function bodiesIn(value: Json, operation?: Operation): Body[] {
  const found = isExchange(value)
    ? exchangeBodies(value)
    : [isEnvelope(value) ? enveloped(value, "", operation) : bare(value, operation)];
  return found.filter((body) => operation === undefined || body.operation === operation);
}

function bare(value: Json, operation = operationOf(value)): Body {
  return { operation, value, at: "" };
}

function isExchange(value: Json): value is JsonObject {
  return isJsonObject(value) && (isEnvelope(value["request"]) || isEnvelope(value["response"]));
}

function exchangeBodies({ request, response }: JsonObject): Body[] {
  const bodies: Body[] = [];
  if (isEnvelope(request) && isJsonObject(request["body"])) bodies.push(enveloped(request, "/request", "request"));
  if (isEnvelope(response) && isJsonObject(response["body"])) bodies.push(enveloped(response, "/response", "response"));
  return bodies;
}

function enveloped(envelope: JsonObject, place: Pointer, operation?: Operation): Body {
  const { body = null, path, url, headers } = envelope;
  const kind = operation ?? operationOf(body);
  const at = `${place}/body`;
  if (kind === "response") return { operation: kind, value: body, at };
  const model = isJsonObject(url) ? (url as NonNullable<WireRequest["url"]>) : urlOf(path);
  const versions = readHeaders(headers);
  return {
    operation: kind,
    value: body,
    at,
    ...(typeof path === "string" && { path }),
    ...(model !== undefined && { url: model }),
    ...(versions !== undefined && { headers: versions }),
  };
}

/** Model and stream of a Gemini path, `/v1beta/models/MODEL:streamGenerateContent`. */
function urlOf(path: Json | undefined): Body["url"] {
  const found = typeof path === "string" ? /\/models\/([^/:?#]+):(stream)?generateContent/i.exec(path) : null;
  if (found?.[1] === undefined) return undefined;
  return { model: decodeURIComponent(found[1]), stream: found[2] !== undefined };
}

/** The protocol of a body; undefined where it could be of several. */
export function protocolOf(body: Body): ProtocolId | undefined {
  return detectProtocol(body.value, body.path);
}

/** A request as core takes it, with what its protocol puts outside of the body. */
export function wireRequestOf({ value, url, headers }: Body): WireRequest {
  return { body: value, ...(url !== undefined && { url }), ...(headers !== undefined && { headers }) };
}

/** What there is to print of a converted request: the body alone, unless the protocol puts a part of the request outside of it. */
export function printableRequest(wire: WireRequest): Json {
  return wire.url === undefined && wire.headers === undefined ? wire.body : (wire as unknown as Json);
}

/** Those of the places of a file that are in the body, as they are called there. */
export function inexactIn({ at }: Pick<Body, "at">, places: readonly InexactPlace[]): readonly InexactPlace[] {
  return places
    .filter(({ path }) => path === at || path.startsWith(`${at}/`))
    .map(({ path, what }) => ({ path: path.slice(at.length), what }));
}
