import type { InexactPlace } from "../codec/json/inexact.ts";
import { inexactPlaces } from "../codec/json/inexact.ts";
import { readJson, readText } from "../codec/json/json-text.ts";
import type { WireRequest } from "../codec/protocol.ts";
import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { LossDraft } from "../loss/index.ts";

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

export interface ReadInput extends Pick<ReadBody, "isText" | "inexact"> {
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

export interface ReadBody {
  readonly value: Json;
  /** Writes a value in the same kind as the input. */
  readonly write: (value: Json) => unknown;
  /** Whether the value was read from text here, so that it holds nothing but JSON. */
  readonly isText: boolean;
  /** Where the text said more than the value does. */
  readonly inexact: () => readonly InexactPlace[];
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
  const value = readJson(text);
  return { value, write, isText: true, inexact: () => inexactPlaces(text, value) };
}

export function readRequest(input: RequestInput): ReadInput {
  if (isWireRequest(input)) return { wire: input, write: (wire) => wire, isText: false, inexact: exact };
  const { value, write, ...rest } = readBody(input as BodyInput);
  return { wire: { body: value }, write: (wire) => write(wire.body), ...rest };
}

/** What reading the text of a body lost before the body was there. It stands first in the report. */
export function inexactDrafts(places: readonly InexactPlace[], prefix = ""): LossDraft[] {
  return places.map(({ path, what }) => ({
    code: what === "number" ? "field.precision" : "field.repeated_key",
    stage: "decode",
    path: prefix + path,
  }));
}
