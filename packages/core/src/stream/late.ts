import type { Json, JsonObject, Pointer, Rest } from "../ir/index.ts";
import { isJsonObject, jsonEqual, setOwn } from "../ir/index.ts";

/** What frames say of a whole response beside the words of the IR, each under its pointer in a response. */
export interface LateFields {
  /** `place` is where the stream says it. A value that `grows` is joined to the one before, where both are of a kind that can be. */
  add(pointer: Pointer, value: Json, place: Pointer, grows: boolean): void;
  /** All of it; undefined where nothing came. */
  rest(): Rest | undefined;
  /** Places of values that a later one replaced. */
  readonly replaced: readonly Pointer[];
}

interface Late {
  place: Pointer;
  value: Json;
  /** Of a list or of an object of lists: containers that may be changed in place, because nobody else has them. */
  growth: Growth | undefined;
}

/** Texts that come in pieces are kept in pieces, for a long answer has thousands of them. */
type Growth = Json[] | { readonly [key: string]: Json[] };

export function createLateFields(): LateFields {
  const fields = new Map<Pointer, Late>();
  const replaced: Pointer[] = [];
  return {
    replaced,
    add(pointer, value, place, grows) {
      const before = fields.get(pointer);
      const name = pointer.slice(pointer.lastIndexOf("/") + 1);
      if (before === undefined) {
        fields.set(pointer, { place, value, growth: grows ? growthOf(name, value) : undefined });
        return;
      }
      if (grows && before.growth !== undefined && grow(before.growth, value)) {
        if (isJsonObject(before.value) && isJsonObject(value)) before.value = { ...before.value, ...value };
        return;
      }
      if (!jsonEqual(before.value, value)) replaced.push(before.place);
      fields.set(pointer, { place, value, growth: grows ? growthOf(name, value) : undefined });
    },
    rest() {
      if (fields.size === 0) return undefined;
      const rest: { [pointer: Pointer]: Json } = {};
      for (const [pointer, { value, growth }] of fields) setOwn(rest, pointer, grown(value, growth));
      return rest;
    },
  };
}

/** Keys of objects whose values come in pieces: sound with its transcript, and what each token was worth. */
const pieces: { readonly [name: string]: readonly string[] } = {
  audio: ["data", "transcript"],
  logprobs: ["content", "refusal"],
};

function growthOf(name: string, value: Json): Growth | undefined {
  if (Array.isArray(value)) return [...(value as Json[])];
  const keys = Object.hasOwn(pieces, name) ? pieces[name] : undefined;
  if (keys === undefined || !isJsonObject(value)) return undefined;
  const growth = Object.fromEntries(keys.map((key) => [key, [] as Json[]]));
  addPieces(growth, value);
  return growth;
}

function grow(growth: Growth, value: Json): boolean {
  if (Array.isArray(growth)) {
    if (!Array.isArray(value)) return false;
    for (const item of value) growth.push(item as Json);
    return true;
  }
  if (!isJsonObject(value)) return false;
  addPieces(growth as { readonly [key: string]: Json[] }, value);
  return true;
}

function addPieces(growth: { readonly [key: string]: Json[] }, value: JsonObject): void {
  for (const key in growth) {
    const piece = value[key];
    if (Array.isArray(piece)) for (const item of piece) (growth[key] as Json[]).push(item as Json);
    else if (typeof piece === "string") (growth[key] as Json[]).push(piece);
  }
}

/** The value with its pieces put together. */
function grown(value: Json, growth: Growth | undefined): Json {
  if (growth === undefined) return value;
  if (Array.isArray(growth)) return [...growth];
  const whole: { [key: string]: Json } = { ...(value as JsonObject) };
  for (const [key, list] of Object.entries(growth)) {
    const isText = list.length > 0 && list.every((item) => typeof item === "string");
    if (isText) whole[key] = key === "data" ? joinBase64(list as string[]) : list.join("");
    else if (list.length > 0) whole[key] = [...list];
  }
  return whole;
}

/** Each piece may be padded by itself; what is no base64 is joined as it came. */
function joinBase64(list: readonly string[]): string {
  const isPadded = list.slice(0, -1).some((piece) => piece.endsWith("="));
  if (!isPadded) return list.join("");
  try {
    return btoa(list.map((piece) => atob(piece)).join(""));
  } catch {
    return list.join("");
  }
}
