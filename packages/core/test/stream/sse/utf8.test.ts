import fc from "fast-check";
import { expect, test } from "vitest";
import { createSseParser } from "../../../src/index.ts";
import type { Utf8Piece } from "../../../src/stream/utf8.ts";
import { createUtf8Reader } from "../../../src/stream/utf8.ts";

const textOf = (pieces: readonly Utf8Piece[]): string => pieces.map(({ text }) => text).join("");

/** Bytes of which many begin or go on with characters of several, right and wrong ones. */
const byte = fc.constantFrom(
  0x41,
  0x0a,
  0x80,
  0xa9,
  0xbf,
  0xc3,
  0xc0,
  0xe2,
  0x82,
  0xac,
  0xed,
  0xa0,
  0xf0,
  0x9f,
  0x98,
  0x80,
  0xf5,
  0xff,
  0xef,
  0xbb,
);

test("reads what a decoder with a state of its own reads, wherever the bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.array(byte, { maxLength: 6 }), { maxLength: 8 }), (chunks) => {
      const reader = createUtf8Reader();
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      const pieces = chunks.map((chunk) => Uint8Array.from(chunk));
      const read = pieces.map((piece) => textOf(reader.push(piece))).join("") + textOf(reader.finish());
      const expected = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
      expect(read).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});

test("gives each character as soon as it is whole", () => {
  const reader = createUtf8Reader();
  const pieces = [...new TextEncoder().encode("a€🌍")].map((item) => textOf(reader.push(Uint8Array.of(item))));
  expect(pieces).toEqual(["a", "", "", "€", "", "", "", "🌍"]);
});

test("says which frames hold bytes that are no UTF-8, wherever the bytes are cut", () => {
  const line = fc.record({ kind: fc.constantFrom("data", "comment"), hurt: fc.boolean() });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (lines, size) => {
      const bytes = lines.flatMap(({ kind, hurt }) => [
        ...new TextEncoder().encode(kind === "data" ? "data: \u20ac\ufffd" : ": c"),
        ...(hurt ? [0xff] : []),
        ...(kind === "data" ? [10, 10] : [10]),
      ]);
      const parser = createSseParser();
      const frames = [];
      for (let start = 0; start < bytes.length; start += size)
        frames.push(...parser.push(Uint8Array.from(bytes.slice(start, start + size))));
      frames.push(...parser.finish());
      const expected = lines.filter(({ kind }) => kind === "data").map(({ hurt }) => hurt);
      expect(frames.map(({ damaged }) => damaged === true)).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});
