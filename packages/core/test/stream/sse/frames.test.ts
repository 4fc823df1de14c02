import { describe, expect, test } from "vitest";
import type { SseFrame } from "../../../src/index.ts";
import { createFrameParser, createListWriter } from "../../../src/index.ts";

function parse(chunks: readonly (string | Uint8Array)[]): SseFrame[] {
  const parser = createFrameParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.finish()];
}

/** Streams of both kinds, and their frames. */
const table: { readonly [name: string]: readonly [string, readonly SseFrame[]] } = {
  "server-sent events": ["data: [1]\n\ndata: b\n\n", [{ data: "[1]" }, { data: "b" }]],
  "server-sent events after blank lines": ["\n\r\ndata: a\n\n", [{ data: "a" }]],
  "a list": ['[{"a":1},{"b":2}]', [{ data: '{"a":1}' }, { data: '{"b":2}' }]],
  "a list over lines": ['[{\n "a": 1\n}\n,\r\n{"b":2}\n]\n', [{ data: '{\n "a": 1\n}' }, { data: '{"b":2}' }]],
  "a list after a byte order mark": ['\uFEFF [{"a":1}]', [{ data: '{"a":1}' }]],
  "brackets and quotes within texts": [
    '[{"a":"]}\\"}\\\\"},{"é🌍":"["}]',
    [{ data: '{"a":"]}\\"}\\\\"}' }, { data: '{"é🌍":"["}' }],
  ],
  "objects within objects": ['[{"a":[{"b":{}}]}]', [{ data: '{"a":[{"b":{}}]}' }]],
  "the end cuts an element": ['[{"a":1},{"b":"', [{ data: '{"a":1}' }, { data: '{"b":"', cut: true }]],
  "the end cuts the list": ['[{"a":1},', [{ data: '{"a":1}' }]],
  "an empty list": ["[]", []],
  nothing: ["", []],
};

describe("parser of frames", () => {
  test.each(Object.entries(table))("%s, in every split", (_name, [text, frames]) => {
    const bytes = new TextEncoder().encode(text);
    expect(parse([text])).toEqual(frames);
    expect(parse([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(frames);
    for (let at = 0; at <= bytes.length; at++)
      expect(parse([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(frames);
  });
});

describe("writer of a list", () => {
  test.each([[[]], [['{"a":"]"}']], [['{"a":1}', '{"b":[2]}', '{"c":"é"}']]])(
    "writes %j as one list, each element at once",
    (elements) => {
      const writer = createListWriter();
      const pieces = elements.map((element) => writer.push(element));
      const text = pieces.join("") + writer.finish();
      expect(JSON.parse(text)).toEqual(elements.map((element) => JSON.parse(element)));
      for (const [index, piece] of pieces.entries()) expect(piece.endsWith(elements[index]!)).toBe(true);
      expect(parse([text])).toEqual(elements.map((element) => ({ data: element })));
    },
  );
});
