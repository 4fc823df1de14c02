import type { Source } from "./source.ts";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Where a value stands in a source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of the object that a body is. */
export interface MemberSpan extends Span {
  readonly key: string;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function skipSpace(source: Source, at: number): number {
  let place = at;
  while (isSpace(source.code(place))) place++;
  return place;
}

/** The end of the string that begins at `at`; -1 where it has none. */
function endOfString(source: Source, at: number): number {
  let place = at;
  for (;;) {
    place = source.quote(place + 1);
    if (place < 0) return -1;
    let escapes = 0;
    while (source.code(place - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return place + 1;
  }
}

/** The end of the value that begins at `at`, in a text that is JSON; -1 where that cannot be told. */
export function endOfValue(source: Source, at: number): number {
  const first = source.code(at);
  if (first === quote) return endOfString(source, at);
  if (first !== openObject && first !== openList) return endOfScalar(source, at);
  let depth = 0;
  let place = at;
  while (place < source.length) {
    const code = source.code(place);
    if (code === quote) {
      place = endOfString(source, place);
      if (place < 0) return -1;
      continue;
    }
    place++;
    if (code === openObject || code === openList) depth++;
    else if (code === closeObject || code === closeList) {
      depth--;
      if (depth === 0) return place;
    }
  }
  return -1;
}

function endOfScalar(source: Source, at: number): number {
  let place = at;
  while (place < source.length) {
    const code = source.code(place);
    if (code === comma || code === closeObject || code === closeList || isSpace(code)) break;
    place++;
  }
  return place === at ? -1 : place;
}

/** The members of a body, which is JSON and an object; undefined where its keys are escaped. */
export function memberSpans(source: Source): readonly MemberSpan[] | undefined {
  const members: MemberSpan[] = [];
  let place = skipSpace(source, 0);
  if (source.code(place) !== openObject) return undefined;
  place = skipSpace(source, place + 1);
  while (source.code(place) === quote) {
    const keyEnd = endOfString(source, place);
    const key = source.text(place + 1, keyEnd - 1);
    if (keyEnd < 0 || key.includes("\\")) return undefined;
    place = skipSpace(source, keyEnd);
    if (source.code(place) !== colon) return undefined;
    const start = skipSpace(source, place + 1);
    const end = endOfValue(source, start);
    if (end < 0) return undefined;
    members.push({ key, start, end });
    place = skipSpace(source, end);
    if (source.code(place) !== comma) break;
    place = skipSpace(source, place + 1);
  }
  return members;
}

export interface ItemSpans {
  /** Where each item ends. */
  readonly ends: readonly number[];
  /** Where the first of them begins. */
  readonly start: number;
  /** Behind the list. */
  readonly end: number;
}

/** The objects of a list, from behind the bracket or behind one of its items; undefined where something else stands there. */
export function itemSpans(source: Source, from: number, isBehindItem: boolean): ItemSpans | undefined {
  const ends: number[] = [];
  let place = skipSpace(source, from);
  let start = place;
  for (let expectsComma = isBehindItem; ; expectsComma = true) {
    const code = source.code(place);
    if (code === closeList) return { ends, start, end: place + 1 };
    if (expectsComma) {
      if (code !== comma) return undefined;
      place = skipSpace(source, place + 1);
    }
    if (source.code(place) !== openObject) return undefined;
    if (ends.length === 0) start = place;
    const end = endOfValue(source, place);
    if (end < 0) return undefined;
    ends.push(end);
    place = skipSpace(source, end);
  }
}
