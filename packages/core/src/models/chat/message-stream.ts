import type { AssistantMessage, Loss } from "../../ir/index.ts";
import type { AssistantMessageEvent } from "./events.ts";

/** One answer on its way, as whoever makes it gives it. */
export interface AnswerSource {
  /** The events; the last one is `done` or `error`. It never throws. */
  readonly events: AsyncIterator<AssistantMessageEvent, void>;
  /** The message so far. */
  snapshot(): AssistantMessage;
  /** What was lost so far on the way to the service and back. */
  readonly losses: readonly Loss[];
  /** Gives the answer up. */
  cancel(): void;
}

/** An event, and the one behind it once it is there. */
interface Entry {
  readonly event: AssistantMessageEvent;
  next: Entry | undefined;
}

/**
 * An answer while it comes. It may be read by several consumers, each of which sees every event, from the first. The service is read only as fast
 * as the fastest of them asks, or `result()` does: that is the back-pressure. It never throws; an answer that fails ends in an `error` event, and in
 * a message that says why.
 *
 * Leaving the loop of the last consumer gives the answer up, unless its result was asked for: what came is kept, with `stopReason` "aborted".
 */
export class AssistantMessageStream implements AsyncIterable<AssistantMessageEvent> {
  readonly #source: AnswerSource;
  #first: Entry | undefined;
  #last: Entry | undefined;
  #pulling: Promise<void> | undefined;
  #ended = false;
  #consumers = 0;
  #asked: Promise<AssistantMessage> | undefined;

  constructor(source: AnswerSource) {
    this.#source = source;
    // The request goes out at once, also where nobody reads yet.
    void this.#pull();
  }

  /** The message so far, which no later event changes. */
  snapshot(): AssistantMessage {
    return this.#source.snapshot();
  }

  /** What was lost so far, between the conversation and the service. It is complete when the stream has ended. */
  get losses(): readonly Loss[] {
    return this.#source.losses;
  }

  /** The whole message, once it is there. It is not rejected: `stopReason` says how the answer ended. */
  result(): Promise<AssistantMessage> {
    this.#asked ??= this.#finish();
    return this.#asked;
  }

  /** Gives the answer up, as an aborted signal does. */
  cancel(): void {
    this.#source.cancel();
    // Where nobody reads on, the source comes to its end all the same, and lets go of all it holds.
    void this.result();
  }

  [Symbol.asyncIterator](): AsyncIterator<AssistantMessageEvent, void> {
    let before: Entry | undefined;
    let isOpen = true;
    this.#consumers++;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#consumers--;
      if (this.#consumers === 0 && this.#asked === undefined && !this.#ended) this.cancel();
    };
    return {
      next: async () => {
        for (;;) {
          if (!isOpen) return { done: true, value: undefined };
          const entry = before === undefined ? this.#first : before.next;
          if (entry !== undefined) {
            before = entry;
            return { done: false, value: entry.event };
          }
          if (this.#ended) {
            close();
            return { done: true, value: undefined };
          }
          await this.#pull();
        }
      },
      return: async () => {
        close();
        return { done: true, value: undefined };
      },
    };
  }

  /** One more event, for all who wait for one. */
  #pull(): Promise<void> {
    this.#pulling ??= this.#source.events.next().then(({ done, value }) => {
      this.#pulling = undefined;
      if (done === true) this.#ended = true;
      else this.#add(value);
    });
    return this.#pulling;
  }

  #add(event: AssistantMessageEvent): void {
    const entry: Entry = { event, next: undefined };
    if (this.#last === undefined) this.#first = entry;
    else this.#last.next = entry;
    this.#last = entry;
    this.#ended = event.type === "done" || event.type === "error";
  }

  async #finish(): Promise<AssistantMessage> {
    while (!this.#ended) await this.#pull();
    const event = this.#last?.event;
    return event?.type === "done" ? event.message : event?.type === "error" ? event.error : this.snapshot();
  }
}
