import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../ir/index.ts";
import { isJsonObject, setOwn } from "../ir/index.ts";
import { arbitraryJson, jsonObject } from "./json.ts";
import { few, mostly, oneWord, shape } from "./shape.ts";
import { objectKey } from "./text.ts";

type Open = { [key: string]: Json };

/** A place whose value may become another: a key of an object. */
interface Slot {
  readonly holder: Open;
  readonly key: string;
}

interface Places {
  readonly objects: Open[];
  readonly slots: Slot[];
  /** Those that hold a text. */
  readonly words: Slot[];
  readonly lists: Json[][];
}

interface Change {
  readonly kind: "key" | "null" | "wrong" | "word" | "block";
  readonly place: number;
  readonly key: string;
  readonly value: Json;
  readonly word: string;
  readonly block: JsonObject;
}

/** Without these a body is none of its protocol. */
const structure: ReadonlySet<string> = new Set([
  "role",
  "messages",
  "choices",
  "message",
  "tool_call_id",
  "input",
  "output",
  "contents",
  "parts",
  "candidates",
]);
/** Lists whose elements a protocol may add kinds to. */
const lists: ReadonlySet<string> = new Set([
  "content",
  "system",
  "tools",
  "tool_calls",
  "annotations",
  "citations",
  "parts",
]);

const change: Arbitrary<Change> = shape<Change>({
  kind: oneWord("key", "null", "wrong", "word", "block"),
  place: fc.nat(),
  key: mostly(oneWord("x_later", "extra_content"), objectKey),
  value: arbitraryJson(),
  word: oneWord("later_word", "constructor", "__proto__", "toString", ""),
  block: fc.tuple(oneWord("later_block", "constructor"), jsonObject).map(([type, rest]) => ({ ...rest, type })),
});

function findPlaces(value: Json, key: string, found: Places): void {
  if (Array.isArray(value)) {
    if (lists.has(key)) found.lists.push(value);
    for (const item of value) findPlaces(item, "", found);
    return;
  }
  if (!isJsonObject(value)) return;
  found.objects.push(value);
  for (const name of Object.keys(value)) {
    const isContent = name === "content" && "role" in value;
    if (!structure.has(name) && !isContent) {
      found.slots.push({ holder: value, key: name });
      if (typeof value[name] === "string") found.words.push({ holder: value, key: name });
    }
    findPlaces(value[name] as Json, name, found);
  }
}

function apply(body: Json, { kind, place, key, value, word, block }: Change): void {
  const found: Places = { objects: [], slots: [], words: [], lists: [] };
  findPlaces(body, "", found);
  const at = <T>(list: readonly T[]): T | undefined => list[place % Math.max(1, list.length)];
  const slot = at(kind === "word" ? found.words : found.slots);
  const list = at(found.lists);
  const object = at(found.objects);
  if (kind === "block") list?.splice(place % (list.length + 1), 0, block);
  else if (kind === "key") {
    if (object !== undefined && !Object.hasOwn(object, key)) setOwn(object, key, value);
  } else if (slot !== undefined) setOwn(slot.holder, slot.key, kind === "null" ? null : kind === "word" ? word : value);
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * The same bodies with what a decoder does not expect, at random places: unknown keys, words and blocks, nulls, and values of the wrong type. Some
 * of them are no bodies of their protocol any more.
 */
export function withUnknown(body: Arbitrary<JsonObject>): Arbitrary<JsonObject> {
  return fc.tuple(body, few(change, 4)).map(([usual, changes]) => {
    // Copies: what is drawn is drawn again.
    const copy = copyOf(usual);
    for (const one of changes) apply(copy, copyOf(one));
    return copy;
  });
}
