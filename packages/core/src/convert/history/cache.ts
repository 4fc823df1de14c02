import { ConfigError, DecodeError } from "../../errors/index.ts";
import type { JsonObject, ProtocolId } from "../../ir/index.ts";
import type { Protocol } from "../../stream/protocol.ts";
import type { Conversion } from "./grow.ts";
import type { ReadText } from "./read.ts";
import { readGrown, readWhole } from "./read.ts";
import type { Source } from "./source.ts";
import { byteSource, textSource } from "./source.ts";
import type { Fragments } from "./written.ts";
import { writeBytes, writeJoined, writeText } from "./written.ts";

export interface HistoryCacheOptions {
  /** So much memory the kept conversations may take together, as an estimate in bytes; 64 MiB unless stated. */
  readonly maximumBytes?: number;
  /** Bodies of fewer characters or bytes are not kept; 8192 unless stated. */
  readonly minimumLength?: number;
}

/** A body that a cache read. */
export interface ReadHistory<T extends string | Uint8Array = string | Uint8Array> {
  readonly value: JsonObject;
  /** Writes a body as text, or as UTF-8 where the one that was read was bytes. */
  write(body: JsonObject): T;
  /** The same in pieces, which are not the caller's to change: nothing is copied of what was written before. */
  pieces(body: JsonObject): readonly T[];
}

/** A body of one conversation, and what became of it. */
export interface Entry extends ReadHistory {
  readonly scope: string;
  readonly protocol: ProtocolId;
  readonly kind: Source["kind"];
  readonly read: ReadText;
  /** The body before this one, whose first items are its own; until this one is kept. */
  before: { readonly entry: Entry; readonly shared: number } | undefined;
  readonly conversions: Conversion[];
  readonly fragments: Fragments;
  readonly bytes: number;
}

/** A conversation takes about so much memory for each unit of its text, and for each key: its objects, and those of the representation and of the result. */
const bytesEach = 6;
const bytesOfKey = 320;

/** The last request of each of some conversations: an agent sends its history again with each turn, and only what is new needs work. */
export class HistoryCache {
  readonly #maximumBytes: number;
  readonly #minimumLength: number;
  /** The one that was used last stands at the end. */
  readonly #entries = new Set<Entry>();
  #bytes = 0;
  #continued = 0;

  constructor({ maximumBytes = 64 * 1024 * 1024, minimumLength = 8192 }: HistoryCacheOptions = {}) {
    for (const [name, value] of Object.entries({ maximumBytes, minimumLength }))
      if (!(Number.isFinite(value) && value >= 0))
        throw new ConfigError(`/${name}`, `"${name}" must be a number that is not negative`);
    this.#maximumBytes = maximumBytes;
    this.#minimumLength = minimumLength;
  }

  /** How much memory the kept conversations take, as an estimate in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** So many requests went on from one before them. */
  get continued(): number {
    return this.#continued;
  }

  /** How many conversations are kept. */
  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /**
   * Reads a body. Undefined for one that is not worth it, or about which something is to be said: it is to be read as a whole. `scope` is whose
   * conversations these are: those of one are never compared with those of another.
   */
  read(input: string, protocol: Protocol, scope?: string): ReadHistory<string> | undefined;
  read(input: Uint8Array, protocol: Protocol, scope?: string): ReadHistory<Uint8Array> | undefined;
  read(input: string | Uint8Array, protocol: Protocol, scope?: string): ReadHistory | undefined;
  read(input: string | Uint8Array, { id, history }: Protocol, scope = ""): ReadHistory | undefined {
    if (input.length < this.#minimumLength || input.length * bytesEach > this.#maximumBytes) return undefined;
    const source = typeof input === "string" ? textSource(input) : byteSource(input);
    try {
      const nearest = this.#nearest(source, id, scope);
      const grown = nearest === undefined ? undefined : readGrown(source, nearest.entry.read, nearest.common);
      const read = grown ?? readWhole(source, history.key);
      if (read === undefined) return undefined;
      const before = nearest && grown && { entry: nearest.entry, shared: grown.shared };
      return createEntry(read, before, source, id, scope);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      // No JSON, or no UTF-8. Who reads it as a whole says where.
      return undefined;
    }
  }

  /** The conversation that this body has the longest beginning in common with, and at least the first item of its history. */
  #nearest(source: Source, protocol: ProtocolId, scope: string): Nearest | undefined {
    let nearest: Nearest | undefined;
    for (const entry of this.#entries) {
      if (entry.protocol !== protocol || entry.scope !== scope || entry.kind !== source.kind) continue;
      const { ends, kept } = entry.read;
      const [first] = ends;
      // Many conversations begin with the same instructions and tools; what is asked first tells them apart.
      if (first === undefined || source.common(first - shown, kept, first - shown, shown) < shown) continue;
      const common = source.common(0, kept, 0, ends.at(-1) ?? first);
      if (common >= first && common >= (nearest?.common ?? 0)) nearest = { entry, common };
    }
    return nearest;
  }

  /** Keeps a body for those that follow it. What it goes on from is kept no longer. */
  keep(history: ReadHistory, isContinuation: boolean): void {
    const entry = history as Entry;
    if (isContinuation) this.#continued++;
    const { before } = entry;
    if (before !== undefined && isContinued(before)) this.#remove(before.entry);
    // A chain of all bodies would never end.
    entry.before = undefined;
    if (!this.#entries.has(entry)) this.#bytes += entry.bytes;
    this.#entries.add(entry);
    for (const oldest of this.#entries) {
      if (this.#bytes <= this.#maximumBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes;
  }
}

/** So many units at the end of a first item are compared before the whole is. */
const shown = 64;

interface Nearest {
  readonly entry: Entry;
  /** So far the texts are the same, up to the end of the last item of the history. */
  readonly common: number;
}

/** Marks of a cache move from the last turns to new ones; whoever goes back further begins another branch, which may go on as well. */
const mostChanged = 6;

const isContinued = ({ entry, shared }: NonNullable<Entry["before"]>): boolean =>
  entry.read.items.length - shared <= mostChanged;

function createEntry(
  read: ReadText,
  before: Entry["before"],
  { kind, length }: Source,
  protocol: ProtocolId,
  scope: string,
): Entry {
  const fragments: Fragments = before?.entry.fragments ?? {
    lists: new WeakMap(),
    members: new WeakMap(),
    losses: new WeakMap(),
  };
  const bytes = length * bytesEach + read.keys * bytesOfKey;
  const isText = kind === "text";
  const write = (body: JsonObject): string | Uint8Array =>
    isText ? writeText(body, fragments) : writeJoined(body, fragments);
  const pieces = (body: JsonObject): readonly (string | Uint8Array)[] =>
    isText ? [writeText(body, fragments)] : writeBytes(body, fragments);
  return { value: read.value, write, pieces, scope, protocol, kind, read, before, conversions: [], fragments, bytes };
}
