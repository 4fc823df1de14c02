import type { ProtocolId } from "@rolecall/core";
import { endingOf } from "./ending.ts";
import { UpstreamFailure } from "./upstream.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;
/** The longest blank line with the end of the line before it, less its last byte. */
const OVERLAP = 3;

/**
 * Watches a stream of events that passes through as bytes. It lets only whole events out, so that after a cut an error event can follow, tells
 * progress from comments, and knows whether the stream said that it is complete.
 */
export interface EventGuard {
  /** What may go out now; undefined for nothing. Throws an UpstreamFailure for an event beyond the limit. */
  push(chunk: Buffer): Buffer | undefined;
  /** True if the last pushed bytes held more than comments. */
  readonly progressed: boolean;
  /** The stream said its last word: what its connection does then changes nothing. */
  readonly ended: boolean;
  /** The stream ended as its protocol demands, with all that was pushed. */
  readonly complete: boolean;
  /** What is left when the stream ended. */
  finish(): Buffer | undefined;
  /** What is left is an event that was cut, with which no stream is complete that did not say its last word before. */
  readonly cut: boolean;
}

const isAside = /^(?:id|retry)(?::|$)/;

/** Whether what no blank line follows is an event all the same: some services leave the last one out. */
function isWhole(rest: Buffer): boolean {
  const lines = rest
    .toString("utf8")
    .split(/[\r\n]+/)
    .filter((line) => line !== "" && !line.startsWith(":"));
  // What follows the data and says nothing itself ended the last line of it.
  if (lines.every((line) => isAside.test(line))) return true;
  const last = lines.at(-1) ?? "";
  if (!last.startsWith("data:") && !isAside.test(last)) return false;
  const said = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : [])).join("\n");
  if (said === "[DONE]") return true;
  try {
    JSON.parse(said);
    return true;
  } catch {
    return false;
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN;
}

/** Behind the last blank line, whatever ends the lines; 0 without one. */
function endOfEvents(bytes: Buffer): number {
  const { length } = bytes;
  if (length > 1 && bytes[length - 1] === NEWLINE && bytes[length - 2] === NEWLINE) return length;
  let newline = bytes.lastIndexOf(NEWLINE);
  let carriage = bytes.lastIndexOf(RETURN);
  while (newline > 0 || carriage > 0) {
    const at = Math.max(newline, carriage);
    const start = newline === at && bytes[at - 1] === RETURN ? at - 1 : at;
    if (start > 0 && isLineEnd(bytes[start - 1])) return at + 1;
    if (start === 0) return 0;
    if (newline >= start) newline = bytes.lastIndexOf(NEWLINE, start - 1);
    if (carriage >= start) carriage = bytes.lastIndexOf(RETURN, start - 1);
  }
  return 0;
}

/** Whether a piece that starts at a line's start has a line that is neither empty nor a comment. */
function hasMoreThanComments(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte !== COLON && !isLineEnd(byte)) return true;
    if (byte === COLON) while (at < bytes.length && !isLineEnd(bytes[at])) at++;
    at++;
  }
  return false;
}

/** `limit`: bytes of one event. */
export function createEventGuard(protocol: ProtocolId, limit: number): EventGuard {
  return new WholeEvents(protocol, limit);
}

/** So many of the last pieces tell how a stream ended. */
const TAIL = 3;

/** A class, because each open stream has one: a literal with accessors takes four times the memory. */
class WholeEvents implements EventGuard {
  progressed = false;
  cut = false;
  readonly #protocol: ProtocolId;
  readonly #limit: number;
  /** The beginning of an event, piece by piece: to join them for each one would take long for a long event. */
  #held: Buffer[] = [];
  #size = 0;
  /** Whether they hold more than comments. */
  #isHeldProgress = false;
  readonly #tail: Buffer[] = [];

  constructor(protocol: ProtocolId, limit: number) {
    this.#protocol = protocol;
    this.#limit = limit;
  }

  get ended(): boolean {
    return endingOf(this.#protocol, this.#tail) === "last";
  }

  get complete(): boolean {
    const ending = endingOf(this.#protocol, this.#tail);
    return ending === "last" || (ending !== undefined && !this.cut);
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.#held.length === 0) {
      this.progressed = hasMoreThanComments(chunk);
      const end = endOfEvents(chunk);
      if (end === chunk.length) return this.#release(chunk);
      this.#isHeldProgress = false;
      this.#hold(chunk.subarray(end));
      return end === 0 ? undefined : this.#release(chunk.subarray(0, end));
    }
    const end = endOfEvents(chunk) || endAcross(lastBytes(this.#held), chunk);
    if (end === 0) {
      this.#hold(chunk);
      this.progressed = this.#isHeldProgress;
      return undefined;
    }
    this.#held.push(chunk.subarray(0, end));
    const ready = joined(this.#held);
    this.progressed = this.#isHeldProgress || hasMoreThanComments(ready);
    this.#held = [];
    this.#size = 0;
    this.#isHeldProgress = false;
    this.#hold(chunk.subarray(end));
    this.progressed ||= this.#isHeldProgress;
    return this.#release(ready);
  }

  finish(): Buffer | undefined {
    if (this.#held.length === 0) return undefined;
    const rest = joined(this.#held);
    this.#held = [];
    this.cut = !isWhole(rest);
    return this.cut ? rest : this.#release(rest);
  }

  #release(bytes: Buffer): Buffer {
    this.#tail.push(bytes);
    if (this.#tail.length > TAIL) this.#tail.shift();
    return bytes;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#size += bytes.length;
    if (this.#size > this.#limit)
      throw new UpstreamFailure("answer", `an event of its stream is larger than ${this.#limit} bytes`);
    this.#isHeldProgress ||= hasMoreThanComments(joined(this.#held));
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

/** Where in a chunk the blank line ends that begins before it; 0 without one. */
function endAcross(before: Buffer, chunk: Buffer): number {
  return Math.max(0, endOfEvents(Buffer.concat([before, chunk.subarray(0, OVERLAP)])) - before.length);
}

/** As many bytes of the end as a blank line may need that goes on behind it. */
function lastBytes(pieces: readonly Buffer[]): Buffer {
  let found = pieces.at(-1) as Buffer;
  for (let index = pieces.length - 2; index >= 0 && found.length < OVERLAP; index--)
    found = Buffer.concat([pieces[index] as Buffer, found]);
  return found.subarray(Math.max(0, found.length - OVERLAP));
}
