import { StreamError } from "../errors/index.ts";
import type { SseFrame, SseParser } from "./sse.ts";
import { createSseParser } from "./sse.ts";
import type { Utf8Piece } from "./utf8.ts";
import { createUtf8Reader } from "./utf8.ts";

/** Frames of a stream as it comes in. */
export type FrameParser = Pick<SseParser, "push" | "finish" | "stray" | "rest" | "idle">;

/** One element may be this long, as a frame of server-sent events may. */
const limit = 64 * 1024 * 1024;

/** So much white space may stand before the first character that tells the kind; a stream of more is taken for server-sent events. */
const longestBlank = 64 * 1024;

/**
 * A parser of server-sent events, or of a JSON list whose elements are the frames: Gemini streams one where the URL asks for no `alt=sse`.
 * The first character that is no space tells which it is.
 */
export function createFrameParser(): FrameParser {
  return new FrameReader();
}

/** A class, because each open stream has one: a literal with accessors takes four times the memory. */
class FrameReader implements FrameParser {
  #parser: FrameParser | undefined;
  /** What came before the first character that tells. */
  #blank: (string | Uint8Array)[] | undefined;
  #blankLength = 0;

  get stray(): string | undefined {
    return this.#parser?.stray;
  }

  get rest(): string | undefined {
    return this.#parser?.rest;
  }

  get idle(): boolean {
    return this.#parser?.idle === true;
  }

  push(chunk: string | Uint8Array): SseFrame[] {
    if (this.#parser !== undefined) return this.#parser.push(chunk);
    const first = firstOf(chunk);
    if (first === undefined && this.#blankLength + chunk.length <= longestBlank) {
      this.#blank ??= [];
      this.#blank.push(chunk);
      this.#blankLength += chunk.length;
      return [];
    }
    const begun = this.#begin(first === BRACKET);
    return [...this.#pushBlank(begun), ...begun.push(chunk)];
  }

  finish(): SseFrame[] {
    if (this.#parser !== undefined) return this.#parser.finish();
    const begun = this.#begin(false);
    return [...this.#pushBlank(begun), ...begun.finish()];
  }

  #begin(isList: boolean): FrameParser {
    const parser = isList ? createListParser() : createSseParser();
    this.#parser = parser;
    return parser;
  }

  #pushBlank(to: FrameParser): SseFrame[] {
    const blank = this.#blank ?? [];
    this.#blank = undefined;
    return blank.flatMap((chunk) => to.push(chunk));
  }
}

const BRACKET = 0x5b;
/** White space of JSON, and the byte order mark as a character and as bytes. */
const skipped: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xfeff, 0xef, 0xbb, 0xbf]);

/** The first character, or byte, that is neither space nor a mark. */
function firstOf(chunk: string | Uint8Array): number | undefined {
  for (let at = 0; at < chunk.length; at++) {
    const code = typeof chunk === "string" ? chunk.charCodeAt(at) : (chunk[at] as number);
    if (!skipped.has(code)) return code;
  }
  return undefined;
}

/** The bytes at which an element may begin or end: damage on one side of them is none on the other. */
const brackets: ReadonlySet<number> = new Set([..."{}[]"].map((bracket) => bracket.charCodeAt(0)));

/** A parser of a JSON list. It holds one element at most; what stands between elements is not looked at. */
function createListParser(): FrameParser {
  const utf8 = createUtf8Reader(brackets);
  let pieces: string[] = [];
  let length = 0;
  let damaged = false;
  /** The brackets that are open; the list itself is the first. */
  let depth = 0;
  let isText = false;
  let isEscaped = false;

  const hold = (piece: string): void => {
    length += piece.length;
    if (length > limit) throw new StreamError(`an element of the stream is longer than ${limit} characters`);
    if (piece !== "") pieces.push(piece);
  };
  const take = (): SseFrame => {
    const frame: SseFrame = { data: pieces.join(""), ...(damaged && { damaged: true as const }) };
    pieces = [];
    length = 0;
    damaged = false;
    return frame;
  };

  /** Where the text of a JSON string ends, from a place within it; the end of the piece where it goes on. */
  const endOfText = (piece: string, from: number): number => {
    for (let at = from; at < piece.length; at++) {
      if (isEscaped) {
        isEscaped = false;
        continue;
      }
      const code = piece.charCodeAt(at);
      if (code === 0x5c) isEscaped = true;
      else if (code === 0x22) {
        isText = false;
        return at;
      }
    }
    return piece.length;
  };

  const read = (piece: string, frames: SseFrame[]): void => {
    let start = depth > 1 ? 0 : piece.length;
    for (let at = 0; at < piece.length; at++) {
      if (isText) {
        at = endOfText(piece, at);
        continue;
      }
      switch (piece[at]) {
        case '"':
          isText = true;
          break;
        case "{":
        case "[":
          depth++;
          if (depth === 2) {
            start = at;
            damaged = false;
          }
          break;
        case "}":
        case "]":
          depth--;
          if (depth === 1) {
            hold(piece.slice(start, at + 1));
            frames.push(take());
            start = piece.length;
          }
          break;
      }
    }
    if (depth > 1) hold(piece.slice(start));
  };
  const readPieces = (list: readonly Utf8Piece[], frames: SseFrame[]): SseFrame[] => {
    for (const piece of list) {
      if (piece.damaged) damaged = true;
      read(piece.text, frames);
    }
    return frames;
  };

  return {
    stray: undefined,
    rest: undefined,
    // What stands between elements has to be read over.
    idle: false,
    push(chunk) {
      const frames: SseFrame[] = [];
      if (typeof chunk !== "string") return readPieces(utf8.push(chunk), frames);
      read(chunk, frames);
      return frames;
    },
    finish() {
      const frames = readPieces(utf8.finish(), []);
      return length > 0 ? [...frames, { ...take(), cut: true }] : frames;
    },
  };
}

/** Writes a JSON list element by element, as Gemini streams it where the URL asks for no `alt=sse`. */
export interface ListWriter {
  /** The text for one element, which is JSON. */
  push(element: string): string;
  /** What closes the list, be it empty. */
  finish(): string;
}

/** Each element stands behind its comma, so that a client can read it as soon as it is there. */
export function createListWriter(): ListWriter {
  let begun = false;
  return {
    push(element) {
      const before = begun ? "\n,\r\n" : "[";
      begun = true;
      return before + element;
    },
    finish: () => (begun ? "\n]\n" : "[]\n"),
  };
}
