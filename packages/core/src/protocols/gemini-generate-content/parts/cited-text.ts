/** The text of a part, as it grows, while its citations are looked for. Offsets of the API count bytes of UTF-8. */
export interface CitedText {
  /** Position among the parts of the content. */
  readonly index: number;
  add(piece: string): void;
  /** Where `text` stands in it, if it stands at these bytes. */
  find(startByte: number, endByte: number, text: string): { readonly start: number; readonly end: number } | undefined;
}

/** A piece of the text, with the places of its beginning. */
interface Piece {
  readonly text: string;
  readonly unit: number;
  readonly byte: number;
  /** For each byte, and for the end, the place in the piece; -1 within a character. Made when it is first asked for. */
  units?: Int32Array;
}

/** No piece is looked at twice for one citation, and none that the citation does not touch. */
export function createCitedText(index: number, begun = ""): CitedText {
  const pieces: Piece[] = [];
  let unit = 0;
  let byte = 0;
  /** The first half of a character whose second half has not come. */
  let half = "";

  const last = (start: number): number => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((pieces[middle] as Piece).byte <= start) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  /** The place in the text, in its units, and the number of its piece. */
  const locate = (at: number): { readonly piece: number; readonly unit: number } | undefined => {
    const number = last(at);
    const piece = pieces[number];
    if (piece === undefined) return at === 0 ? { piece: 0, unit: 0 } : undefined;
    piece.units ??= unitsOf(piece.text);
    const found = piece.units[at - piece.byte] ?? -1;
    return found < 0 ? undefined : { piece: number, unit: piece.unit + found };
  };

  const text: CitedText = {
    index,
    add(more) {
      const whole = half + more;
      half = isHalf(whole.charCodeAt(whole.length - 1)) ? whole.slice(-1) : "";
      const piece = half === "" ? whole : whole.slice(0, -1);
      if (piece === "") return;
      pieces.push({ text: piece, unit, byte });
      unit += piece.length;
      byte += bytesOf(piece);
    },
    find(startByte, endByte, expected) {
      const start = locate(startByte);
      const end = locate(endByte);
      if (start === undefined || end === undefined || end.unit - start.unit !== expected.length) return undefined;
      let found = "";
      for (let number = start.piece; number <= end.piece && found.length < expected.length; number++) {
        const piece = pieces[number] as Piece;
        found += piece.text.slice(Math.max(0, start.unit - piece.unit), end.unit - piece.unit);
      }
      return found === expected ? { start: start.unit, end: end.unit } : undefined;
    },
  };
  text.add(begun);
  return text;
}

const isHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

const bytesAt = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesAt(character.codePointAt(0) as number);
  return bytes;
}

function unitsOf(text: string): Int32Array {
  const units = new Int32Array(bytesOf(text) + 1).fill(-1);
  let byte = 0;
  let unit = 0;
  for (const character of text) {
    units[byte] = unit;
    byte += bytesAt(character.codePointAt(0) as number);
    unit += character.length;
  }
  units[byte] = text.length;
  return units;
}
