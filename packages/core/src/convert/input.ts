import { readJson, readJsonBytes } from "../codec/json/json-text.ts";
import type { WireRequest } from "../codec/protocol.ts";
import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";

/** A body as an object, as JSON text or as UTF-8 bytes of it. */
export type BodyInput = object | string | Uint8Array;
/** A body, or a request with what its protocol puts outside of the body. */
export type RequestInput = BodyInput | WireRequest;

/** What a conversion gives for an input: a value of the same kind. */
export type SameKind<T> = T extends string
  ? string
  : T extends Uint8Array
    ? Uint8Array
    : T extends WireRequest
      ? WireRequest
      : JsonObject;

export interface ReadInput {
  readonly wire: WireRequest;
  /** Writes a value in the same kind as the input. */
  readonly write: (wire: WireRequest) => unknown;
}

/** True for `{body, url?, headers?}`, which no body of a protocol looks like. */
export function isWireRequest(input: unknown): input is WireRequest {
  return (
    isJsonObject(input) &&
    "body" in input &&
    !("messages" in input || "contents" in input || "input" in input) &&
    Object.keys(input).every((key) => key === "body" || key === "url" || key === "headers")
  );
}

/** Reads a body; the result writes another of the same kind. */
export function readBody(input: BodyInput): { readonly value: Json; readonly write: (value: Json) => unknown } {
  if (typeof input === "string") return { value: readJson(input), write: (value) => JSON.stringify(value) };
  if (input instanceof Uint8Array) {
    return { value: readJsonBytes(input), write: (value) => new TextEncoder().encode(JSON.stringify(value)) };
  }
  return { value: input as JsonObject, write: (value) => value };
}

export function readRequest(input: RequestInput): ReadInput {
  if (isWireRequest(input)) return { wire: input, write: (wire) => wire };
  const { value, write } = readBody(input as BodyInput);
  return { wire: { body: value }, write: (wire) => write(wire.body) };
}
