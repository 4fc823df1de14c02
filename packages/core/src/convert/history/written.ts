import type { Json, JsonObject } from "../../ir/index.ts";
import type { KnownDrafts } from "../../loss/index.ts";
import { leastPiece } from "./source.ts";

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
  const added = encoder.encode(text);
  const last = written.pieces.at(-1) as Uint8Array | undefined;
  if (last === undefined || last.length >= leastPiece) return { items: end, pieces: [...written.pieces, added] };
  return { items: end, pieces: [...written.pieces.slice(0, -1), joinBytes([last, added])] };
}

const asBytes = (piece: string | Uint8Array): Uint8Array => (typeof piece === "string" ? encoder.encode(piece) : piece);

function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** What of bodies was written before: the beginning of their histories, and what stands beside them. */
export interface Fragments {
  readonly lists: WeakMap<object, WrittenItems>;
  readonly members: WeakMap<object, string | Uint8Array>;
  readonly losses: KnownDrafts;
}

/** Writes a body as `JSON.stringify` does, without writing again what `fragments` has. */
export function writeText(body: JsonObject, fragments: Fragments): string {
  // Not joined: engines put pieces together without copying them.
  let whole = "";
  for (const piece of writePieces(body, fragments, "text")) whole += piece as string;
  return whole;
}

/** The same as bytes of UTF-8, in pieces that belong to the fragments. */
export function writeBytes(body: JsonObject, fragments: Fragments): readonly Uint8Array[] {
  return writePieces(body, fragments, "bytes").map(asBytes);
}

/** The same in one piece that belongs to the caller. */
export function writeJoined(body: JsonObject, fragments: Fragments): Uint8Array {
  return joinBytes(writeBytes(body, fragments));
}

function writePieces(
  body: JsonObject,
  { lists, members }: Fragments,
  kind: "text" | "bytes",
): readonly (string | Uint8Array)[] {
  const pieces: (string | Uint8Array)[] = [];
  let text = "";
  const put = (piece: string | Uint8Array): void => {
    if (typeof piece === "string") {
      text += piece;
      return;
    }
    if (text !== "") pieces.push(text);
    text = "";
    pieces.push(piece);
  };
  let before = "{";
  for (const key in body) {
    const value = body[key];
    if (value === undefined) continue;
    text += `${before}${JSON.stringify(key)}:`;
    before = ",";
    const written = typeof value === "object" && value !== null ? lists.get(value) : undefined;
    if (written === undefined) put(writeMember(value, members, kind));
    else {
      text += "[";
      for (const piece of written.pieces) put(piece);
      const list = value as readonly Json[];
      for (let index = written.items; index < list.length; index++)
        text += `${index === 0 ? "" : ","}${JSON.stringify(list[index])}`;
      text += "]";
    }
  }
  pieces.push(`${text}${before === "{" ? "{}" : "}"}`);
  return pieces;
}

/** Values of fewer characters are written again, and are no pieces of their own. */
const leastMember = 4096;

function writeMember(value: Json, members: Fragments["members"], kind: "text" | "bytes"): string | Uint8Array {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const known = members.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  if (text.length < leastMember) return text;
  const written = kind === "text" ? text : encoder.encode(text);
  members.set(value, written);
  return written;
}
