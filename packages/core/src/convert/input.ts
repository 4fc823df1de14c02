import type { WireRequest } from "../codec/protocol.ts";
import { readModelPath } from "../codec/url/model-path.ts";
import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { keysSeen } from "../json/argument-text.ts";
import type { InexactPlace } from "../json/inexact.ts";
import { surveyedPlaces } from "../json/inexact.ts";
import { readJson, readText } from "../json/json-text.ts";
import type { Survey } from "../json/survey.ts";

/** A body as an object, as JSON text or as UTF-8 bytes of it. */
export type BodyInput = object | string | Uint8Array;
/** A request as it goes over HTTP. The body may be text; of headers and URL is read what belongs to a protocol, the rest is let be. */
export interface HttpRequest {
  readonly body: Json;
  readonly url?: unknown;
  readonly path?: unknown;
  readonly headers?: object;
}
/** A body, or a request with what its protocol puts outside of the body. */
export type RequestInput = BodyInput | WireRequest | HttpRequest;

/** What a conversion gives for an input: a value of the same kind. */
export type SameKind<T> = T extends string
  ? string
  : T extends Uint8Array
    ? Uint8Array
    : T extends HttpRequest
      ? WireRequest
      : JsonObject;

export interface ReadInput {
  readonly wire: WireRequest;
  readonly body: ReadBody;
  /** Writes a value in the same kind as the input. */
  readonly write: (wire: WireRequest) => unknown;
}

const bodyKeys = ["messages", "contents", "input"];

/**
 * True for a request as it goes over HTTP: what has a `body` and is none. Whatever else stands beside it (`method`, `path`, `url`) may be
 * there.
 */
export function isWireRequest(input: unknown): input is WireRequest {
  return isJsonObject(input) && "body" in input && !bodyKeys.some((key) => key in input);
}

/**
 * What a protocol puts outside of the body, out of HTTP headers (an object, in any case, or `Headers`) or as a WireRequest states it. Other
 * headers belong to the transport, credentials among them, and are not read.
 */
export function readHeaders(headers: unknown): WireRequest["headers"] | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const pairs: Iterable<readonly [string, unknown]> =
    Symbol.iterator in headers ? (headers as Iterable<readonly [string, unknown]>) : Object.entries(headers);
  let version: string | undefined;
  let betas: readonly string[] | undefined;
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    if ((lower === "version" || lower === "anthropic-version") && typeof value === "string") version ??= value;
    if (lower === "betas" || lower === "anthropic-beta") betas ??= betasOf(value);
  }
  if (version === undefined && betas === undefined) return undefined;
  return { ...(version !== undefined && { version }), ...(betas !== undefined && { betas }) };
}

function betasOf(value: unknown): readonly string[] | undefined {
  const list: unknown = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) return undefined;
  const texts = list.filter((item): item is string => typeof item === "string");
  return texts.flatMap((text) => text.split(",").map((beta) => beta.trim())).filter((beta) => beta !== "");
}

export interface ReadBody {
  readonly value: Json;
  /** Writes a value in the same kind as the input. */
  readonly write: (value: Json) => unknown;
  /** Whether the value was read from text here, so that it holds nothing but JSON. */
  readonly isText: boolean;
  /** Where the text said more than the value does, of which the survey is. */
  readonly inexact: (found: Survey) => readonly InexactPlace[];
}

const exact = (): readonly InexactPlace[] => [];

/** Reads a body; the result writes another of the same kind. */
export function readBody(input: BodyInput): ReadBody {
  if (typeof input === "string") return readBodyText(input, (value) => JSON.stringify(value));
  if (input instanceof Uint8Array) {
    return readBodyText(readText(input), (value) => new TextEncoder().encode(JSON.stringify(value)));
  }
  return { value: input as JsonObject, write: (value) => value, isText: false, inexact: exact };
}

function readBodyText(text: string, write: ReadBody["write"]): ReadBody {
  // Before the text is read: then reading finds it in the processor's cache, and what follows finds the value there.
  const seen = keysSeen(text);
  const value = readJson(text);
  return { value, write, isText: true, inexact: (found) => surveyedPlaces(text, value, found, seen) };
}

export function readRequest(input: RequestInput): ReadInput {
  if (!isWireRequest(input)) {
    const body = readBody(input as BodyInput);
    return { wire: { body: body.value }, body, write: (wire) => body.write(wire.body) };
  }
  const body = readBody(input.body as BodyInput);
  const headers = readHeaders(input.headers);
  const url = readUrl(input as { readonly url?: unknown; readonly path?: unknown });
  const wire: { -readonly [K in keyof WireRequest]: WireRequest[K] } = { body: body.value };
  if (url !== undefined) wire.url = url;
  if (headers !== undefined) wire.headers = headers;
  return { wire, body, write: (written) => ({ ...written, body: body.write(written.body) }) };
}

/** What a protocol puts into the URL: as a WireRequest states it, or out of the `url` or `path` that a request goes to. */
function readUrl({ url, path }: { readonly url?: unknown; readonly path?: unknown }): WireRequest["url"] {
  if (isJsonObject(url)) return url as WireRequest["url"];
  const place = typeof url === "string" ? url : path;
  return typeof place === "string" ? readModelPath(place) : undefined;
}
