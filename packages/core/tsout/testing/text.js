import fc from "fast-check";
import { mostly, weighted } from "./shape.js";
const plainTexts = [
    "a",
    "What is the weather in Lisbon?",
    "It is 21 degrees and sunny.",
    "line one\nline two",
    "naïve café, 東京, Ελλάδα",
    'He said "no" \\ and left',
    '{"error":"not found"}',
    "```ts\nconst a = 1;\n```",
    "x < y && y > z </script>",
];
/** Texts that break careless code: empty, blank, control, bidirectional, joined, half a pair, words of the language. */
const oddTexts = [
    "",
    " ",
    "\n\t ",
    "ends in space \n",
    "\u0000",
    "\u0001\u001f\u007f\u0085",
    "\u202egnihton\u202c\u200f",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "e\u0301\ufb01",
    "\ud800",
    "a\udc00b",
    "\ufeffmark",
    "\u2028\u2029",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "[object Object]",
    "a/b~c~1",
    "\\u0041\\ud800",
    "data:text/plain;base64,QQ==",
];
/** A text that is too long to look at. */
const longText = fc
    .integer({ min: 1, max: 40 })
    .map((count) => "All work and no play. ".repeat(count * 25));
const text = weighted([12, fc.constantFrom(...plainTexts)], [4, fc.constantFrom(...oddTexts)], [2, fc.string({ unit: "binary", maxLength: 12 })], [2, fc.string({ unit: "grapheme", maxLength: 12 })], [1, longText]);
/** Any text: mostly plain, now and then empty, blank, odd or very long. Shrinks to "a". */
export function arbitraryText() {
    return text;
}
/** A text with something to read in it. */
export const plainText = fc.constantFrom(...plainTexts);
/** A key of an object, also one that is a word of the language. */
export const objectKey = weighted([8, fc.constantFrom("city", "unit", "id", "items", "note", "value", "a b", "ключ")], [2, fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "a/b", "~", "0")], [1, fc.string({ unit: "binary", maxLength: 6 })]);
/** A name that every protocol takes. */
export const identifier = fc.stringMatching(/^[a-z][a-z0-9_-]{0,11}$/);
/** The name of a tool: mostly one that every protocol takes, else one that some do not. */
export const toolName = mostly(fc.oneof(fc.constantFrom("get_weather", "search", "run-code"), identifier), fc.oneof(fc.constantFrom("files.read", "my tool", "天気", "toString", "__proto__", "constructor", "mcp:server/tool", "a__b"), fc.integer({ min: 60, max: 140 }).map((length) => "n".repeat(length))));
/** An id as services make them; `odd` ones have characters or a length that some protocols refuse. */
export const callId = mostly(fc.stringMatching(/^(?:call|toolu)_[A-Za-z0-9]{4,10}$/), fc.oneof(fc.constantFrom("functions.get_weather:0", "id with space", "__proto__", "x"), fc.integer({ min: 38, max: 90 }).map((length) => `call_${"i".repeat(length)}`)));
export const base64 = fc.base64String({ minLength: 4, maxLength: 24 });
export const url = mostly(fc.constantFrom("https://example.com/a.png", "https://example.com/b?c=d#e"), fc.webUrl());
/** A number that JSON keeps as it is. */
export const number = weighted([6, fc.integer({ min: 0, max: 4096 })], [2, fc.constantFrom(0.5, 0.7, 1.25, -1)], [1, fc.constantFrom(1e21, 5e-324, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, -2147483649)]);
/** A count of tokens. */
export const count = fc.integer({ min: 0, max: 5000 });
//# sourceMappingURL=text.js.map