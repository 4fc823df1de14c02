import { EncodeError } from "../errors/index.ts";
import type { Conversation, JsonObject, Message, Profile, ProtocolId } from "../ir/index.ts";
import { visitMessage, visitOwnNodes } from "../ir/index.ts";
import type { LossDraft, Report } from "../loss/index.ts";
import { createSweep, sweepForeign } from "../loss/index.ts";
import type { History } from "./protocol.ts";
import type { WireObject } from "./restore.ts";

/** What decoding knew before one item of a history. */
export interface DecodedPart {
  /** So many items had been read. */
  readonly items: number;
  /** The messages that they gave are the first so many of these. */
  readonly count: number;
  readonly messages: readonly Message[];
  /** The reader of the protocol as it stood then. It is copied before it reads on. */
  readonly reader: unknown;
}

/** Decodes a history whose beginning was decoded before, and keeps how far it came for the next one. */
export interface DecodeProgress {
  readonly from?: DecodedPart | undefined;
  /** The items before which the state is to be kept. */
  readonly stops: ReadonlySet<number>;
  readonly kept: DecodedPart[];
}

/** Keeps the state of a decoding that stands before an item, where that is wanted. */
export function keepDecoded(
  progress: DecodeProgress | undefined,
  items: number,
  messages: readonly Message[],
  copyReader: () => unknown,
): void {
  if (progress?.stops.has(items) === true)
    progress.kept.push({ items, count: messages.length, messages, reader: copyReader() });
}

/** The messages that were decoded before. */
export function decodedBefore({ from }: DecodeProgress = noProgress): Message[] {
  return from === undefined ? [] : from.messages.slice(0, from.count);
}

const noProgress: DecodeProgress = { stops: new Set(), kept: [] };

/** What encoding knew before one message of a history, and what it had written. */
export interface EncodedPart {
  /** So many messages had been written. */
  readonly messages: number;
  /** What they gave are the first so many items of these. */
  readonly count: number;
  readonly output: readonly WireObject[];
  /** The members of the body beside the history that were written with it: tools and instructions. */
  body: WireObject;
  /** What was reported until then are the first so many of these sections. */
  readonly counts: { readonly swept: number; readonly paired: number; readonly turns: number };
  readonly drafts: Sections;
  /** The state of the writer of the protocol as it stood then. It is copied before it writes on. */
  readonly state: unknown;
}

/** Encodes a history whose beginning was encoded before, and keeps how far it came for the next one. */
export interface EncodeProgress {
  readonly from?: EncodedPart | undefined;
  /** The messages before which the state is to be kept, ascending. */
  readonly stops: readonly number[];
  readonly kept: EncodedPart[];
}

/** The losses of an encoding by what they are about, in the order of the report. */
export interface Sections {
  readonly own: LossDraft[];
  readonly swept: LossDraft[];
  readonly head: LossDraft[];
  readonly paired: LossDraft[];
  readonly turns: LossDraft[];
  readonly finish: LossDraft[];
  readonly front: LossDraft[];
  readonly end: LossDraft[];
}

/** How an encoder writes turns, some at a time. */
export interface TurnEncoding<Item extends object, State> {
  readonly history: History;
  /** Puts results behind their calls. */
  readonly order: (messages: readonly Message[]) => readonly Message[];
  /** Writes messages that are in order; `messages` are the same as they were. It must not reach back behind the first of them. */
  readonly encode: (ordered: readonly Message[], messages: readonly Message[]) => readonly Item[];
  /** What the writer knows; nothing where no other encoding can go on from here. */
  readonly copyState: () => State | undefined;
}

/** The way of one request through an encoder. Without progress it is one run over all messages. */
export class Course<State> {
  /** Its list of drafts is that of the section that was entered last. */
  readonly report: Report & { drafts: LossDraft[] } = { drafts: [] };
  /** What was written before, where something was. */
  readonly from: (EncodedPart & { readonly state: State }) | undefined;
  /** The messages that are still to be written. */
  readonly messages: readonly Message[];
  readonly #conversation: Conversation;
  readonly #progress: EncodeProgress | undefined;
  readonly #sections: Sections | undefined;
  /** How many drafts the sweep had before the message of each stop. */
  readonly #swept: Map<number, number> | undefined;

  constructor(conversation: Conversation, progress: EncodeProgress | undefined) {
    this.#conversation = conversation;
    this.#progress = progress;
    const from = progress?.from as Course<State>["from"];
    this.from = from;
    this.messages = from === undefined ? conversation.messages : conversation.messages.slice(from.messages);
    if (progress === undefined) return;
    this.#sections = {
      own: [],
      swept: from === undefined ? [] : from.drafts.swept.slice(0, from.counts.swept),
      head: from?.drafts.head ?? [],
      paired: from === undefined ? [] : from.drafts.paired.slice(0, from.counts.paired),
      turns: from === undefined ? [] : from.drafts.turns.slice(0, from.counts.turns),
      finish: [],
      front: from?.drafts.front ?? [],
      end: [],
    };
    this.#swept = new Map();
    this.enter("end");
  }

  /** The conversation as far as it is still to be written. */
  get rest(): Conversation {
    return this.from === undefined ? this.#conversation : { ...this.#conversation, messages: this.messages };
  }

  /** What is reported from now on belongs to this section. */
  enter(section: keyof Sections): void {
    if (this.#sections !== undefined) this.report.drafts = this.#sections[section];
  }

  sweep(target: Profile & { readonly protocol: ProtocolId }): void {
    if (this.#sections === undefined) {
      sweepForeign(this.#conversation, target, this.report);
      return;
    }
    const visit = createSweep(target, this.report);
    this.enter("own");
    visitOwnNodes(this.#conversation, visit, null);
    this.enter("swept");
    const { messages } = this.#conversation;
    for (let index = this.from?.messages ?? 0; index <= messages.length; index++) {
      if (this.#progress?.stops.includes(index) === true) this.#swept?.set(index, this.#sections.swept.length);
      if (index < messages.length) visitMessage(messages[index] as Message, null, visit);
    }
  }

  /** Writes the messages, what comes of those that were written before in front of them. */
  write<Item extends object>(messages: readonly Message[], how: TurnEncoding<Item, State>): Item[] {
    this.enter("paired");
    if (this.#sections === undefined) return how.encode(how.order(messages), messages) as Item[];
    const { from } = this;
    const output = from === undefined ? [] : (from.output.slice(0, from.count) as readonly object[] as Item[]);
    let start = 0;
    const run = (end: number): void => {
      if (end === start) return;
      const some = messages.slice(start, end);
      this.enter("paired");
      const ordered = how.order(some);
      this.enter("turns");
      const items = how.encode(ordered, some);
      // What follows would join what stands before the stop.
      if (output.length > 0 && (items[0] === undefined || !how.history.isOfModel(items[0] as JsonObject)))
        throw brokenCourse();
      output.push(...items);
      start = end;
    };
    const all = this.#conversation.messages;
    for (const stop of this.#progress?.stops ?? []) {
      if (stop <= (from?.messages ?? 0)) continue;
      run(stop === all.length ? messages.length : messages.lastIndexOf(all[stop] as Message));
      this.#keep(stop, output, how);
    }
    run(messages.length);
    return output;
  }

  #keep<Item extends object>(
    stop: number,
    output: readonly Item[],
    { history, copyState }: TurnEncoding<Item, State>,
  ): void {
    const [first] = output;
    const last = output.at(-1);
    if (first === undefined || history.isOfModel(first as JsonObject)) throw brokenCourse();
    // An instruction at the end may wait for what follows.
    if (!history.isOfOthers(last as JsonObject)) throw brokenCourse();
    const state = copyState();
    const sections = this.#sections;
    if (state === undefined || sections === undefined) return;
    const counts = {
      swept: this.#swept?.get(stop) ?? 0,
      paired: sections.paired.length,
      turns: sections.turns.length,
    };
    // No copies: the lists only grow.
    this.#progress?.kept.push({
      messages: stop,
      count: output.length,
      output: output as readonly WireObject[],
      body: {},
      counts,
      drafts: sections,
      state,
    });
  }

  /** Nothing that was kept on this way is good for another one. */
  forget(): void {
    if (this.#progress !== undefined) this.#progress.kept.length = 0;
  }

  /** For an item of a history that changes with what follows it. */
  refuse(): void {
    if (this.#progress !== undefined) throw brokenCourse();
  }

  /** To be called when the tools and instructions are written, and the settings are not. */
  close(body: WireObject): void {
    for (const part of this.#progress?.kept ?? []) part.body = { ...body };
    this.enter("end");
  }

  /** All that was reported. */
  losses(): readonly LossDraft[] {
    const sections = this.#sections;
    if (sections === undefined) return this.report.drafts;
    const { own, swept, head, paired, turns, finish, front, end } = sections;
    const kept = [swept, head, paired, turns, front];
    const { settings } = this.#conversation;
    // These two are decoded again each time, so that a draft of them would stand for nothing.
    if (kept.some((list) => list.some(({ node }) => node === settings || node === this.#conversation))) this.forget();
    return [...own, ...swept, ...head, ...paired, ...turns, ...finish, ...front, ...end];
  }
}

/** Never seen by callers: they fall back on a run over the whole conversation. */
const brokenCourse = (): EncodeError =>
  new EncodeError("/messages", "what follows a stop reaches back behind it: encode the conversation as a whole");
