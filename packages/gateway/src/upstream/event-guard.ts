import type { ProtocolId } from "@rolecall/core";
import { familyOf } from "../families/index.ts";

const NEWLINE = 0x0a;
const COLON = 0x3a;
/** An event that grows beyond this is passed on as it comes. */
const LONGEST_EVENT = 4 << 20;

/**
 * Watches a stream of events that passes through as bytes. It lets only whole events out, so that after a cut an error event can follow, tells
 * progress from comments, and knows whether the stream said that it is complete.
 */
export interface EventGuard {
  /** What may go out now; undefined for nothing. */
  push(chunk: Buffer): Buffer | undefined;
  /** True if the last pushed bytes held more than comments. */
  readonly progressed: boolean;
  /** The stream said its last word: what its connection does then changes nothing. */
  readonly ended: boolean;
  /** The stream ended: what is left to send, and whether it ended as its protocol demands. */
  finish(): { readonly rest: Buffer | undefined; readonly complete: boolean };
}

/** Behind the last blank line; 0 without one. */
function endOfEvents(bytes: Buffer): number {
  const { length } = bytes;
  if (length > 1 && bytes[length - 1] === NEWLINE && bytes[length - 2] === NEWLINE) return length;
  const plain = bytes.lastIndexOf("\n\n");
  const windows = bytes.lastIndexOf("\r\n\r\n");
  const returns = bytes.lastIndexOf("\r\r");
  return Math.max(plain < 0 ? 0 : plain + 2, windows < 0 ? 0 : windows + 4, returns < 0 ? 0 : returns + 2);
}

/** Whether a piece that starts at a line's start has a line that is neither empty nor a comment. */
function hasMoreThanComments(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte !== COLON && byte !== NEWLINE && byte !== 0x0d) return true;
    const next = bytes.indexOf(NEWLINE, at);
    if (next < 0) return false;
    at = next + 1;
  }
  return false;
}

export function createEventGuard(protocol: ProtocolId): EventGuard {
  const { ending, lastWord, lastTypes = [] } = familyOf(protocol);
  const types = lastTypes.map((type) => JSON.stringify(type));
  let isLast = false;
  let held: Buffer | undefined;
  const tail: Buffer[] = [];
  const release = (bytes: Buffer): Buffer => {
    isLast ||= types.some((type) => bytes.includes(type));
    tail.push(bytes.length > 4096 ? bytes.subarray(bytes.length - 4096) : bytes);
    if (tail.length > 3) tail.shift();
    return bytes;
  };
  const textOfTail = (): string => Buffer.concat(tail).toString("latin1");
  const guard = {
    progressed: false,
    get ended(): boolean {
      return isLast || lastWord.test(textOfTail());
    },
    push(chunk: Buffer): Buffer | undefined {
      const bytes = held === undefined ? chunk : Buffer.concat([held, chunk]);
      guard.progressed = hasMoreThanComments(bytes);
      const end = bytes.length > LONGEST_EVENT ? bytes.length : endOfEvents(bytes);
      held = end === bytes.length ? undefined : bytes.subarray(end);
      return end === 0 ? undefined : release(end === bytes.length ? bytes : bytes.subarray(0, end));
    },
    finish() {
      const rest = held === undefined ? undefined : release(held);
      return { rest, complete: isLast || ending.test(textOfTail()) };
    },
  };
  return guard;
}
