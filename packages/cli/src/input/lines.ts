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

/** The lines of a file that are not blank, one after the other; only one is held at a time. */
export async function* linesOf({ name, chunks }: StreamFile): AsyncGenerator<Line> {
  let number = 0;
  for await (const bytes of pieces(chunks)) {
    number++;
    if (isBlank(bytes)) continue;
    const line: NamedBytes = { name: `${name}:${number}`, bytes };
    yield { number, size: bytes.length, read: () => jsonFile(line) };
  }
}

async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let open: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      open.push(chunk.subarray(start, end));
      yield open.length === 1 ? (open[0] as Uint8Array) : Buffer.concat(open);
      open = [];
      start = end + 1;
    }
    if (start < chunk.length) open.push(chunk.subarray(start));
  }
  if (open.length > 0) yield Buffer.concat(open);
}

/** True for a line of nothing but spaces, tabs and the rest of a Windows line end. */
const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
