import { randomFillSync } from "node:crypto";
import type { Loss } from "@rolecall/core";
import { compareLosses, isJsonObject } from "@rolecall/core";
import type { ExchangeRecord } from "./record.ts";

const letters = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const prefix = Buffer.from("lr_");
const LENGTH = prefix.length + 12;

/** Many ids, each behind the one before it: asking the system for few random bytes costs as much as asking for many. */
const pool = Buffer.alloc(LENGTH * 512);
let used = pool.length;

export function createReportId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    for (let index = 0; index < pool.length; index++)
      pool[index] = letters[(pool[index] as number) % letters.length] as number;
    for (let start = 0; start < pool.length; start += LENGTH) pool.set(prefix, start);
    used = 0;
  }
  used += LENGTH;
  return pool.toString("latin1", used - LENGTH, used);
}

/** The latest entries of a map, the oldest forgotten first. */
class Latest<T> {
  readonly #entries = new Map<string, T>();
  readonly #limit: number;
  constructor(limit: number) {
    this.#limit = limit;
  }
  get(key: string): T | undefined {
    return this.#entries.get(key);
  }
  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}

/** How many losses have a code, or else a place, that the request before it did not have; and which request of its conversation it is. */
export interface Comparison {
  readonly fresh: number;
  readonly more: number;
  readonly turn: number;
}

/** What is remembered of one conversation. */
interface Remembered {
  /** Of its latest request. */
  readonly losses: readonly Loss[];
  readonly turn: number;
  /** The codes of what its answers lost. */
  readonly answered: Set<string>;
}

const nothingNew = compareLosses([], []);
const noLosses: readonly Loss[] = [];

/** So many lists of losses are remembered to be shared: those of a few clients' requests and answers. */
const SHARED = 4;

function areSame(left: readonly Loss[], right: readonly Loss[]): boolean {
  return left.length === right.length && left.every((loss, index) => isSame(loss, right[index] as Loss));
}

function isSame(left: Loss, right: Loss): boolean {
  return (
    left.code === right.code &&
    left.path === right.path &&
    left.irPath === right.irPath &&
    left.targetPath === right.targetPath &&
    left.detail === right.detail &&
    left.replacement === right.replacement &&
    left.accepted === right.accepted &&
    left.kind === right.kind &&
    left.effect === right.effect &&
    left.severity === right.severity &&
    left.stage === right.stage &&
    left.from === right.from &&
    left.to === right.to
  );
}

/** What the gateway remembers: recent reports, and what each conversation lost last. In memory and bounded. */
export interface ReportStore {
  get(id: string): ExchangeRecord | undefined;
  /** The latest first. */
  list(): readonly ExchangeRecord[];
  /** Keeps a record, if it is not there any more at the place where it was put before; gives its place. */
  put(record: ExchangeRecord, place?: number): number;
  /**
   * The same losses, as a recent exchange had them where it had the same: most exchanges of a client lose the same, and what hundreds of records
   * share is neither kept nor copied by the garbage collector for each of them.
   */
  share(losses: readonly Loss[]): readonly Loss[];
  /** What is new against the previous request of the conversation, which this one then is. */
  compare(conversation: string, losses: readonly Loss[]): Comparison;
  /** How many losses of an answer have a code that no earlier answer of the conversation had. Places differ in each answer. */
  compareAnswer(conversation: string, losses: readonly Loss[]): number;
}

export function createReportStore(limit: number): ReportStore {
  // A ring: a map whose entries come and go is built anew every few hundred of them.
  const records: ExchangeRecord[] = [];
  let next = 0;
  const conversations = new Latest<Remembered>(limit);
  const recent: (readonly Loss[])[] = [];
  let oldest = 0;
  return {
    get: (id) => records.find((record) => record.id === id),
    list: () => [...records.slice(next), ...records.slice(0, next)].reverse(),
    put(record, place) {
      if (limit === 0 || (place !== undefined && records[place] === record)) return place ?? 0;
      const free = next;
      records[free] = record;
      next = (free + 1) % limit;
      return free;
    },
    share(losses) {
      if (losses.length === 0) return noLosses;
      for (const list of recent) if (areSame(list, losses)) return list;
      const kept = [...losses];
      recent[oldest] = kept;
      oldest = (oldest + 1) % SHARED;
      return kept;
    },
    compare(conversation, losses) {
      const previous = conversations.get(conversation);
      const turn = (previous?.turn ?? 0) + 1;
      conversations.set(conversation, { losses, turn, answered: previous?.answered ?? new Set() });
      const { fresh, more } = losses.length === 0 ? nothingNew : compareLosses(losses, previous?.losses ?? []);
      return { fresh: fresh.length, more: more.length, turn };
    },
    compareAnswer(conversation, losses) {
      const answered = conversations.get(conversation)?.answered ?? new Set<string>();
      const fresh = losses.filter(({ code }) => !answered.has(code)).length;
      for (const { code } of losses) answered.add(code);
      return fresh;
    },
  };
}

/** The turns of a request, under the name that its protocol has for them. */
export function turnsOf(body: unknown): readonly unknown[] {
  const turns = isJsonObject(body) ? (body["messages"] ?? body["contents"] ?? body["input"]) : undefined;
  return Array.isArray(turns) ? turns : turns === undefined ? [] : [turns];
}

/**
 * What the requests of one conversation have in common: the client's key and what the user said first. Instructions are left out, because
 * clients put dates and counters into them.
 */
export function conversationKey(protocol: string, key: string | undefined, body: unknown): string {
  // Lengths stand before what they measure, so that nothing can pass for something else.
  let text = `${protocol} ${key?.length ?? -1} ${key ?? ""}`;
  const first: unknown = turnsOf(body).find(
    (turn) => typeof turn === "string" || (isJsonObject(turn) && (turn["role"] ?? "user") === "user"),
  );
  if (typeof first === "string") text += first;
  else if (isJsonObject(first)) {
    const content = first["content"] ?? first["parts"];
    if (typeof content === "string") text += content;
    else if (Array.isArray(content)) {
      for (const part of content) if (isJsonObject(part) && typeof part["text"] === "string") text += part["text"];
    }
  }
  return fingerprint(text);
}

/** 64 bits of a text. They tell conversations apart and protect nothing; for short texts a real hash takes longer than a conversion. */
function fingerprint(text: string): string {
  let left = 0x9e3779b9;
  let right = 0x243f6a88;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    left = Math.imul(left ^ unit, 0x85ebca6b);
    right = Math.imul(right ^ unit, 0xc2b2ae35);
    right ^= left >>> 15;
  }
  left = Math.imul(left ^ (right >>> 16), 0x85ebca6b);
  right = Math.imul(right ^ (left >>> 13), 0xc2b2ae35);
  return `${left}-${right}-${text.length}`;
}
