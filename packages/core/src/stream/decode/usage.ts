import type { Json, JsonObject, Pointer } from "../../ir/index.ts";
import { escapeSegment, isJsonObject, setOwn } from "../../ir/index.ts";

/** The counts of a stream as far as they are known. */
export interface UsageTally {
  raw: JsonObject | undefined;
  readonly origins: { [key: string]: Pointer };
  /** How many fields that nobody knows are among them. */
  unknown: number;
}

export function createUsageTally(): UsageTally {
  return { raw: undefined, origins: {}, unknown: 0 };
}

/**
 * So many fields that nobody knows are said again with each count. If a stream states ever more of them, saying all again would take time and
 * memory that grow with the square of its length: the others stay in their frames.
 */
const mostUnknown = 64;

/**
 * Takes over what a frame states: counts are cumulative, a null says nothing. `pointer` leads to the object from the root of the stream, `unknown`
 * has the fields that nobody knows by their pointers within it.
 */
export function addUsage(
  tally: UsageTally,
  stated: JsonObject,
  pointer: Pointer,
  unknown: { readonly [pointer: Pointer]: Json } = {},
): JsonObject {
  const { raw } = tally;
  if (raw !== undefined && restatesAll(raw, stated)) {
    tally.raw = stated;
    for (const key in stated) setOwn(tally.origins, escapeSegment(key), pointer);
    return stated;
  }
  tally.raw = mergeUsage(raw ?? {}, stated, "", unknown, tally);
  for (const key of Object.keys(stated)) {
    const name = escapeSegment(key);
    if (!Object.hasOwn(tally.raw, key)) continue;
    if (stated[key] !== null || !Object.hasOwn(tally.origins, name)) setOwn(tally.origins, name, pointer);
  }
  return tally.raw;
}

/** Whether counts say all again that was said before, and nothing else, so that nothing of it is left. */
function restatesAll(before: JsonObject, after: JsonObject): boolean {
  let more = 0;
  for (const key in after) {
    const value = after[key];
    if (value === null || isJsonObject(value) || !Object.hasOwn(before, key)) return false;
    more++;
  }
  for (const _ in before) more--;
  return more === 0;
}

function mergeUsage(
  before: JsonObject,
  after: JsonObject,
  prefix: Pointer,
  unknown: { readonly [pointer: Pointer]: Json },
  tally: UsageTally,
): JsonObject {
  const merged: { [key: string]: Json } = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const place = prefix + escapeSegment(key);
    const old = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (value === null && old !== undefined) continue;
    if (old === undefined && Object.hasOwn(unknown, place) && ++tally.unknown > mostUnknown) continue;
    const isBoth = isJsonObject(old) && isJsonObject(value);
    setOwn(merged, key, isBoth ? mergeUsage(old, value, `${place}/`, unknown, tally) : value);
  }
  return merged;
}
