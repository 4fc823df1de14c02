import type { Json, JsonObject } from "../../ir/index.ts";
import type { KnownDrafts } from "../../loss/index.ts";

/** Text in pieces, each written once. Beyond so many they are put together. */
const mostPieces = 32;

/** The JSON of the first items of a list, with commas between them and no brackets. */
export interface WrittenItems {
  readonly items: number;
  readonly pieces: readonly (string | Uint8Array)[];
}

const encoder = new TextEncoder();

export const noItems: WrittenItems = { items: 0, pieces: [] };

/** The items that follow those which were written. */
export function writeItems(
  written: WrittenItems,
  list: readonly Json[],
  end: number,
  kind: "text" | "bytes",
): WrittenItems {
  if (end <= written.items) return written;
  let text = "";
  for (let index = written.items; index < end; index++) {
    if (index > 0) text += ",";
    text += JSON.stringify(list[index]);
  }
  if (kind === "text") return { items: end, pieces: [(written.pieces[0] ?? "") + text] };
  const pieces = [...written.pieces, encoder.encode(text)];
  return { items: end, pieces: pieces.length > mostPieces ? [joinBytes(pieces)] : pieces };
}

function joinBytes(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  const bytes = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  const joined = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of bytes) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** What of bodies was written before: the beginning of their histories, and what stands beside them. */
export interface Fragments {
  readonly lists: WeakMap<object, WrittenItems>;
  readonly members: WeakMap<object, string>;
  readonly losses: KnownDrafts;
}

/** Writes a body as `JSON.stringify` does, without writing again what `fragments` has. */
export function writeBody(body: JsonObject, fragments: Fragments, kind: "text" | "bytes"): string | Uint8Array {
  const pieces: (string | Uint8Array)[] = [];
  let text = "{";
  let isFirst = true;
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (value === undefined) continue;
    text += `${isFirst ? "" : ","}${JSON.stringify(key)}:`;
    isFirst = false;
    const written = typeof value === "object" && value !== null ? fragments.lists.get(value) : undefined;
    if (written === undefined) {
      text += writeMember(value, fragments);
      continue;
    }
    pieces.push(`${text}[`, ...written.pieces);
    const list = value as readonly Json[];
    text = "";
    for (let index = written.items; index < list.length; index++)
      text += `${index === 0 ? "" : ","}${JSON.stringify(list[index])}`;
    text += "]";
  }
  pieces.push(`${text}}`);
  if (kind === "bytes") return joinBytes(pieces);
  // Not joined: engines put pieces together without copying them.
  let whole = "";
  for (const piece of pieces) whole += piece as string;
  return whole;
}

/** Values of fewer characters are written again. */
const leastLength = 256;

function writeMember(value: Json, { members }: Fragments): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const known = members.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  if (text.length >= leastLength) members.set(value, text);
  return text;
}
