import type { Json, JsonObject, Pointer } from "../../ir/index.ts";
import { escapeSegment, isJsonObject } from "../../ir/index.ts";

/** The counts of a stream as far as they are known. */
export interface UsageTally {
  raw: JsonObject | undefined;
  readonly origins: { [key: string]: Pointer };
}

export function createUsageTally(): UsageTally {
  return { raw: undefined, origins: {} };
}

/** Takes over what a frame states: counts are cumulative, a null says nothing. `pointer` leads to the object from the root of the stream. */
export function addUsage(tally: UsageTally, stated: JsonObject, pointer: Pointer): JsonObject {
  tally.raw = mergeUsage(tally.raw ?? {}, stated);
  for (const key of Object.keys(stated))
    if (stated[key] !== null || tally.origins[key] === undefined) tally.origins[escapeSegment(key)] = pointer;
  return tally.raw;
}

function mergeUsage(before: JsonObject, after: JsonObject): JsonObject {
  const merged: { [key: string]: Json } = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const old = merged[key];
    if (value === null && old !== undefined) continue;
    merged[key] = isJsonObject(old) && isJsonObject(value) ? mergeUsage(old, value) : value;
  }
  return merged;
}
