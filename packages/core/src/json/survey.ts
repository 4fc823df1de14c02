import { DecodeError } from "../errors/index.ts";
import type { Json, JsonObject, Pointer } from "../ir/index.ts";
import { escapeSegment, isJsonObject, setOwn } from "../ir/index.ts";

/** How deep a body may nest. Deeper ones are refused: they serve nobody but an attacker. */
export const maximumDepth = 512;

/** What one walk over a value finds out. A value that is too deep is walked no further. */
export interface Survey {
  tooDeep: boolean;
  /** How many keys there are, in all objects. */
  keys: number;
  /** Whether a number stands elsewhere than under a key. */
  looseNumbers: boolean;
  /** Whether some string or key holds half of a surrogate pair; false where they were not looked for. */
  halves: boolean;
}

/** One walk for all: the first walk over a body that was just read costs several times what later ones do, and even those add up. */
export function survey(value: unknown, seekHalves = false): Survey {
  const found: Survey = { tooDeep: false, keys: 0, looseNumbers: typeof value === "number", halves: false };
  if (typeof value === "string") found.halves = seekHalves && holdsHalf(value);
  else if (typeof value === "object" && value !== null) found.keys = keysBelow(value, maximumDepth, seekHalves, found);
  return found;
}

/** Counts the keys, and notes what is found beside them. */
function keysBelow(value: object, left: number, seekHalves: boolean, found: Survey): number {
  if (left === 0) {
    found.tooDeep = true;
    return 0;
  }
  let keys = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object") {
        if (item !== null) keys += keysBelow(item, left - 1, seekHalves, found);
      } else if (typeof item === "number") found.looseNumbers = true;
      else if (seekHalves && typeof item === "string" && holdsHalf(item)) found.halves = true;
    }
    return keys;
  }
  for (const key in value) {
    keys++;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object") {
      if (item !== null) keys += keysBelow(item, left - 1, seekHalves, found);
    } else if (seekHalves && typeof item === "string" && holdsHalf(item)) found.halves = true;
    if (seekHalves && !key.isWellFormed()) found.halves = true;
  }
  return keys;
}

/**
 * True where half of a surrogate pair stands in the text. Engines look at each character of a long text with other than Latin letters, one by one;
 * a pattern that takes eight at a time is twice as fast until the first surrogate. For a text of Latin letters both know at once.
 */
function holdsHalf(text: string): boolean {
  if (text.length < 100) return !text.isWellFormed();
  if (!beyondLatin.test(text)) return false;
  whole.lastIndex = 0;
  whole.test(text);
  let end = whole.lastIndex;
  while (end < text.length && !isSurrogate(text.charCodeAt(end))) end++;
  return end < text.length && !text.slice(end).isWellFormed();
}

const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;

const beyondLatin = /[^\0-\xff]/;
const whole = new RegExp(`(?:${"[^\\ud800-\\udfff]".repeat(8)})*`, "y");

/** Throws a DecodeError where a JSON value nests deeper than `maximumDepth`. */
export function checkDepth(value: unknown): void {
  refuseDepth(survey(value), value);
}

export function refuseDepth({ tooDeep }: Survey, value: unknown): void {
  if (!tooDeep) return;
  const place = deepPlace(value);
  throw new DecodeError(place, `the body nests deeper than ${maximumDepth} levels (below ${place})`);
}

/** So many steps lead to what nests too deep; all of them would be a pointer that nobody reads. */
const shownSteps = 6;

/** Where a value begins to nest too deep. */
function deepPlace(value: unknown): Pointer {
  let place = "";
  let node = value;
  for (let step = 0; step < shownSteps; step++) {
    const entry = Object.entries(node as object).find(([, item]) => isDeeper(item, maximumDepth - step - 1));
    if (entry === undefined) break;
    place += `/${escapeSegment(entry[0])}`;
    node = entry[1];
  }
  return place;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
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
 * A copy in which every half of a surrogate pair, in strings and keys, is U+FFFD; `onChange` is told the places. Keys that would become one get
 * a number, and so do their names in the `required` of a schema.
 */
export function wellFormed(value: Json, onChange: (pointer: Pointer) => void, pointer: Pointer = ""): Json {
  if (typeof value === "string") {
    if (value.isWellFormed()) return value;
    onChange(pointer);
    return value.toWellFormed();
  }
  if (typeof value !== "object" || value === null || !survey(value, true).halves) return value;
  if (Array.isArray(value)) return value.map((item: Json, index) => wellFormed(item, onChange, `${pointer}/${index}`));
  const object = value as JsonObject;
  const names = wellFormedKeys(object);
  const copy: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(object)) {
    const below = `${pointer}/${escapeSegment(key)}`;
    const name = names.get(key);
    if (name !== undefined) onChange(below);
    const sent =
      key === "required"
        ? wellFormedNames(item, object["properties"], onChange, below)
        : wellFormed(item, onChange, below);
    setOwn(copy, name ?? key, sent);
  }
  return copy;
}

/** Names of properties, as they are sent. */
function wellFormedNames(
  list: Json,
  properties: Json | undefined,
  onChange: (pointer: Pointer) => void,
  pointer: Pointer,
): Json {
  if (!Array.isArray(list) || !isJsonObject(properties)) return wellFormed(list, onChange, pointer);
  const names = wellFormedKeys(properties);
  return list.map((item: Json, index) => {
    const name = typeof item === "string" ? names.get(item) : undefined;
    if (name === undefined) return wellFormed(item, onChange, `${pointer}/${index}`);
    onChange(`${pointer}/${index}`);
    return name;
  });
}

/** What the keys of an object that hold halves are called in the copy. */
function wellFormedKeys(object: JsonObject): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const key in object) {
    if (!key.isWellFormed()) names.set(key, freeKey(key.toWellFormed(), object, taken));
  }
  return names;
}

function freeKey(key: string, object: JsonObject, taken: Map<string, number>): string {
  let number = (taken.get(key) ?? 0) + 1;
  let free = number === 1 ? key : `${key}_${number}`;
  while (Object.hasOwn(object, free) || taken.has(free)) free = `${key}_${++number}`;
  taken.set(key, number);
  if (free !== key) taken.set(free, 1);
  return free;
}
