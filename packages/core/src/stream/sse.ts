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
  /** What came behind the last frame and is no field of one: some services put the error there that ends a stream. */
  readonly rest: string | undefined;
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
  return new EventReader(options.maximumLength ?? defaultLimit);
}

/** A class, because each open stream has one: a literal with accessors takes four times the memory. */
class EventReader implements SseParser {
  retry: number | undefined;
  readonly #limit: number;
  readonly #utf8 = createUtf8Reader();
  #pieces: string[] = [];
  #held = 0;
  #afterReturn = false;
  #started = false;
  #data: string | undefined;
  #event = "";
  #id = "";
  #lineDamaged = false;
  #damaged = false;
  /** Lines that are no fields, since the last frame. */
  #stray = "";
  #framed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  #count(length: number): void {
    this.#held += length;
    if (this.#held > this.#limit)
      throw new StreamError(`a frame of the stream is longer than ${this.#limit} characters`);
  }

  #readLine(line: string, frames: SseFrame[]): void {
    if (line === "") {
      if (this.#data !== undefined) {
        frames.push(
          this.#damaged
            ? { ...frameOf(this.#data, this.#event, this.#id), damaged: true }
            : frameOf(this.#data, this.#event, this.#id),
        );
        this.#stray = "";
        this.#framed = true;
      }
      this.#data = undefined;
      this.#event = "";
      this.#held = 0;
      this.#damaged = false;
      this.#lineDamaged = false;
      return;
    }
    if (this.#lineDamaged && !line.startsWith(":")) this.#damaged = true;
    this.#lineDamaged = false;
    // Nearly every line is one of these.
    if (line.startsWith("data:")) {
      const value = line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) {
      // A comment belongs to no frame and does not fill it up.
      if (this.#data === undefined && this.#event === "") this.#held = 0;
      return;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
    if (field === "data") this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === "event") this.#event = value;
    else if (field === "id") {
      if (!value.includes("\0")) this.#id = value;
    } else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    else if (this.#stray.length < longestStray) this.#stray += `${line}\n`;
  }

  #endLine(rest: string, frames: SseFrame[]): void {
    this.#count(rest.length);
    if (this.#pieces.length === 0) {
      this.#readLine(rest, frames);
      return;
    }
    this.#pieces.push(rest);
    const line = this.#pieces.join("");
    this.#pieces = [];
    this.#readLine(line, frames);
  }

  #read(chunk: string, frames: SseFrame[]): void {
    let text = chunk;
    if (text === "") return;
    if (!this.#started) {
      this.#started = true;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    }
    let position = 0;
    if (this.#afterReturn && text.charCodeAt(0) === 10) position = 1;
    if (text !== "") this.#afterReturn = false;
    let nextReturn = text.indexOf("\r", position);
    let nextFeed = text.indexOf("\n", position);
    while (nextReturn >= 0 || nextFeed >= 0) {
      const isReturn = nextReturn >= 0 && (nextFeed < 0 || nextReturn < nextFeed);
      const end = isReturn ? nextReturn : nextFeed;
      this.#endLine(text.slice(position, end), frames);
      position = end + 1;
      if (isReturn) {
        if (position === text.length) this.#afterReturn = true;
        else if (text.charCodeAt(position) === 10) position++;
        nextReturn = text.indexOf("\r", position);
      }
      if (nextFeed >= 0 && nextFeed < position) nextFeed = text.indexOf("\n", position);
    }
    if (position < text.length) {
      const rest = text.slice(position);
      this.#count(rest.length);
      this.#pieces.push(rest);
    }
  }

  #readPieces(list: readonly Utf8Piece[], frames: SseFrame[]): void {
    for (const piece of list) {
      if (piece.damaged) this.#lineDamaged = true;
      this.#read(piece.text, frames);
    }
  }

  #strayText(): string | undefined {
    const text = this.#stray.trim().slice(0, longestStray);
    return text === "" ? undefined : text;
  }

  get idle(): boolean {
    return (
      this.#data === undefined &&
      this.#event === "" &&
      this.#pieces.length === 0 &&
      !this.#afterReturn &&
      this.#utf8.idle
    );
  }

  get stray(): string | undefined {
    return this.#framed ? undefined : this.#strayText();
  }

  get rest(): string | undefined {
    return this.#framed ? this.#strayText() : undefined;
  }

  push(chunk: string | Uint8Array): SseFrame[] {
    const frames: SseFrame[] = [];
    if (typeof chunk === "string") this.#read(chunk, frames);
    else this.#readPieces(this.#utf8.push(chunk), frames);
    return frames;
  }

  finish(): SseFrame[] {
    const frames: SseFrame[] = [];
    this.#readPieces(this.#utf8.finish(), frames);
    if (this.#pieces.length > 0) this.#endLine("", frames);
    this.#readLine("", frames);
    return frames.map((frame) => ({ ...frame, cut: true }));
  }
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
