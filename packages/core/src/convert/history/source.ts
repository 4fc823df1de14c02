import { DecodeError } from "../../errors/index.ts";

/**
 * The text of a body, as characters or as bytes of UTF-8. Places count in its own units; what they are compared at is ASCII, so that a place
 * between two values is one in both.
 */
export interface Source<Kept = unknown> {
  readonly kind: "text" | "bytes";
  readonly length: number;
  /** The character or byte at a place; NaN or undefined behind the end. */
  code(at: number): number;
  /** The place of the next quotation mark; -1 where there is none. */
  quote(from: number): number;
  /** Throws where bytes are no UTF-8. */
  text(start: number, end: number): string;
  /** How many units from `at` are the same as those of `kept` from `keptAt`; no more than `length` are looked at. */
  common(at: number, kept: Kept, keptAt: number, length: number): number;
  /**
   * What is compared with later bodies. Its first `shared` units are the same as those of `before`; later bodies are expected to have all up to
   * `stable`.
   */
  keep(before: Kept | undefined, shared: number, stable: number): Kept;
}

/** How many of `length` units are the same, where `isSame` tells it of a range. */
function commonLength(length: number, isSame: (start: number, end: number) => boolean): number {
  if (isSame(0, length)) return length;
  let same = 0;
  let end = length;
  while (end - same > 1) {
    const middle = (same + end) >>> 1;
    if (isSame(same, middle)) same = middle;
    else end = middle;
  }
  return same;
}

export function textSource(text: string): Source<string> {
  return {
    kind: "text",
    length: text.length,
    code: (at) => text.charCodeAt(at),
    quote: (from) => text.indexOf('"', from),
    text: (start, end) => text.slice(start, end),
    common: (at, kept, keptAt, length) =>
      // Slices are views, and engines compare them as fast as they read memory.
      commonLength(
        Math.min(length, text.length - at, kept.length - keptAt),
        (start, end) => text.slice(at + start, at + end) === kept.slice(keptAt + start, keptAt + end),
      ),
    keep: () => text,
  };
}

/** Bytes in pieces, of which the first ones are shared with those of the body before: a history is not copied again for each turn. */
export interface KeptBytes {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
}

const compareNatively = (
  globalThis as { readonly Buffer?: { readonly compare?: (left: Uint8Array, right: Uint8Array) => number } }
).Buffer?.compare;

function areSame(left: Uint8Array, right: Uint8Array): boolean {
  if (compareNatively !== undefined) return compareNatively(left, right) === 0;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** The range of kept bytes, piece by piece; false as soon as `visit` is. */
function everyPiece(
  { pieces }: KeptBytes,
  start: number,
  end: number,
  visit: (piece: Uint8Array, before: number) => boolean,
): boolean {
  let from = 0;
  for (const piece of pieces) {
    const to = from + piece.length;
    if (to > start && from < end) {
      const first = Math.max(start, from);
      if (!visit(piece.subarray(first - from, Math.min(end, to) - from), first - start)) return false;
    }
    from = to;
  }
  return true;
}

/** Smaller pieces are copied into larger ones. */
export const leastPiece: number = 1 << 16;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function byteSource(bytes: Uint8Array): Source<KeptBytes> {
  return {
    kind: "bytes",
    length: bytes.length,
    code: (at) => bytes[at] as number,
    quote: (from) => bytes.indexOf(0x22, from),
    text(start, end) {
      try {
        return utf8.decode(bytes.subarray(start, end));
      } catch (cause) {
        throw new DecodeError("", "not valid UTF-8", undefined, { cause });
      }
    },
    common: (at, kept, keptAt, length) =>
      commonLength(Math.min(length, bytes.length - at, kept.length - keptAt), (start, end) =>
        everyPiece(kept, keptAt + start, keptAt + end, (piece, before) =>
          areSame(bytes.subarray(at + start + before, at + start + before + piece.length), piece),
        ),
      ),
    // Copies: the bytes belong to the caller, who may write others into them. What `slice` gives of a Buffer of Node is none.
    keep(before, shared, stable) {
      const pieces: Uint8Array[] = [];
      let known = 0;
      for (const piece of before?.pieces ?? []) {
        const own = piece.subarray(0, Math.max(0, shared - known));
        if (own.length < leastPiece) break;
        pieces.push(own);
        known += own.length;
      }
      if (stable > known) pieces.push(new Uint8Array(bytes.subarray(known, stable)));
      pieces.push(new Uint8Array(bytes.subarray(Math.max(known, stable))));
      return { pieces, length: bytes.length };
    },
  };
}
