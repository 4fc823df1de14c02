import { DecodeError } from "../../errors/index.ts";
import type { Json, Pointer } from "../../ir/index.ts";
import { escapeSegment, setOwn } from "../../ir/index.ts";

/** How deep a body may nest. Deeper ones are refused: they serve nobody but an attacker. */
export const maximumDepth = 512;

/** True where a JSON value nests deeper than `maximumDepth`. Does not recurse deeper than that. */
export function isTooDeep(value: unknown): boolean {
  return typeof value === "object" && value !== null && descends(value, maximumDepth);
}

/** Throws a DecodeError where a JSON value nests deeper than `maximumDepth`. */
export function checkDepth(value: unknown): void {
  if (isTooDeep(value)) throw tooDeep();
}

const tooDeep = (): DecodeError => new DecodeError("", `the body nests deeper than ${maximumDepth} levels`);

function descends(value: object, left: number): boolean {
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object" && item !== null && descends(item, left - 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && item !== null && descends(item, left - 1)) return true;
  }
  return false;
}

/**
 * Throws a DecodeError where an object is none that JSON text could give: a number that is not finite, a hole or undefined in a list, a
 * bigint, a function, a symbol. JSON would write them as null, leave them out, or fail. A property that is undefined is absent. The value
 * must not be too deep.
 */
export function checkJson(value: unknown): void {
  const found = foreignTo(value);
  if (found === undefined) return;
  const where = found.pointer || "/";
  throw new DecodeError(found.pointer, `the value at ${where} is ${found.what}, which JSON cannot state`);
}

/** The pointer grows on the way back, so that a value that is JSON costs nothing but the walk. */
interface Foreign {
  readonly what: string;
  readonly pointer: Pointer;
}

function foreignTo(value: unknown): Foreign | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : { what: String(value), pointer: "" };
    case "bigint":
    case "function":
    case "symbol":
      return { what: `a ${typeof value}`, pointer: "" };
    case "object":
      if (value === null) return undefined;
      return Array.isArray(value) ? foreignInList(value) : foreignInObject(value as Record<string, unknown>);
    default:
      return undefined;
  }
}

function foreignInList(list: readonly unknown[]): Foreign | undefined {
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    const found = item === undefined ? { what: "undefined", pointer: "" } : foreignTo(item);
    if (found !== undefined) return { ...found, pointer: `/${index}${found.pointer}` };
  }
  return undefined;
}

function foreignInObject(object: Record<string, unknown>): Foreign | undefined {
  for (const key in object) {
    const item = object[key];
    if (typeof item === "string") continue;
    const found = foreignTo(item);
    if (found !== undefined) return { ...found, pointer: `/${escapeSegment(key)}${found.pointer}` };
  }
  return undefined;
}

/**
 * True where some string or key in the value holds half of a surrogate pair. Ends at the first; until then throws a DecodeError where the
 * value nests deeper than `maximumDepth`, so that a body without halves is walked once for both.
 */
export function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  return typeof value === "object" && value !== null && holdsLoneSurrogate(value, maximumDepth);
}

function holdsLoneSurrogate(value: object, left: number): boolean {
  if (left === 0) throw tooDeep();
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (isLoneOrHolds(value[index], left)) return true;
    }
    return false;
  }
  for (const key in value) {
    if (!key.isWellFormed() || isLoneOrHolds((value as Record<string, unknown>)[key], left)) return true;
  }
  return false;
}

function isLoneOrHolds(item: unknown, left: number): boolean {
  if (typeof item === "string") return !item.isWellFormed();
  return typeof item === "object" && item !== null && holdsLoneSurrogate(item, left - 1);
}

/** A copy in which every half of a surrogate pair, in strings and keys, is U+FFFD; `onChange` is told the places. */
export function wellFormed(value: Json, onChange: (pointer: Pointer) => void, pointer: Pointer = ""): Json {
  if (typeof value === "string") {
    if (value.isWellFormed()) return value;
    onChange(pointer);
    return value.toWellFormed();
  }
  if (typeof value !== "object" || value === null || !hasLoneSurrogate(value)) return value;
  if (Array.isArray(value)) return value.map((item: Json, index) => wellFormed(item, onChange, `${pointer}/${index}`));
  const copy: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) {
    const below = `${pointer}/${escapeSegment(key)}`;
    if (!key.isWellFormed()) onChange(below);
    setOwn(copy, key.toWellFormed(), wellFormed(item, onChange, below));
  }
  return copy;
}
