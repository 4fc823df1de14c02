import { describe, expect, test } from "vitest";
import { replaceSpans, scanMembers } from "../src/model/scan.ts";

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
