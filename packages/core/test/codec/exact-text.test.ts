import type { Json } from "@rolecall/core";
import { inexactPlaces } from "@rolecall/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { survey } from "../../src/json/survey.ts";

/** A JSON text, and whether reading it loses something. */
interface Spelled {
  readonly text: string;
  readonly inexact: boolean;
}

const space = fc.constantFrom("", "", "", " ", "\n\t", " \r\n ");

/** Pieces that look as if they stood outside of a string. */
const misleading = [
  '"',
  ":",
  '":',
  '" :',
  "\\",
  '\\"',
  ",",
  "{",
  "}",
  "[",
  " ",
  "a",
  "é",
  "计",
  "-",
  "e-400",
  ":1e400",
  "12345678901234567890",
];
const content = fc.array(fc.constantFrom(...misleading), { maxLength: 6 }).map((pieces) => pieces.join(""));

/** Each character may be written as an escape. */
const quoted = (text: string, escaped: boolean): string =>
  escaped
    ? `"${[...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
    : JSON.stringify(text);

const strings = fc
  .tuple(content, fc.boolean())
  .map(([text, escaped]): Spelled => ({ text: quoted(text, escaped), inexact: false }));

const exactNumbers = [
  "0",
  "-0",
  "1.50",
  "1e3",
  "-1E+2",
  "0e-999",
  "9007199254740992",
  "123456789.012345",
  "0.00000000000000000001",
  "1e-99",
  "1e100",
];
const inexactNumbers = [
  "12345678901234567890",
  "-9007199254740993",
  "1e400",
  "-1E-400",
  "2.5e-324",
  "0.12345678901234567890",
  "1.00000000000000000001",
];
const numbers = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...exactNumbers).map((text): Spelled => ({ text, inexact: false })) },
  { weight: 1, arbitrary: fc.constantFrom(...inexactNumbers).map((text): Spelled => ({ text, inexact: true })) },
);

const keys = fc.tuple(fc.oneof(fc.constantFrom("a", "b", "c", "a\\", "1", "__proto__"), content), fc.boolean());

const { value } = fc.letrec<{ value: Spelled; list: Spelled; object: Spelled }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, strings, numbers, tie("list"), tie("object")),
  list: fc.array(fc.tuple(space, tie("value"), space), { maxLength: 4 }).map((items) => ({
    text: `[${items.map(([before, { text }, after]) => before + text + after).join(",")}]`,
    inexact: items.some(([, item]) => item.inexact),
  })),
  object: fc.array(fc.tuple(space, keys, space, space, tie("value")), { maxLength: 5 }).map((entries) => ({
    text: `{${entries.map(([before, [key, escaped], inner, after, item]) => `${before}${quoted(key, escaped)}${inner}:${after}${item.text}`).join(",")}}`,
    inexact:
      entries.some(([, , , , item]) => item.inexact) || new Set(entries.map(([, [key]]) => key)).size < entries.length,
  })),
}));

describe("what a text says beyond its value is found", () => {
  test("however it is spelled, and nowhere else", () => {
    fc.assert(
      fc.property(value, ({ text, inexact }) => {
        expect(inexactPlaces(text, JSON.parse(text) as Json).length > 0).toBe(inexact);
      }),
      { seed: 11, numRuns: 3000 },
    );
  });

  test("in the time that the text takes to be read, whatever stands in it", () => {
    for (const piece of ["0", "e-1", '\\"', ":", " ", "\\\\", "1e-400 ", "12345678 "]) {
      const text = `{"a":1${"0".repeat(200_000)}1,"b":"${piece.repeat(200_000)}"}`;
      const start = performance.now();
      expect(inexactPlaces(text, JSON.parse(text) as Json)).toEqual([{ path: "/a", what: "number" }]);
      expect(performance.now() - start).toBeLessThan(2000);
    }
  });
});

test("half surrogates are found in short and long texts, wherever they stand", () => {
  const pieces = fc.constantFrom("a", "é", "计", "\u{1f600}", "\ud83d", "\ude00");
  const texts = fc
    .tuple(
      fc.constantFrom("", "a".repeat(99), "计".repeat(101)),
      fc.array(pieces, { maxLength: 20 }),
      fc.constantFrom("", "é".repeat(30)),
    )
    .map(([before, middle, after]) => before + middle.join("") + after);
  fc.assert(
    fc.property(texts, (text) => {
      expect(survey([text], true).halves).toBe(!text.isWellFormed());
      expect(survey({ [text]: 1 }, true).halves).toBe(!text.isWellFormed());
    }),
    { seed: 12, numRuns: 2000 },
  );
});
