import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject, setOwn } from "../ir/index.ts";

/** Fields of a detail whose text comes in pieces. */
const texts = ["text", "summary", "data"] as const;

/** Adds pieces of reasoning details to a list: those of one type and index, which follow each other, are one entry. Gives the list. */
export function mergeDetails(list: Json[], pieces: readonly Json[]): Json[] {
  for (const piece of pieces) {
    const last = list.at(-1);
    if (isJsonObject(last) && isJsonObject(piece) && isSameDetail(last, piece)) {
      list[list.length - 1] = joinDetail(last, piece);
    } else list.push(piece);
  }
  return list;
}

function isSameDetail(left: JsonObject, right: JsonObject): boolean {
  return left["type"] === right["type"] && left["index"] !== undefined && left["index"] === right["index"];
}

function joinDetail(left: JsonObject, right: JsonObject): JsonObject {
  const joined: { [key: string]: Json } = { ...left };
  for (const [key, value] of Object.entries(right)) {
    if (value === null) continue;
    const before = Object.hasOwn(joined, key) ? joined[key] : undefined;
    const grows = (texts as readonly string[]).includes(key) && typeof before === "string" && typeof value === "string";
    setOwn(joined, key, grows ? before + value : value);
  }
  return joined;
}
