import type { ContextMessage, Message } from "@rolecall/core";
import {
  createMessage,
  createTranscriptReader,
  DecodeError,
  getCurrentTools,
  normalizeContext,
  readTranscript,
  TranscriptError,
  UnsupportedError,
  writeTranscript,
  writeTranscriptHeader,
  writeTranscriptMessage,
} from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { request } from "./samples.ts";

const { messages } = normalizeContext({ messages: request });
const text = writeTranscript(messages);
const lines = text.split("\n");

function failure(broken: string): TranscriptError {
  try {
    readTranscript(broken);
  } catch (error) {
    if (error instanceof TranscriptError) return error;
    throw error;
  }
  throw new Error("read without an error");
}

/** The text with one line put in the place of another; the header is line 0. */
const withLine = (index: number, line: string): string => lines.with(index, line).join("\n");

describe("a transcript", () => {
  test("is a header and a message per line, and gives the messages back", () => {
    expect(lines).toHaveLength(messages.length + 2);
    expect(JSON.parse(lines[0]!)).toEqual({ format: "rolecall-transcript", version: 1 });
    expect(lines.slice(1, -1).map((line) => JSON.parse(line))).toEqual(messages);
    expect(readTranscript(text)).toEqual(messages);
  });

  test("is the same written line by line, or from a context", () => {
    expect([writeTranscriptHeader(), ...messages.map(writeTranscriptMessage)].join("")).toBe(text);
    expect(writeTranscript(normalizeContext({ messages }))).toBe(text);
  });

  test("may be empty, have empty lines, other line ends, a mark at the front, or no end of the last line", () => {
    expect(readTranscript(writeTranscript([]))).toEqual([]);
    for (const other of [text.replaceAll("\n", "\r\n"), text.replaceAll("\n", "\n\n"), `\ufeff${text}`, text.trimEnd()])
      expect(readTranscript(other)).toEqual(messages);
  });

  test("holds loose forms in normal form", () => {
    const loose = `${writeTranscriptHeader()}{"role":"user","content":"hi"}\n`;
    expect(readTranscript(loose)).toEqual([{ role: "user", content: [{ type: "text", text: "hi" }] }]);
  });
});

describe("tools in a transcript", () => {
  const declaration = {
    name: "read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
    strict: true,
    inputExamples: [{ path: "a" }],
    outputSchema: { type: "string" },
    deferLoading: true,
    allowedCallers: ["direct"],
    cacheBreakpoint: { ttl: "1h" },
  };

  test("are their whole declarations, and nothing of what runs them", () => {
    const running = { ...declaration, label: "Read", executionMode: "parallel", execute: () => "done" };
    const written = writeTranscript([createMessage({ role: "system", toolsAdded: [running] })]);
    expect(getCurrentTools(readTranscript(written))).toEqual([{ type: "function", ...declaration }]);
    for (const word of ["execute", "label"]) expect(written).not.toContain(word);
  });

  test("are those that another copy of the tools declares", () => {
    const running = { type: "namespace", name: "n", description: "d", tools: [{ ...declaration, execute: () => "" }] };
    const message = { role: "system", content: "", toolsAdded: [running] } as unknown as ContextMessage;
    expect(writeTranscript(normalizeContext({ messages: [message] }))).not.toContain("execute");
  });
});

describe("what JSON cannot state is refused with its place", () => {
  const result = (details: unknown): Message =>
    ({ role: "toolResult", toolCallId: "a", content: [], isError: false, details }) as Message;

  test.each<[path: string, value: unknown]>([
    ["/details/run", { run: () => "done" }],
    ["/details/0", [Number.NaN]],
    ["/details", 1n],
  ])("%s", (path, value) => {
    expect(() => writeTranscriptMessage(result(value))).toThrow(DecodeError);
    expect(() => writeTranscriptMessage(result(value))).toThrow(expect.objectContaining({ path }));
  });

  test("nesting that nobody reads", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(() => writeTranscriptMessage(result(deep))).toThrow(DecodeError);
    const line = `{"role":"user","content":"","details":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    expect(failure(withLine(2, line))).toMatchObject({ line: 3 });
  });
});

describe("a line that is broken", () => {
  test("is told with line and column, and what was read before it is there", () => {
    const error = failure(withLine(3, '{"role":"user","content": x}'));
    expect(error).toMatchObject({ path: "/messages/2", line: 4, column: 27, isCutOff: false, code: "decode" });
    expect(error.messages).toEqual(messages.slice(0, 2));
    expect(error.message).toContain("line 4, column 27");
  });

  test("of JSON that is no message is told with its pointer", () => {
    const error = failure(withLine(3, '{"role":"user","content":[{"type":"text"}]}'));
    expect(error).toMatchObject({ path: "/messages/2/content/0/text", line: 4, column: 1, isCutOff: false });
    expect(error.messages).toEqual(messages.slice(0, 2));
  });

  test("because its write was cut off is known by that, wherever it was cut", () => {
    const start = text.length - lines.at(-2)!.length - 1;
    for (let end = start + 1; end < text.length - 1; end += 7) {
      const error = failure(text.slice(0, end));
      expect(error).toMatchObject({ line: 5, isCutOff: true });
      expect(error.messages).toEqual(messages.slice(0, 3));
    }
    expect(failure(withLine(4, '{"role"')).isCutOff).toBe(false);
  });

  test("because its write was cut off is left out where somebody is told of it", () => {
    const cut = text.slice(0, -5);
    const told: TranscriptError[] = [];
    const onCutOff = (error: TranscriptError) => told.push(error);
    expect(readTranscript(cut, { onCutOff })).toEqual(messages.slice(0, 3));
    const reader = createTranscriptReader({ onCutOff });
    expect([...reader.push(new TextEncoder().encode(cut)), ...reader.finish()]).toEqual(messages.slice(0, 3));
    expect(told).toMatchObject([
      { line: 5, isCutOff: true, messages: messages.slice(0, 3) },
      { line: 5, isCutOff: true, messages: [] },
    ]);
  });

  test("for any other reason is thrown all the same", () => {
    const onCutOff = () => {
      throw new Error("told of a line that is whole");
    };
    expect(() => readTranscript(withLine(3, "{"), { onCutOff })).toThrow(TranscriptError);
    const noMessage = `${lines.slice(0, -2).join("\n")}\n{"role":"user"}`;
    expect(() => readTranscript(noMessage, { onCutOff })).toThrow(TranscriptError);
    expect(readTranscript(text, { onCutOff })).toEqual(messages);
    // What has no header might be anything.
    for (const end of [1, 20]) expect(() => readTranscript(text.slice(0, end), { onCutOff })).toThrow(TranscriptError);
  });

  test("shows nothing of what it holds", () => {
    expect(failure(withLine(2, '{"secret words"')).message).not.toContain("secret");
  });
});

describe("a header", () => {
  test.each<[what: string, header: string]>([
    ["missing", ""],
    ["a message", lines[1]!],
    ["of another format", '{"format":"session","version":1}'],
    ["without a version", '{"format":"rolecall-transcript"}'],
    ["a number", "1"],
  ])("that is %s is refused", (_what, header) => {
    expect(failure(withLine(0, header))).toMatchObject({ messages: [], isCutOff: false });
    expect(() => readTranscript(withLine(0, header))).toThrow(/a transcript begins with/);
  });

  test("is missing in a text that is empty", () => {
    expect(() => readTranscript("")).toThrow(TranscriptError);
    expect(() => createTranscriptReader().finish()).toThrow(TranscriptError);
  });

  test("of a later version says which one, and what to do", () => {
    const later = withLine(0, '{"format":"rolecall-transcript","version":2}');
    expect(() => readTranscript(later)).toThrow(UnsupportedError);
    expect(() => readTranscript(later)).toThrow(expect.objectContaining({ feature: "transcriptVersion" }));
    expect(() => readTranscript(later)).toThrow(/version 2.*reads 1.*as new as/);
  });
});

describe("a reader", () => {
  const pieces = <T>(whole: { readonly length: number; slice(start: number, end: number): T }, size: number): T[] =>
    Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => whole.slice(index * size, (index + 1) * size));

  test.each([1, 2, 7, 100, 100_000])("of pieces of %i gives the same, of text and of bytes", (size) => {
    for (const chunks of [pieces(text, size), pieces(new TextEncoder().encode(text.trimEnd()), size)]) {
      const reader = createTranscriptReader();
      const read = chunks.flatMap((chunk) => reader.push(chunk));
      expect([...read, ...reader.finish()]).toEqual(messages);
    }
  });

  test("gives each message with the piece that ends it", () => {
    const reader = createTranscriptReader();
    expect(lines.slice(0, -1).map((line) => reader.push(`${line}\n`).length)).toEqual([0, 1, 1, 1, 1]);
    expect(reader.finish()).toEqual([]);
  });

  test("keeps what it read before bytes that are no text", () => {
    const bytes = new TextEncoder().encode(`${lines.slice(0, 3).join("\n")}\n{"role":"\u00e9`);
    bytes[bytes.length - 1] = 0xff;
    const reader = createTranscriptReader();
    let error: unknown;
    try {
      reader.push(bytes);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TranscriptError);
    expect(error).toMatchObject({ line: 4, messages: messages.slice(0, 2) });
  });

  test("knows a write that was cut off within a character", () => {
    const bytes = new TextEncoder().encode(`${lines.slice(0, 2).join("\n")}\n{"role":"\u00e9`);
    const reader = createTranscriptReader();
    expect(reader.push(bytes.subarray(0, -1))).toEqual(messages.slice(0, 1));
    expect(() => reader.finish()).toThrow(expect.objectContaining({ line: 3, isCutOff: true }));
  });
});
