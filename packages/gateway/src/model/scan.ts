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
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Behind the closing quote of the string that opens at `start`; -1 where it never closes. */
function skipString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return -1;
    let slashes = 0;
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
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
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at + 1;
    }
    at++;
  }
  return -1;
}

/**
 * Whether one of the keys may stand in what is left. A search for bytes is many times faster than a scan, and most bodies state the few
 * things that are looked for before the long ones.
 */
function mayHold(bytes: Buffer, start: number, keys: ReadonlySet<string>): boolean {
  for (const key of keys) if (bytes.indexOf(`"${key}"`, start, "latin1") >= 0) return true;
  return bytes.indexOf("\\u00", start, "latin1") >= 0;
}

/**
 * The places of some members of a JSON object, found without parsing it. Undefined for a text that is no object, that repeats one of the keys
 * or that, as far as it has to be scanned, is no JSON: then a parser has to say what is wrong with it.
 */
export function scanMembers(bytes: Buffer, keys: ReadonlySet<string>): ReadonlyMap<string, Span> | undefined {
  const found = new Map<string, Span>();
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const skipSpace = () => {
    while (isSpace(bytes[at])) at++;
  };
  skipSpace();
  if (bytes[at] !== OPEN_BRACE) return undefined;
  at++;
  skipSpace();
  if (bytes[at] === CLOSE_BRACE) return found;
  let searched = false;
  for (;;) {
    skipSpace();
    if (bytes[at] !== QUOTE) return undefined;
    const keyEnd = skipString(bytes, at);
    if (keyEnd < 0) return undefined;
    const key = bytes.toString("utf8", at + 1, keyEnd - 1);
    // A key that spells its letters as escapes could be any key.
    if (key.includes("\\u")) return undefined;
    at = keyEnd;
    skipSpace();
    if (bytes[at] !== COLON) return undefined;
    at++;
    skipSpace();
    const start = at;
    if (!searched && (bytes[at] === OPEN_BRACKET || bytes[at] === OPEN_BRACE) && !keys.has(key)) {
      if (!mayHold(bytes, at, keys)) return found;
      searched = true;
    }
    at = skipValue(bytes, start);
    if (at < 0) return undefined;
    if (keys.has(key)) {
      if (found.has(key)) return undefined;
      found.set(key, { start, end: at });
    }
    skipSpace();
    if (bytes[at] === COMMA) at++;
    else if (bytes[at] === CLOSE_BRACE) break;
    else return undefined;
  }
  at++;
  skipSpace();
  return at === bytes.length ? found : undefined;
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
