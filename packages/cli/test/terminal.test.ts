import { describe, expect, test } from "vitest";
import { createProgress } from "../src/terminal/progress.ts";
import { columnsOf, count, pad, shorten, shortenStart, visible, visibleJson, wrap } from "../src/terminal/text.ts";

describe("text at the terminal", () => {
  test.each([
    ["plain /path", "plain /path"],
    ["a\u001b[31mb", "a\\u001b[31mb"],
    ["a\nb\tc\r", "a\\nb\\tc\\u000d"],
    ["\u009b31m \u007f", "\\u009b31m \\u007f"],
    ["\u202eevil\u2066 \u200b\ufeff\u00ad", "\\u202eevil\\u2066 \\u200b\\ufeff\\u00ad"],
    ["\u2028\u2029", "\\u2028\\u2029"],
    ["\ud800 \udc00", "\\ud800 \\udc00"],
    ["\u{e0041}", "\\udb40\\udc41"],
    ["Grüße 字 😀", "Grüße 字 😀"],
  ])("%j is shown as %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("JSON keeps its layout and its meaning", () => {
    const value = { a: "\u009b\u202e\u007f", b: ["\u001b"] };
    const text = visibleJson(JSON.stringify(value, undefined, 2));
    expect(JSON.parse(text)).toEqual(value);
    expect(text.split("\n")).toHaveLength(6);
    expect(text).not.toContain("\u009b");
  });

  test.each([
    ["abc", 3],
    ["", 0],
    ["字段", 4],
    ["e\u0301", 1],
    ["😀", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["한국", 4],
    ["×…·→", 4],
  ])("%j takes %d columns", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  test.each([
    ["abcdef", 6, "abcdef", "abcdef"],
    ["abcdef", 4, "abc…", "…def"],
    ["字段字段", 4, "字…", "…段"],
    ["abc", 1, "…", "…"],
    ["abc", 0, "", ""],
  ])("%j in %d columns", (text, columns, start, end) => {
    expect(shorten(text, columns)).toBe(start);
    expect(shortenStart(text, columns)).toBe(end);
  });

  test("is padded, counted and wrapped", () => {
    expect(pad("字", 4)).toBe("字  ");
    expect([count(1, "loss", "losses"), count(2000, "loss", "losses"), count(0, "tool")]).toEqual([
      "1 loss",
      "2,000 losses",
      "0 tools",
    ]);
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("unbreakable", 4)).toEqual(["unbreakable"]);
  });
});

describe("progress", () => {
  function progressAt(isTerminal: boolean) {
    let time = 0;
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    const messages = { isTerminal, columns: 12, supportsColor: false, write, drained: async () => {} };
    const progress = createProgress({ messages, now: () => new Date(time) });
    const pass = (milliseconds: number) => {
      time += milliseconds;
    };
    return { ...progress, pass, written: () => written.join("") };
  }

  test("is one line that is written over, safe to show and within the columns", () => {
    const { show, end, pass, written } = progressAt(true);
    show("too early");
    pass(200);
    show("a\u001b[2Jbcdefghijkl");
    show("too early");
    end();
    expect(written()).toBe("\r\u001b[Ka\\u001b[2J…\r\u001b[K");
  });

  test("is nothing without a terminal", () => {
    const { show, end, pass, written } = progressAt(false);
    pass(1000);
    show("text");
    end();
    expect(written()).toBe("");
  });
});
