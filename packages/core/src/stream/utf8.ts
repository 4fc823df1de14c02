/** A piece of text. `damaged`: some of its bytes are no UTF-8, and stand as U+FFFD. No such piece goes beyond one of the bytes that end pieces. */
export interface Utf8Piece {
  readonly text: string;
  readonly damaged: boolean;
}

/** Text of UTF-8 bytes that come in pieces, which may be cut anywhere. */
export interface Utf8Reader {
  push(bytes: Uint8Array): readonly Utf8Piece[];
  /** What is left when the bytes have ended: a character that was cut off. */
  finish(): readonly Utf8Piece[];
  /** No character is cut off. */
  readonly idle: boolean;
}

/** Bytes of the character that a byte begins, as far as it begins one of several. */
function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** Where the character begins that the bytes cut off; their length without one. */
function endOfWhole(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] as number;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return lengthOf(byte) > back ? length - back : length;
  }
  return length;
}

const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
/** The bytes at which a line ends. */
const lineEnds: ReadonlySet<number> = new Set([10, 13]);

function decode(bytes: Uint8Array): Utf8Piece {
  const text = wholeText(bytes);
  return text === undefined ? { text: lenient.decode(bytes), damaged: true } : { text, damaged: false };
}

/** The text of bytes that are UTF-8 and cut no character off; undefined for others. */
export function wholeText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Each line, or what ends otherwise, by itself, so that it shows which of them is damaged. */
function decodePieces(bytes: Uint8Array, ends: ReadonlySet<number>): Utf8Piece[] {
  const pieces: Utf8Piece[] = [];
  let start = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (!ends.has(bytes[index] as number)) continue;
    pieces.push(decode(bytes.subarray(start, index + 1)));
    start = index + 1;
  }
  if (start < bytes.length) pieces.push(decode(bytes.subarray(start)));
  return pieces;
}

/** `ends` are the bytes, of ASCII, at which a damaged piece ends. */
export function createUtf8Reader(ends: ReadonlySet<number> = lineEnds): Utf8Reader {
  return new WholeCharacters(ends);
}

/** Whole characters are decoded at once: a decoder that keeps its own state between calls takes several times as long. */
class WholeCharacters implements Utf8Reader {
  readonly #ends: ReadonlySet<number>;
  #held: Uint8Array | undefined;

  constructor(ends: ReadonlySet<number>) {
    this.#ends = ends;
  }

  get idle(): boolean {
    return this.#held === undefined;
  }

  push(chunk: Uint8Array): readonly Utf8Piece[] {
    const held = this.#held;
    let bytes = chunk;
    if (held !== undefined) {
      bytes = new Uint8Array(held.length + chunk.length);
      bytes.set(held);
      bytes.set(chunk, held.length);
    }
    const end = endOfWhole(bytes);
    this.#held = end === bytes.length ? undefined : bytes.slice(end);
    const whole = end === bytes.length ? bytes : bytes.subarray(0, end);
    const piece = decode(whole);
    return piece.damaged ? decodePieces(whole, this.#ends) : [piece];
  }

  finish(): readonly Utf8Piece[] {
    const rest = this.#held === undefined ? [] : [decode(this.#held)];
    this.#held = undefined;
    return rest;
  }
}
