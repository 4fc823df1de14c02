import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Part } from "@rolecall/core";
import { mistaken } from "../input/file.ts";
import { Mistake } from "../mistake.ts";

/** What the kinds of files begin with that models look at, by the place of each piece. */
const kinds: readonly (readonly [mediaType: string, ...pieces: (readonly [place: number, bytes: string])[]])[] = [
  ["image/png", [0, "\u0089PNG\r\n"]],
  ["image/jpeg", [0, "\u00ff\u00d8\u00ff"]],
  ["image/gif", [0, "GIF8"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["application/pdf", [0, "%PDF-"]],
];

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A file as a part of a message: an image or a PDF by what it begins with, else the text that it holds. Throws a Mistake for one that is none of these. */
export function attachment(file: string): Part {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw mistaken("read", file, error);
  }
  const head = bytes.toString("latin1", 0, 16);
  const [mediaType] =
    kinds.find(([, ...pieces]) => pieces.every(([place, piece]) => head.startsWith(piece, place))) ?? [];
  const title = basename(file);
  if (mediaType === undefined)
    return { type: "document", title, source: { type: "text", mediaType: "text/plain", text: textOf(bytes, file) } };
  const source = { type: "base64", mediaType, data: bytes.toString("base64") } as const;
  return mediaType === "application/pdf" ? { type: "document", title, source } : { type: "image", source };
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Mistake(`${file}: neither text (UTF-8) nor an image (PNG, JPEG, GIF, WebP) or a PDF`);
  }
}
