import type { Loss, LossGroup } from "@rolecall/core";
import { compareLosses, isJsonObject } from "@rolecall/core";
import { createHeldDetails } from "./held-details.ts";
import type { ExchangeRecord } from "./record.ts";
import type { KeptLosses } from "./tally.ts";
import { withoutDetails } from "./tally.ts";

/** The latest entries of a map, the oldest forgotten first. */
class Latest<T> {
  readonly #entries = new Map<string, T>();
  readonly #limit: number;
  readonly #onForgotten: (value: T) => void;
  #latest: string | undefined;
  constructor(limit: number, onForgotten: (value: T) => void) {
    this.#limit = limit;
    this.#onForgotten = onForgotten;
  }
  get(key: string): T | undefined {
    return this.#entries.get(key);
  }
  set(key: string, value: T): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#onForgotten(known);
    // Most entries follow on one of the same key, which stands at the end already.
    if (key !== this.#latest) this.#entries.delete(key);
    this.#latest = key;
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.forgetOldest();
  }
  /** False where nothing is left. */
  forgetOldest(): boolean {
    const oldest = this.#entries.entries().next();
    if (oldest.done === true) return false;
    const [key, value] = oldest.value;
    this.#entries.delete(key);
    this.#onForgotten(value);
    return true;
  }
}

/** How many losses have a code, or else a place, that the request before it did not have; and which request of its conversation it is. */
export interface Comparison {
  readonly fresh: number;
  readonly more: number;
  readonly turn: number;
}

/** What is remembered of one conversation. */
interface Remembered extends KeptLosses {
  /** Its latest request. */
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

const noOthers = { fresh: 0, more: 0 };

/** The same of losses that are not kept in detail: how many there are of a code is all that is known of their places. */
function compareGroups(groups: readonly LossGroup[], previous: KeptLosses | undefined) {
  const known = new Map(previous?.omitted.map((group) => [group.code, group.count]));
  const codes = new Set(previous?.losses.map(({ code }) => code));
  let fresh = 0;
  let more = 0;
  for (const { code, count } of groups) {
    if (known.has(code) || codes.has(code)) more += Math.max(0, count - (known.get(code) ?? 0));
    else fresh += count;
  }
  return { fresh, more };
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
  compare(conversation: string, kept: KeptLosses): Comparison;
  /**
   * How many losses of an answer have a code that no earlier answer of the conversation had, or are content that is gone. Places differ in each
   * answer.
   */
  compareAnswer(conversation: string, losses: readonly Loss[]): number;
}

/** A record, and the list of its losses that is counted. */
interface Entry {
  record: ExchangeRecord;
  losses: readonly Loss[];
}

/** `bytes`: what the details of losses may take, about. */
export function createReportStore(limit: number, bytes: number): ReportStore {
  const details = createHeldDetails();
  // A ring: a map whose entries come and go is built anew every few hundred of them.
  const entries: Entry[] = [];
  let next = 0;
  const conversations = new Latest<Remembered>(limit, ({ losses }) => details.release(losses));
  const recent: (readonly Loss[])[] = [];
  let oldest = 0;
  const hold = (entry: Entry, losses: readonly Loss[]): void => {
    if (entry.losses !== losses) {
      details.hold(losses);
      details.release(entry.losses);
      entry.losses = losses;
    }
    if (details.bytes > bytes) makeRoom();
  };
  /** Takes the details from the oldest records that are over, then from the conversations that have rested longest. */
  const makeRoom = (): void => {
    for (let index = 0; index < entries.length && details.bytes > bytes; index++) {
      const entry = entries[(next + index) % entries.length] as Entry;
      // Whoever watches has the record itself.
      if (entry.losses.length === 0 || entry.record.outcome === "running") continue;
      entry.record = { ...entry.record, ...withoutDetails(entry.record) };
      details.release(entry.losses);
      entry.losses = noLosses;
    }
    while (details.bytes > bytes && conversations.forgetOldest());
  };
  return {
    get: (id) => entries.find(({ record }) => record.id === id)?.record,
    list: () => [...entries.slice(next), ...entries.slice(0, next)].reverse().map(({ record }) => record),
    put(record, place) {
      const known = place === undefined ? undefined : entries[place];
      if (limit === 0) return 0;
      if (known?.record === record) {
        hold(known, record.losses);
        return place as number;
      }
      const free = next;
      const entry = entries[free] ?? { record, losses: noLosses };
      entries[free] = entry;
      entry.record = record;
      next = (free + 1) % limit;
      hold(entry, record.losses);
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
    compare(conversation, kept) {
      const previous = conversations.get(conversation);
      const turn = (previous?.turn ?? 0) + 1;
      const { losses, omitted } = kept;
      details.hold(losses);
      conversations.set(conversation, { losses, omitted, turn, answered: previous?.answered ?? new Set() });
      if (details.bytes > bytes) makeRoom();
      const known = previous?.losses ?? noLosses;
      const { fresh, more } = losses.length === 0 || losses === known ? nothingNew : compareLosses(losses, known);
      const others = omitted.length === 0 ? noOthers : compareGroups(omitted, previous);
      return { fresh: fresh.length + others.fresh, more: more.length + others.more, turn };
    },
    compareAnswer(conversation, losses) {
      const answered = conversations.get(conversation)?.answered ?? new Set<string>();
      // What an answer says is said once: where it gets lost, nothing earlier is the same.
      const fresh = losses.filter(({ code, severity }) => severity === "error" || !answered.has(code)).length;
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
