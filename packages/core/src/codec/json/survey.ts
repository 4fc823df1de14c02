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
