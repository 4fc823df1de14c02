import { convertRequest, DecodeError } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { readArguments } from "../../src/ir/arguments.ts";
import { inexactArguments } from "../../src/json/argument-text.ts";
import { readJson, readJsonBytes } from "../../src/json/json-text.ts";
import { checkDepth, maximumDepth, wellFormed } from "../../src/json/survey.ts";

function thrown(run: () => unknown): DecodeError {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("text that is not JSON is refused at its place", () => {
  test.each([
    ["", 1, 1],
    ["{", 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ["[1 2]", 1, 4],
    ['"open', 1, 6],
    ['"\\x"', 1, 2],
    ["01", 1, 2],
    ["{} {}", 1, 4],
    ["nul", 1, 1],
    ["{'a': 1}", 1, 2],
    ['{\n  "a": tru\n}', 2, 8],
    ['{\r\n"é": "ü",\r\n"b": }', 3, 6],
  ])("%j: line %i, column %i", (text, line, column) => {
    expect(thrown(() => readJson(text))).toMatchObject({ line, column });
  });

  test("and is not quoted, because errors are logged", () => {
    expect(thrown(() => readJson('{"password": hunter2}')).message).not.toContain("hunter2");
  });

  test("however deep it nests", () => {
    expect(thrown(() => readJson("[".repeat(100_000))).column).toBe(100_001);
  });
});

describe("text that is JSON", () => {
  test("may begin with a byte order mark", () => {
    expect(readJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
    expect(readJsonBytes(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]))).toBe(1);
  });

  test("keeps keys that are names of object insides", () => {
    const value = readJson('{"__proto__": {"x": 1}, "constructor": 2}') as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(({} as { readonly x?: unknown }).x).toBeUndefined();
  });

  test("must be UTF-8", () => {
    expect(thrown(() => readJsonBytes(new Uint8Array([0x22, 0xff, 0x22]))).message).toContain("UTF-8");
  });
});

describe("depth", () => {
  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

  test(`up to ${maximumDepth} is accepted, more is refused`, () => {
    expect(() => checkDepth(nested(maximumDepth))).not.toThrow();
    expect(() => checkDepth(nested(maximumDepth + 1))).toThrow(DecodeError);
  });

  test("is refused in a body before anything else is looked at", async () => {
    const body = { model: "m", messages: [{ role: "user", content: nested(5000) }] };
    await expect(convertRequest(body, { from: "openai-chat", to: "anthropic-messages" })).rejects.toThrow(DecodeError);
  });
});

describe("halves of surrogate pairs", () => {
  test("become U+FFFD, in texts and keys; the places are told", () => {
    const places: string[] = [];
    const value = { "a\uD800": "x", b: ["fine 😀", "bad \uDC00"] };
    expect(wellFormed(value, (pointer) => places.push(pointer))).toEqual({
      "a\uFFFD": "x",
      b: ["fine 😀", "bad \uFFFD"],
    });
    expect(places).toEqual(["/a\uD800", "/b/1"]);
  });

  test("stay as they are on the way to the own protocol", async () => {
    const body = { model: "m", messages: [{ role: "user", content: "\uD800" }] };
    const own = await convertRequest(body, { from: "openai-chat", to: "openai-chat" });
    expect(own.value).toEqual(body);
    const other = await convertRequest(body, { from: "openai-chat", to: "anthropic-messages" });
    expect(JSON.stringify(other.value)).toContain("\uFFFD");
    expect(other.losses.map(({ code, path }) => `${code} ${path}`)).toContain(
      "text.lone_surrogate /messages/0/content",
    );
  });
});

describe("arguments", () => {
  test.each([
    ['{"a": 1}', { value: { a: 1 } }],
    ["", { value: {} }],
    ["  \n", { value: {} }],
    ["[1]", { error: "the arguments are not a JSON object" }],
    ["null", { error: "the arguments are not a JSON object" }],
    ['{"path": "src/gre', { error: "the arguments are not valid JSON" }],
  ])("%j are read as %j, never mended", (text, expected) => {
    expect(readArguments(text)).toEqual(expected);
  });

  test.each([
    ['{"id": 9007199254740993}', true, "more than 53 bits"],
    ['{"id": 9007199254740992}', false, "exactly 53 bits"],
    ['{"id": "9007199254740993"}', false, "a text"],
    ['{"x": 1.10}', false, "another spelling of the same number"],
    ['{"x": 1e2}', false, "another spelling of the same number"],
    ['{"x": 1e400}', true, "more than a double holds"],
    ['{"a": 1, "a": 2}', true, "a repeated key"],
    ['{"a": {"b": 1}, "b": 2}', false, "the same key in two objects"],
    ['{"a": "\\"b\\": 1"}', false, "a key inside of a text"],
    ['{"__proto__": 1, "__proto__": 2}', true, "a repeated odd key"],
  ])("%s lose something as an object: %s, %s", (text, inexact) => {
    expect(inexactArguments(text, JSON.parse(text))).toBe(inexact);
  });
});
