import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";

/** Fields of a detail whose text comes in pieces. */
const texts = ["text", "summary", "data"] as const;

/** Joins pieces of reasoning details: those of one type and index, which follow each other, are one entry. */
export function mergeDetails(before: readonly Json[], after: readonly Json[]): Json[] {
  const merged = [...before];
  for (const piece of after) {
    const last = merged.at(-1);
    if (isJsonObject(last) && isJsonObject(piece) && isSameDetail(last, piece)) {
      merged[merged.length - 1] = joinDetail(last, piece);
    } else merged.push(piece);
  }
  return merged;
}

function isSameDetail(left: JsonObject, right: JsonObject): boolean {
  return left["type"] === right["type"] && left["index"] !== undefined && left["index"] === right["index"];
}

function joinDetail(left: JsonObject, right: JsonObject): JsonObject {
  const joined: { [key: string]: Json } = { ...left };
  for (const [key, value] of Object.entries(right)) {
    if (value === null) continue;
    const before = joined[key];
    const grows = (texts as readonly string[]).includes(key) && typeof before === "string" && typeof value === "string";
    joined[key] = grows ? before + value : value;
  }
  return joined;
}
