import { describe, expect, test } from "vitest";
import type { SseFrame } from "../../../src/index.ts";
import { createSseParser, StreamError, writeComment, writeSse } from "../../../src/index.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(chunks: readonly (string | Uint8Array)[]): SseFrame[] {
  const parser = createSseParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.finish()];
}

/** Streams and their frames, as the standard says; a frame that the end cuts off is marked. */
const table: { readonly [name: string]: readonly [string, readonly SseFrame[]] } = {
  "one frame": ["data: a\n\n", [{ data: "a" }]],
  "without a space": ["data:a\n\n", [{ data: "a" }]],
  "only one space is taken": ["data:  a\n\n", [{ data: " a" }]],
  "carriage returns": ["data: a\r\rdata: b\r\r", [{ data: "a" }, { data: "b" }]],
  "both line ends": ["data: a\r\n\r\ndata: b\r\n\r\n", [{ data: "a" }, { data: "b" }]],
  "mixed line ends": ["data: a\r\n\ndata: b\n\r\n", [{ data: "a" }, { data: "b" }]],
  "byte order mark": ["\uFEFFdata: a\n\n", [{ data: "a" }]],
  "byte order mark later": ["data: a\n\n\uFEFFdata: b\n\n", [{ data: "a" }]],
  "several lines of data": ["data: a\ndata:\ndata: b\n\n", [{ data: "a\n\nb" }]],
  "empty data": ["data:\n\n", [{ data: "" }]],
  "data without a colon": ["data\n\n", [{ data: "" }]],
  comments: [": hi\n\n:\n: there\ndata: a\n: in between\n\n", [{ data: "a" }]],
  "event names": ["event: x\ndata: a\n\ndata: b\n\n", [{ event: "x", data: "a" }, { data: "b" }]],
  "an event without data": ["event: x\n\ndata: b\n\n", [{ data: "b" }]],
  ids: [
    "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
    [{ data: "a", id: "7" }, { data: "b", id: "7" }, { data: "c" }],
  ],
  "an id with NUL": ["id: 7\0\ndata: a\n\n", [{ data: "a" }]],
  "unknown fields": ["foo: x\nbar\ndata: a\n\n", [{ data: "a" }]],
  "a colon in the data": ["data: a: b\n\n", [{ data: "a: b" }]],
  "characters of all lengths": ["data: 北京🌍é\n\n", [{ data: "北京🌍é" }]],
  "the end cuts a frame": ["data: a\n\ndata: b", [{ data: "a" }, { data: "b", cut: true }]],
  "the end cuts a blank line": ["data: a\n", [{ data: "a", cut: true }]],
  nothing: ["", []],
};

describe("parser of server-sent events", () => {
  for (const [name, [text, frames]] of Object.entries(table)) {
    test(name, () => {
      expect(parse([text])).toEqual(frames);
      expect(parse([bytes(text)])).toEqual(frames);
    });
    test(`${name}, in every split`, () => {
      const whole = bytes(text);
      expect(parse([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(frames);
      expect(parse([...text])).toEqual(frames);
      for (let at = 0; at <= whole.length; at++)
        expect(parse([whole.subarray(0, at), new Uint8Array(), whole.subarray(at)])).toEqual(frames);
      for (let at = 0; at <= text.length; at++) expect(parse([text.slice(0, at), "", text.slice(at)])).toEqual(frames);
    });
  }

  test("reads the reconnection time", () => {
    const parser = createSseParser();
    parser.push("retry: 250\nretry: soon\n\n");
    expect(parser.retry).toBe(250);
  });

  test("refuses a frame beyond the limit, however it is cut", () => {
    const parser = createSseParser({ maximumLength: 100 });
    expect(parser.push(`data: ${"a".repeat(80)}\n\n`)).toHaveLength(1);
    expect(() => {
      for (let index = 0; index < 200; index++) parser.push(index === 0 ? "data: " : "a");
    }).toThrow(StreamError);
    const lines = createSseParser({ maximumLength: 100 });
    expect(() => lines.push("data: aaaaaaaaaa\n".repeat(20))).toThrow(/longer than 100/);
  });

  test("counts no comments against the limit", () => {
    const parser = createSseParser({ maximumLength: 100 });
    expect(() => parser.push(": keep-alive\n\n".repeat(1000))).not.toThrow();
    expect(() => parser.push(":\n".repeat(1000))).not.toThrow();
  });

  test("takes linear time for a line in many pieces", { retry: 4 }, () => {
    const time = (length: number): number => {
      const started = performance.now();
      const parser = createSseParser();
      parser.push("data: ");
      for (let index = 0; index < length; index++) parser.push("abcdefgh");
      expect(parser.push("\n\n")[0]?.data.length).toBe(length * 8);
      return performance.now() - started;
    };
    time(20_000);
    const small = Math.min(time(50_000), time(50_000), time(50_000));
    const large = Math.min(time(200_000), time(200_000), time(200_000));
    expect(large).toBeLessThan(Math.max(small, 2) * 12);
  });
});

describe("writer of server-sent events", () => {
  test("writes what the parser reads", () => {
    for (const frame of [{ data: "a" }, { event: "x", data: "a\nb" }, { data: "" }, { data: "a\r\nb" }]) {
      const data = frame.data.replace("\r\n", "\n");
      expect(parse([writeSse(frame)])).toEqual([{ ...frame, data }]);
    }
    expect(parse([writeComment("a\ndata: b")])).toEqual([]);
  });
});
