/** Where a value of a JSON text stands: its first byte and the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Bytes that are looked at one by one before a search for the next quote takes over: it is fast, but costs a call. */
const SHORT = 64;

/** Behind the closing quote of the string that opens at `start`; -1 where it never closes. */
function skipString(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let at = start + 1;
  for (;;) {
    const stop = Math.min(at + SHORT, length);
    while (at < stop) {
      const byte = bytes[at++];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return -1;
    if (slashesBefore(bytes, quote, at) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** How many backslashes stand before a place, from `first` on. */
function slashesBefore(bytes: Buffer, place: number, first: number): number {
  let at = place;
  while (at > first && bytes[at - 1] === BACKSLASH) at--;
  return place - at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start);
  let at = start;
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    while (at < bytes.length && bytes[at] !== COMMA && bytes[at] !== CLOSE_BRACE && !isSpace(bytes[at])) at++;
    return at;
  }
  let depth = 0;
  while (at >= 0 && at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    at++;
    // Brackets and braces differ in one bit.
    if ((byte | 0x20) === OPEN_BRACE) depth++;
    else if ((byte | 0x20) === CLOSE_BRACE && --depth === 0) return at;
  }
  return -1;
}

/**
 * The places of some members of a JSON object, found without parsing it. Undefined for a text that is no object, that repeats one of the keys
 * or that visibly is no JSON: then a parser has to say what is wrong with it.
 */
export function scanMembers(bytes: Buffer, keys: ReadonlySet<string>): ReadonlyMap<string, Span> | undefined {
  const found = new Map<string, Span>();
  let repeats = false;
  const end = walkMembers(bytes, (key, start, end) => {
    if (!keys.has(key)) return true;
    repeats = found.has(key);
    found.set(key, { start, end });
    return !repeats;
  });
  return end === bytes.length && !repeats ? found : undefined;
}

/**
 * Where the first member of a name stands, in a text of which maybe only the beginning is there. What stands behind it is not looked at: it may
 * be no JSON, or name the member again. Undefined where the member is not there as a whole.
 */
export function scanFirst(bytes: Buffer, name: string): Span | undefined {
  let first: Span | undefined;
  walkMembers(bytes, (key, start, end) => {
    // A value that ends with the text may go on behind it.
    if (key === name && end < bytes.length) first = { start, end };
    return key !== name;
  });
  return first;
}

/**
 * Where the last member of a name stands, in a text of which maybe only the end is there, and which is an object: as far as all behind it are
 * strings, numbers and words. Undefined where it is not there as a whole.
 */
export function scanLast(bytes: Buffer, name: string): Span | undefined {
  let at = spaceBefore(bytes, bytes.length);
  let separator = CLOSE_BRACE;
  while (bytes[at - 1] === separator) {
    const end = spaceBefore(bytes, at - 1);
    const start = scalarBefore(bytes, end);
    const colon = spaceBefore(bytes, start);
    if (bytes[colon - 1] !== COLON) return undefined;
    const keyEnd = spaceBefore(bytes, colon - 1);
    const key = stringBefore(bytes, keyEnd);
    if (key < 0) return undefined;
    const text = bytes.toString("utf8", key + 1, keyEnd - 1);
    if (text.includes("\\u")) return undefined;
    if (text === name) return { start, end };
    at = spaceBefore(bytes, key);
    separator = COMMA;
  }
  return undefined;
}

/** Where the white space before a place begins. */
function spaceBefore(bytes: Buffer, place: number): number {
  let at = place;
  while (at > 0 && isSpace(bytes[at - 1])) at--;
  return at;
}

/** Where the string that ends before `end` opens; -1 where there is none, or it opens before the bytes. */
function stringBefore(bytes: Buffer, end: number): number {
  if (bytes[end - 1] !== QUOTE) return -1;
  for (let at = end - 2; at > 0; at--)
    if (bytes[at] === QUOTE) {
      const slashes = slashesBefore(bytes, at, 0);
      // How many there are before the bytes nobody knows.
      if (slashes === at) return -1;
      if (slashes % 2 === 0) return at;
    }
  return -1;
}

/** Where the string, number or word that ends before `end` begins; -1 where there is none, or it begins before the bytes. */
function scalarBefore(bytes: Buffer, end: number): number {
  if (bytes[end - 1] === QUOTE) return stringBefore(bytes, end);
  let at = end;
  while (at > 0 && isOfWord(bytes[at - 1] as number)) at--;
  return at === end || at === 0 ? -1 : at;
}

/** Letters and digits, signs and points of numbers. */
function isOfWord(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

/** True for a text that begins as an object does. */
export function beginsObject(bytes: Buffer): boolean {
  return bytes[startOf(bytes)] === OPEN_BRACE;
}

/** Behind a byte order mark and white space. */
function startOf(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (isSpace(bytes[at])) at++;
  return at;
}

/**
 * Goes from member to member of a JSON object, as long as `visit` wants more; gives the place behind the object and its white space, and -1 where
 * `visit` wanted no more, or for a text that is no object.
 */
function walkMembers(bytes: Buffer, visit: (key: string, start: number, end: number) => boolean): number {
  let at = startOf(bytes);
  const skipSpace = () => {
    while (isSpace(bytes[at])) at++;
  };
  if (bytes[at] !== OPEN_BRACE) return -1;
  at++;
  skipSpace();
  if (bytes[at] !== CLOSE_BRACE) {
    for (;;) {
      skipSpace();
      if (bytes[at] !== QUOTE) return -1;
      const keyEnd = skipString(bytes, at);
      if (keyEnd < 0) return -1;
      const key = bytes.toString("utf8", at + 1, keyEnd - 1);
      // A key that spells its letters as escapes could be any key.
      if (key.includes("\\u")) return -1;
      at = keyEnd;
      skipSpace();
      if (bytes[at] !== COLON) return -1;
      at++;
      skipSpace();
      const start = at;
      at = skipValue(bytes, start);
      if (at < 0 || !visit(key, start, at)) return -1;
      skipSpace();
      if (bytes[at] === CLOSE_BRACE) break;
      if (bytes[at] !== COMMA) return -1;
      at++;
    }
  }
  at++;
  skipSpace();
  return at;
}

/** Where a value stands that lies below one of the scanned members; undefined where it does not, or not once. */
export function findMember(
  bytes: Buffer,
  spans: ReadonlyMap<string, Span>,
  [key = "", ...below]: readonly string[],
): Span | undefined {
  const span = spans.get(key);
  const [next] = below;
  if (span === undefined || next === undefined) return span;
  const inner = scanMembers(bytes.subarray(span.start, span.end), new Set([next]));
  const found = inner && findMember(bytes.subarray(span.start, span.end), inner, below);
  return found && { start: span.start + found.start, end: span.start + found.end };
}

/** The bytes with other values at some places. All other bytes stay as they are. */
export function replaceSpans(bytes: Buffer, changes: readonly (readonly [span: Span, text: string])[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [span, text] of [...changes].sort(([left], [right]) => left.start - right.start)) {
    pieces.push(bytes.subarray(at, span.start), Buffer.from(text));
    at = span.end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}
