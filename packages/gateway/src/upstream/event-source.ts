import type { ProtocolId } from "@rolecall/core";
import { createEventGuard } from "./event-guard.ts";
import { UpstreamFailure } from "./upstream.ts";

/** Bytes that may wait before the service is asked to pause. */
const HIGH_WATER = 256 << 10;

/** The bytes of a service's stream as a loop reads them: whole events, and a failure where the stream breaks off. */
export interface EventSource extends AsyncIterable<Uint8Array> {
  /** False: the service shall pause until `onResume`. */
  push(chunk: Buffer): boolean;
  end(): void;
  fail(failure: UpstreamFailure): void;
  /** The last piece held more than comments. */
  readonly progressed: boolean;
}

export function createEventSource(protocol: ProtocolId, onResume: () => void): EventSource {
  const guard = createEventGuard(protocol);
  const waiting: Buffer[] = [];
  let size = 0;
  let paused = false;
  let over: { readonly failure?: UpstreamFailure } | undefined;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const add = (bytes: Buffer | undefined) => {
    if (bytes === undefined) return;
    waiting.push(bytes);
    size += bytes.length;
    notify();
  };

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = waiting.shift();
      if (bytes !== undefined) {
        size -= bytes.length;
        if (paused && size < HIGH_WATER / 2) {
          paused = false;
          onResume();
        }
        yield bytes;
      } else if (over !== undefined) {
        if (over.failure !== undefined) throw over.failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  return {
    push(chunk) {
      add(guard.push(chunk));
      paused = size > HIGH_WATER;
      return !paused;
    },
    end() {
      const { rest, complete } = guard.finish();
      if (complete) add(rest);
      over = complete ? {} : { failure: new UpstreamFailure("answer", "the stream ended before it was complete") };
      notify();
    },
    fail(failure) {
      over ??= { failure };
      notify();
    },
    get progressed() {
      return guard.progressed;
    },
    [Symbol.asyncIterator]: read,
  };
}
