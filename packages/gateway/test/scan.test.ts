import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replaceSpans, scanLast, scanMembers } from "../src/model/scan.ts";

const keys = new Set(["model", "stream"]);
const scan = (text: string) => {
  const bytes = Buffer.from(text);
  const spans = scanMembers(bytes, keys);
  return (
    spans && Object.fromEntries([...spans].map(([key, { start, end }]) => [key, bytes.toString("utf8", start, end)]))
  );
};

describe("a scan of the top level", () => {
  test.each([
    ['{"model":"a"}', { model: '"a"' }],
    ['\uFEFF {"model" :\n"a" , "stream":true }\n', { model: '"a"', stream: "true" }],
    ['{"messages":[{"model":"no","x":"]}\\"}"}],"model":"yes"}', { model: '"yes"' }],
    ['{"stream":false,"x":{"stream":true},"model":"a\\\\"}', { stream: "false", model: '"a\\\\"' }],
    ['{"model":"a","messages":["\\"model\\": 1"]}', { model: '"a"' }],
    ['{"model":["a"],"x":1e5}', { model: '["a"]' }],
    ["{}", {}],
    ['{"x":[]}', {}],
  ])("%s", (text, found) => {
    expect(scan(text)).toEqual(found);
  });

  test.each([
    "",
    "[]",
    "null",
    '{"model":"a","model":"b"}',
    '{"x":[],"model":"a","model":"b"}',
    '{"model":"a","x":[],"mod\\u0065l":"b"}',
    '{"model":"a',
    '{"model"',
    '{"model" "a"}',
    '{"model":"a"} x',
    '{model:"a"}',
  ])("leaves %s to a parser", (text) => {
    expect(scan(text)).toBeUndefined();
  });

  test("replaces values and leaves all other bytes", () => {
    const bytes = Buffer.from('{ "é":1, "stream" : false,"model":"m" }');
    const spans = scanMembers(bytes, keys)!;
    const changed = replaceSpans(bytes, [
      [spans.get("model")!, '"n"'],
      [spans.get("stream")!, "true"],
    ]);
    expect(changed.toString()).toBe('{ "é":1, "stream" : true,"model":"n" }');
  });
});

describe("a look at the end of an object", () => {
  const last = (text: string) => {
    const bytes = Buffer.from(text);
    const span = scanLast(bytes, "model");
    return span && bytes.toString("utf8", span.start, span.end);
  };
  test.each([
    ['{"x":[1],"model":"a"}', '"a"'],
    ['{"x":[1], "model" : "a\\\\" ,"n":-1.5e+3, "s":true ,"t":null}\n ', '"a\\\\"'],
    ['"cut \\", "x": 1, "model":"a","é":"\\\\\\""}', '"a"'],
    ['{"model":"a","model":"b"}', '"b"'],
  ])("%s", (text, found) => {
    expect(last(text)).toBe(found);
  });

  test.each([
    "",
    "}",
    '{"model":"a"',
    '{"model":"a","x":[1]}',
    '{"model":"a","x":{}}',
    '{"x":{"model":"a"}}',
    '{"mod\\u0065l":"a"}',
    'del":"a"}',
    '\\"model":"a"}',
    '"model":"a"]',
    '{"model" "a"}',
    '{"model":}',
    '{"x":"\\"model\\":\\"a\\"}',
  ])("says nothing of %s", (text) => {
    expect(last(text)).toBeUndefined();
  });

  test("agrees with what a parser reads, from wherever the end is cut", () => {
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom("\\", '"', "a", ":", ",", "{", "}", " ", "é") }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    const object = fc.array(fc.tuple(fc.constantFrom("model", "stream", '"', "\\", "x"), value), { minLength: 1 });
    fc.assert(
      fc.property(object, fc.nat(), (members, cut) => {
        const text = `{${members.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`).join(",")}}`;
        const bytes = Buffer.from(text);
        const tail = bytes.subarray(cut % bytes.length);
        const span = scanLast(tail, "model");
        if (span === undefined) return;
        const { model } = JSON.parse(text) as { readonly model?: unknown };
        expect(JSON.parse(tail.toString("utf8", span.start, span.end))).toEqual(model);
      }),
      { numRuns: 2000 },
    );
  });
});
