import { StreamError } from "../errors/index.ts";
import type { SseFrame, SseParser } from "./sse.ts";
import { createSseParser } from "./sse.ts";
import { createUtf8Reader } from "./utf8.ts";

/** Frames of a stream as it comes in. */
export type FrameParser = Pick<SseParser, "push" | "finish">;

/** One element may be this long, as a frame of server-sent events may. */
const limit = 64 * 1024 * 1024;

/**
 * A parser of server-sent events, or of a JSON list whose elements are the frames: Gemini streams one where the URL asks for no `alt=sse`.
 * The first character that is no space tells which it is.
 */
export function createFrameParser(): FrameParser {
  const utf8 = createUtf8Reader();
  let parser: FrameParser | undefined;
  let held = "";
  const read = (text: string): SseFrame[] => {
    if (parser !== undefined) return parser.push(text);
    held += text;
    const first = /[^\s\uFEFF]/.exec(held);
    if (first === null) return [];
    parser = first[0] === "[" ? createListParser() : createSseParser();
    return parser.push(held);
  };
  return {
    push: (chunk) => read(typeof chunk === "string" ? chunk : utf8.push(chunk)),
    finish() {
      const frames = read(utf8.finish());
      return parser === undefined ? frames : [...frames, ...parser.finish()];
    },
  };
}

/** A parser of a JSON list. It holds one element at most; what stands between elements is not looked at. */
function createListParser(): FrameParser {
  let pieces: string[] = [];
  let length = 0;
  /** The brackets that are open; the list itself is the first. */
  let depth = 0;
  let isText = false;
  let isEscaped = false;

  const hold = (piece: string): void => {
    length += piece.length;
    if (length > limit) throw new StreamError(`an element of the stream is longer than ${limit} characters`);
    if (piece !== "") pieces.push(piece);
  };
  const take = (): string => {
    const text = pieces.join("");
    pieces = [];
    length = 0;
    return text;
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

  return {
    push(chunk) {
      const piece = chunk as string;
      const frames: SseFrame[] = [];
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
            if (depth === 2) start = at;
            break;
          case "}":
          case "]":
            depth--;
            if (depth === 1) {
              hold(piece.slice(start, at + 1));
              frames.push({ data: take() });
              start = piece.length;
            }
            break;
        }
      }
      if (depth > 1) hold(piece.slice(start));
      return frames;
    },
    finish: () => (length > 0 ? [{ data: take(), cut: true }] : []),
  };
}
