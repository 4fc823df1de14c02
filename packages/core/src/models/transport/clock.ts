import type { TransportErrorKind } from "../../errors/index.ts";
import { transportError } from "./failure.ts";

type TimeoutKind = Extract<TransportErrorKind, `${string}Timeout`>;

/** Milliseconds that count where none are stated. */
export const FIRST_BYTE = 300_000;
export const IDLE = 300_000;

/** The limits of one request. Its signal fires with the error of the limit that ran out, or with the reason of the caller's own signal. */
export class Deadlines {
  readonly #controller = new AbortController();
  readonly #host: string;
  readonly #outer: AbortSignal | undefined;
  readonly #timers = new Map<TimeoutKind, ReturnType<typeof setTimeout>>();
  readonly #giveUp = (): void => this.#controller.abort(this.#outer?.reason);
  #expired = false;

  constructor(host: string, outer: AbortSignal | undefined) {
    this.#host = host;
    this.#outer = outer;
    if (outer?.aborted === true) this.#giveUp();
    else outer?.addEventListener("abort", this.#giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A limit ran out, before anybody gave the request up. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Begins a limit, or begins it anew. */
  start(kind: TimeoutKind, milliseconds: number): void {
    this.stop(kind);
    if (milliseconds <= 0) return;
    const timer = setTimeout(() => {
      this.#expired = !this.signal.aborted;
      this.#controller.abort(transportError(this.#host, kind));
    }, milliseconds);
    this.#timers.set(kind, timer);
  }

  stop(kind: TimeoutKind): void {
    clearTimeout(this.#timers.get(kind));
    this.#timers.delete(kind);
  }

  /** Ends all of them; nothing of the request is left behind. */
  end(): void {
    for (const kind of [...this.#timers.keys()]) this.stop(kind);
    this.#outer?.removeEventListener("abort", this.#giveUp);
  }

  /** Gives the request up, and lets go of its connection. */
  abort(): void {
    if (!this.signal.aborted) this.#controller.abort(new Error("the answer is not wanted any more"));
  }
}
