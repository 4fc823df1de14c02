import { DecodeError } from "../errors/index.ts";
import type { Json, JsonObject, Pointer, ProtocolId, WireForm } from "../ir/index.ts";
import { escapeSegment, isJsonObject, setOwn } from "../ir/index.ts";

/** The keys of one kind of wire object that its decoder reads. */
export type KnownKeys = { readonly [key: string]: true | undefined };

export function knownKeys(...keys: readonly string[]): KnownKeys {
  const known: Record<string, true> = Object.create(null);
  for (const key of keys) known[key] = true;
  return known;
}

/**
 * What of a known key means the same as its absence, and is spelled: a null or an empty container (`empty`), a null alone (`null`), or neither,
 * because they are statements that are lost elsewhere (`none`).
 */
export type Absence = "empty" | "null" | "none";

/** What one wire object holds beside the words of the IR. Decoding is a ledger: each key is read, spelled (`form`) or kept (`rest`). */
export interface Ledger {
  readonly protocol: ProtocolId;
  readonly absence: Absence;
  rest?: Record<string, Json>;
  form?: Record<string, Json>;
}

export function createLedger(protocol: ProtocolId, absence: Absence = "none"): Ledger {
  return { protocol, absence };
}

/** Puts a value that the IR has no word for aside. `pointer` is relative to the wire object, without a leading slash. */
export function keep(ledger: Ledger, pointer: Pointer, value: Json): void {
  ledger.rest ??= {};
  setOwn(ledger.rest, pointer, value);
}

/** Notes a spelling among equals. */
export function spell(ledger: Ledger, key: string, value: Json): void {
  ledger.form ??= {};
  setOwn(ledger.form, key, value);
}

/** Keeps every key that is not in `known`. `prefix` is the pointer of `source` inside the ledger's object, with a trailing slash. */
export function keepUnknown(ledger: Ledger, source: JsonObject, known: KnownKeys, prefix = ""): void {
  for (const key in source) {
    if (known[key] === undefined) keep(ledger, prefix + escapeSegment(key), source[key] as Json);
  }
}

/** Decides on a null, an empty container or a value of the wrong type at a known key. */
export function keepOdd(ledger: Ledger, key: string, value: Json | undefined, prefix = ""): undefined {
  if (value === undefined) return undefined;
  const { absence } = ledger;
  const isAbsent = value === null ? absence !== "none" : absence === "empty" && isEmpty(value);
  if (isAbsent) {
    spell(ledger, prefix + key, value);
  } else keep(ledger, prefix + key, value);
  return undefined;
}

/** True for an empty array or object. */
export const isEmpty = (value: Json): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

export function readString(ledger: Ledger, source: JsonObject, key: string, prefix = ""): string | undefined {
  const value = source[key];
  return typeof value === "string" ? value : keepOdd(ledger, key, value, prefix);
}

export function readNumber(ledger: Ledger, source: JsonObject, key: string, prefix = ""): number | undefined {
  const value = source[key];
  return typeof value === "number" ? value : keepOdd(ledger, key, value, prefix);
}

export function readBoolean(ledger: Ledger, source: JsonObject, key: string, prefix = ""): boolean | undefined {
  const value = source[key];
  return typeof value === "boolean" ? value : keepOdd(ledger, key, value, prefix);
}

export function readObject(ledger: Ledger, source: JsonObject, key: string, prefix = ""): JsonObject | undefined {
  const value = source[key];
  return isJsonObject(value) ? value : keepOdd(ledger, key, value, prefix);
}

/** One of a closed set of strings; any other value is kept. */
export function readOneOf<T extends string>(
  ledger: Ledger,
  source: JsonObject,
  key: string,
  values: readonly T[],
  prefix = "",
): T | undefined {
  const value = source[key];
  return (values as readonly unknown[]).includes(value) ? (value as T) : keepOdd(ledger, key, value, prefix);
}

/** An array of strings only. */
export function isStringArray(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const plain = new Map<string, WireForm>();

/** The shared, frozen wire form of a node with no residue; `joined` where it shares the container of the node before it. */
export function plainWire(protocol: ProtocolId, joined = false): WireForm {
  const key = joined ? `${protocol}+` : protocol;
  let wire = plain.get(key);
  if (wire === undefined) {
    wire = Object.freeze(joined ? { protocol, joined: true as const } : { protocol });
    plain.set(key, wire);
  }
  return wire;
}

/** What the ledger kept, or undefined where it kept nothing. */
export function wireOf(ledger: Ledger): WireForm | undefined {
  const { protocol, rest, form } = ledger;
  if (rest === undefined) return form === undefined ? undefined : { protocol, form };
  return form === undefined ? { protocol, rest } : { protocol, rest, form };
}

/** A value under construction. A field that may be absent costs a fraction of a spread when it is assigned. */
export type Open<T> = { -readonly [K in keyof T]: T[K] };

/** A spread that adds `wire` to a node only where there is residue. */
export function wireField(ledger: Ledger): { readonly wire?: WireForm } {
  const wire = wireOf(ledger);
  return wire === undefined ? noFields : { wire };
}

const noFields: { readonly wire?: WireForm } = Object.freeze({});

/** The value as an object, or a DecodeError that says what stands there instead. */
export function expectObject(value: unknown, path: Pointer, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new DecodeError(path, `${what} at ${path || "/"} must be an object, not ${describe(value)}`);
}

export function expectArray(value: unknown, path: Pointer, what: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new DecodeError(path, `${what} at ${path || "/"} must be an array, not ${describe(value)}`);
}

export function expectString(value: unknown, path: Pointer, what: string): string {
  if (typeof value === "string") return value;
  throw new DecodeError(path, `${what} at ${path || "/"} must be a string, not ${describe(value)}`);
}

/** The JSON type of a value, for error messages; never the value itself. */
export function describe(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}
