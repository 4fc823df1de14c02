import { Mistake } from "../mistake.ts";
import type { JsonFile, NamedBytes } from "./file.ts";
import { jsonFile } from "./file.ts";
import type { StreamFile } from "./stream.ts";

/** A line of a file that holds a JSON body on each. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Of the line without its end, in bytes. */
  readonly size: number;
  /** Reads the body. Throws a Mistake that names the file and the line. */
  read(): Promise<JsonFile>;
}

const NEWLINE = 0x0a;
/** Bytes of the longest line: more than any service takes as a body, and few enough that one without an end does not fill the memory. */
const LONGEST = 128 << 20;

/** The lines of a file that are not blank, one after the other; only one is held at a time. */
export async function* linesOf({ name, chunks }: StreamFile): AsyncGenerator<Line> {
  let number = 0;
  for await (const { size, bytes } of pieces(chunks)) {
    number++;
    const place = `${name}:${number}`;
    if (bytes === undefined) yield { number, size, read: () => Promise.reject(tooLong(place)) };
    else if (!isBlank(bytes)) {
      const line: NamedBytes = { name: place, bytes };
      yield { number, size, read: () => jsonFile(line) };
    }
  }
}

function tooLong(place: string): Mistake {
  return new Mistake(`${place}: longer than ${LONGEST >> 20} MB, which no service takes; is there a line end missing?`);
}

/** `bytes`: none of a line that is too long. */
async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ size: number; bytes?: Uint8Array }> {
  let open: Uint8Array[] = [];
  let size = 0;
  const add = (piece: Uint8Array): void => {
    size += piece.length;
    if (size <= LONGEST) open.push(piece);
    else open = [];
  };
  const take = () => {
    const line = size > LONGEST ? { size } : { size, bytes: open.length === 1 ? open[0] : Buffer.concat(open) };
    open = [];
    size = 0;
    return line as { size: number; bytes?: Uint8Array };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

/** True for a line of nothing but spaces, tabs and the rest of a Windows line end. */
const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
