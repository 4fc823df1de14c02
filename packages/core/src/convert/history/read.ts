import { DecodeError } from "../../errors/index.ts";
import type { Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { keysSeen } from "../../json/argument-text.ts";
import { surveyedPlaces } from "../../json/inexact.ts";
import { survey } from "../../json/survey.ts";
import type { MemberSpan } from "./scan.ts";
import { endOfValue, itemSpans, memberSpans } from "./scan.ts";
import type { Source } from "./source.ts";

const openList = 0x5b;

/** A body that was read, with the place of each of its members and of each item of its history. */
export interface ReadText {
  readonly value: JsonObject;
  readonly items: readonly Json[];
  readonly members: readonly MemberSpan[];
  /** Which of the members the history is. */
  readonly history: number;
  /** Where each item of the history ends. */
  readonly ends: readonly number[];
  readonly kept: unknown;
  /** How many keys there are, in all objects. */
  readonly keys: number;
}

/** A body that goes on where another one ended. */
export interface GrownText extends ReadText {
  /** So many items of the history are those of the body before. */
  readonly shared: number;
}

/** A mark at the start of a part would make the whole no JSON, so that it is not read over as `readJson` does. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new DecodeError("", "not valid JSON", undefined, { cause });
  }
}

/** How many keys a value has whose text says just what it does; undefined where something has to be reported about reading it. */
function exactKeys(text: string, value: Json): number | undefined {
  const found = survey(value, true);
  if (found.tooDeep || found.halves) return undefined;
  return surveyedPlaces(text, value, found, keysSeen(text)).length === 0 ? found.keys : undefined;
}

/** Reads a whole body; undefined where something is to be said about it, or it has no list of objects under `key`. */
export function readWhole(source: Source, key: string): ReadText | undefined {
  const text = source.text(0, source.length);
  const value = parse(text);
  if (!isJsonObject(value)) return undefined;
  const known = exactKeys(text, value);
  if (known === undefined) return undefined;
  const members = memberSpans(source);
  const items = value[key];
  if (members === undefined || !Array.isArray(items)) return undefined;
  const keys = Object.keys(value);
  // Keys that are numbers come first, wherever they stand in the text.
  if (keys.length !== members.length || !keys.every((name, index) => members[index]?.key === name)) return undefined;
  const history = keys.indexOf(key);
  const spans = itemSpans(source, (members[history]?.start ?? 0) + 1, false);
  if (spans === undefined || spans.ends.length !== items.length) return undefined;
  return {
    value,
    items,
    members,
    history,
    ends: spans.ends,
    keys: known,
    kept: source.keep(undefined, 0, spans.ends.at(-1) ?? 0),
  };
}

/** How many of the items that end at `ends` end before a place. */
function endingBy(ends: readonly number[], place: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Reads a body as far as it differs from the one before it: values whose text is the same are the same objects. Undefined where it has other
 * members, or something is to be said about it. What is compared is the text, and all of it; the first `common` units are known to be the same.
 */
export function readGrown(source: Source, before: ReadText, common: number): GrownText | undefined {
  const { kept } = before;
  const isSame = (at: number, from: number, to: number): boolean =>
    (at === from && to <= common) || source.common(at, kept, from, to - from) === to - from;
  const value: Record<string, Json> = {};
  const members: MemberSpan[] = [];
  let grown: Grown | undefined;
  // Those of values that are no longer there are counted as well: it is a bound.
  let { keys } = before;
  let place = 0;
  let known = 0;
  // How far the text is that of the body before, from its start.
  let same = 0;
  for (let index = 0; index < before.members.length; index++) {
    const { key, start, end } = before.members[index] as MemberSpan;
    // What stands between two values: punctuation, and the key.
    if (!isSame(place, known, start)) return undefined;
    if (same === known) same = start;
    place += start - known;
    known = end;
    const begin = place;
    if (index === before.history) {
      grown = growHistory(source, before, place, common);
      if (grown === undefined) return undefined;
      value[key] = grown.items as Json;
      keys += grown.keys;
      if (same === start) same = grown.shared === 0 ? start : (before.ends[grown.shared - 1] as number);
      place = grown.end;
    } else if (isSame(place, start, end)) {
      value[key] = before.value[key] as Json;
      if (same === start) same = end;
      place += end - start;
    } else {
      place = endOfValue(source, begin);
      if (place < 0) return undefined;
      const text = source.text(begin, place);
      const member = parse(text);
      // A level deeper, as it stands in the body.
      const found = exactKeys(text, [member]);
      if (found === undefined) return undefined;
      keys += found;
      value[key] = member;
    }
    members.push({ key, start: begin, end: place });
  }
  const last = lengthOf(kept);
  if (grown === undefined || source.length - place !== last - known || !isSame(place, known, last)) return undefined;
  const { items, ends, shared } = grown;
  const keptText = source.keep(kept, same, ends.at(-1) ?? 0);
  return { value, items, members, history: before.history, ends, shared, keys, kept: keptText };
}

const lengthOf = (kept: unknown): number => (kept as { readonly length: number }).length;

interface Grown {
  /** Of the items that are new. */
  readonly keys: number;
  readonly items: readonly Json[];
  readonly ends: readonly number[];
  readonly shared: number;
  readonly end: number;
}

function growHistory(source: Source, before: ReadText, place: number, common: number): Grown | undefined {
  const { start, end } = before.members[before.history] as MemberSpan;
  if (source.code(place) !== openList) return undefined;
  const same = place === start ? common : start + source.common(place, before.kept, start, end - start);
  const shared = endingBy(before.ends, same);
  const moved = place - start;
  const known = before.ends.slice(0, shared);
  const ends = moved === 0 ? known : known.map((other) => other + moved);
  const behind = ends.at(-1) ?? place + 1;
  const spans = itemSpans(source, behind, shared > 0);
  if (spans === undefined) return undefined;
  const items = before.items.slice(0, shared);
  const last = spans.ends.at(-1);
  let keys = 0;
  if (last !== undefined) {
    const text = `[${source.text(spans.start, last)}]`;
    const added = parse(text) as readonly Json[];
    // As deep as they stand in the body.
    const found = exactKeys(text, [added]);
    if (added.length !== spans.ends.length || found === undefined) return undefined;
    keys = found;
    for (let index = 0; index < added.length; index++) {
      items.push(added[index] as Json);
      ends.push(spans.ends[index] as number);
    }
  }
  return { items, ends, shared, keys, end: spans.end };
}
