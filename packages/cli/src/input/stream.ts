import { createReadStream } from "node:fs";
import type { ProtocolId } from "@rolecall/core";
import { createFrameParser, detectProtocol } from "@rolecall/core";
import type { Environment } from "../environment.ts";
import { Mistake } from "../mistake.ts";
import { mistaken } from "./file.ts";

/** The events of a stream as they are read. */
export interface StreamFile {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file, or standard input where no file is named. Nothing is read before it is asked for. */
export function openStream(file: string | undefined, { input }: Environment): StreamFile {
  if (file !== undefined && file !== "-") return { name: file, chunks: chunksOf(file) };
  if (input.isTerminal && file === undefined) {
    throw new Mistake("no FILE is named and nothing is piped in; name a file, or - to type on standard input");
  }
  return { name: "standard input", chunks: input.chunks() };
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Uint8Array;
  } catch (error) {
    throw mistaken("read", file, error);
  }
}

/** The most that is read to find out which protocol a stream is of; its first event is shorter. */
const MOST_BYTES_TO_DETECT = 1 << 20;

/** The protocol of a stream by its first event, and all of its chunks. */
export async function detectStream(
  file: StreamFile,
): Promise<{ readonly protocol: ProtocolId; readonly chunks: AsyncIterable<Uint8Array> }> {
  const iterator = file.chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  const parser = createFrameParser();
  let size = 0;
  while (size < MOST_BYTES_TO_DETECT) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    read.push(value);
    size += value.length;
    for (const { data } of parser.push(value)) {
      const protocol = protocolOfEvent(data);
      if (protocol !== undefined) return { protocol, chunks: rejoin(read, iterator) };
    }
  }
  await iterator.return?.();
  throw new Mistake(
    size === 0
      ? `${file.name}: empty; name a FILE or pipe a stream in`
      : `${file.name}: no event says which protocol the stream is of; say which with --from`,
  );
}

function protocolOfEvent(data: string): ProtocolId | undefined {
  try {
    return detectProtocol(JSON.parse(data));
  } catch {
    return undefined;
  }
}

async function* rejoin(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
