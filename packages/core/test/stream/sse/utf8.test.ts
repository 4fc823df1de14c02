import fc from "fast-check";
import { expect, test } from "vitest";
import { createUtf8Reader } from "../../../src/stream/utf8.ts";

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
      const read = pieces.map((piece) => reader.push(piece)).join("") + reader.finish();
      const expected = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
      expect(read).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});

test("gives each character as soon as it is whole", () => {
  const reader = createUtf8Reader();
  const pieces = [...new TextEncoder().encode("a€🌍")].map((item) => reader.push(Uint8Array.of(item)));
  expect(pieces).toEqual(["a", "", "", "€", "", "", "", "🌍"]);
});
