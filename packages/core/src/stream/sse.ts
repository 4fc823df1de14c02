import { StreamError } from "../errors/index.ts";
import type { Utf8Piece } from "./utf8.ts";
import { createUtf8Reader } from "./utf8.ts";

/** One dispatched event of an SSE stream. `event` is absent for the default name; `id` is the last event id, where there is one. */
export interface SseFrame {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
  /** The stream ended within this frame, before its blank line. */
  readonly cut?: true;
  /** Some of its bytes are no UTF-8, and stand as U+FFFD. */
  readonly damaged?: true;
}

export interface SseParser {
  /** Frames that the chunk completes. Bytes are UTF-8 and may be cut anywhere. Throws a StreamError for a frame beyond the limit. */
  push(chunk: string | Uint8Array): SseFrame[];
  /** The frame that the end of the stream cut off, if it has data. A browser would drop it; some servers leave out the last blank line. */
  finish(): SseFrame[];
  /** Nothing is held: what comes next begins a frame. */
  readonly idle: boolean;
  /** The reconnection time that the stream asked for, in milliseconds. */
  readonly retry: number | undefined;
  /** What came in place of a stream: the text of a source without any frame, as far as it is no field of one. */
  readonly stray: string | undefined;
}

/** So much is kept of what came in place of a stream: a whole error body fits. */
const longestStray = 64 * 1024;

const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xfeff;

/** One frame may be this long unless stated: a whole image in base64 fits. */
const defaultLimit = 64 * 1024 * 1024;

/**
 * A parser of server-sent events by https://html.spec.whatwg.org/multipage/server-sent-events.html. It holds one frame at most, and its
 * time is linear: a line that spans many chunks is kept in pieces and joined once.
 */
export function createSseParser(options: { readonly maximumLength?: number } = {}): SseParser {
  const limit = options.maximumLength ?? defaultLimit;
  const utf8 = createUtf8Reader();
  let pieces: string[] = [];
  let held = 0;
  let afterReturn = false;
  let started = false;
  let data: string | undefined;
  let event = "";
  let id = "";
  let lineDamaged = false;
  let damaged = false;
  /** Lines that are no fields, while no frame came. */
  let stray: string | undefined = "";

  const count = (length: number): void => {
    held += length;
    if (held > limit) throw new StreamError(`a frame of the stream is longer than ${limit} characters`);
  };

  const readLine = (line: string, frames: SseFrame[]): void => {
    if (line === "") {
      if (data !== undefined) {
        frames.push(damaged ? { ...frameOf(data, event, id), damaged: true } : frameOf(data, event, id));
        stray = undefined;
      }
      data = undefined;
      event = "";
      held = 0;
      damaged = false;
      lineDamaged = false;
      return;
    }
    if (lineDamaged && !line.startsWith(":")) damaged = true;
    lineDamaged = false;
    // Nearly every line is one of these.
    if (line.startsWith("data:")) {
      const value = line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) {
      // A comment belongs to no frame and does not fill it up.
      if (data === undefined && event === "") held = 0;
      return;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
    if (field === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (field === "event") event = value;
    else if (field === "id") {
      if (!value.includes("\0")) id = value;
    } else if (field === "retry" && /^\d+$/.test(value)) parser.retry = Number(value);
    else if (stray !== undefined && stray.length < longestStray) stray += `${line}\n`;
  };

  const endLine = (rest: string, frames: SseFrame[]): void => {
    count(rest.length);
    if (pieces.length === 0) {
      readLine(rest, frames);
      return;
    }
    pieces.push(rest);
    const line = pieces.join("");
    pieces = [];
    readLine(line, frames);
  };

  const read = (chunk: string, frames: SseFrame[]): void => {
    let text = chunk;
    if (text === "") return;
    if (!started) {
      started = true;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    }
    let position = 0;
    if (afterReturn && text.charCodeAt(0) === 10) position = 1;
    if (text !== "") afterReturn = false;
    let nextReturn = text.indexOf("\r", position);
    let nextFeed = text.indexOf("\n", position);
    while (nextReturn >= 0 || nextFeed >= 0) {
      const isReturn = nextReturn >= 0 && (nextFeed < 0 || nextReturn < nextFeed);
      const end = isReturn ? nextReturn : nextFeed;
      endLine(text.slice(position, end), frames);
      position = end + 1;
      if (isReturn) {
        if (position === text.length) afterReturn = true;
        else if (text.charCodeAt(position) === 10) position++;
        nextReturn = text.indexOf("\r", position);
      }
      if (nextFeed >= 0 && nextFeed < position) nextFeed = text.indexOf("\n", position);
    }
    if (position < text.length) {
      const rest = text.slice(position);
      count(rest.length);
      pieces.push(rest);
    }
  };

  const readPieces = (pieces: readonly Utf8Piece[], frames: SseFrame[]): void => {
    for (const piece of pieces) {
      if (piece.damaged) lineDamaged = true;
      read(piece.text, frames);
    }
  };

  const parser = {
    retry: undefined as number | undefined,
    get idle(): boolean {
      return data === undefined && event === "" && pieces.length === 0 && !afterReturn && utf8.idle;
    },
    get stray(): string | undefined {
      const text = stray?.trim().slice(0, longestStray);
      return text === "" ? undefined : text;
    },
    push(chunk: string | Uint8Array): SseFrame[] {
      const frames: SseFrame[] = [];
      if (typeof chunk === "string") read(chunk, frames);
      else readPieces(utf8.push(chunk), frames);
      return frames;
    },
    finish(): SseFrame[] {
      const frames: SseFrame[] = [];
      readPieces(utf8.finish(), frames);
      if (pieces.length > 0) endLine("", frames);
      readLine("", frames);
      return frames.map((frame) => ({ ...frame, cut: true }));
    },
  };
  return parser;
}

function frameOf(data: string, event: string, id: string): SseFrame {
  if (id !== "") return event === "" ? { data, id } : { event, data, id };
  return event === "" ? { data } : { event, data };
}

/** A frame as text. Data of several lines becomes several `data:` lines. */
export function writeSse(frame: { readonly event?: string; readonly data: string }): string {
  const name = frame.event === undefined ? "" : `event: ${frame.event}\n`;
  if (!frame.data.includes("\n") && !frame.data.includes("\r")) return `${name}data: ${frame.data}\n\n`;
  const lines = frame.data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${name}${lines.join("")}\n`;
}

/** A comment block, which clients read over. */
export function writeComment(text: string): string {
  return `: ${text.replace(/[\r\n]+/g, " ")}\n\n`;
}
