import type { EventGuard } from "./event-guard.ts";

/** Watches a stream that is a JSON list and passes through as bytes, as an event guard does one of events: whole elements alone go out. */
export interface ListGuard extends EventGuard {
  /** What ends the list with one more element, where it was cut off. */
  close(element: string): string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `clean` is given each element before it goes out. */
export function createListGuard(clean: (element: Buffer) => Buffer): ListGuard {
  let held: Buffer = Buffer.alloc(0);
  /** Where the scan of what is held goes on. */
  let at = 0;
  /** Where the element in it begins. */
  let start = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let begun = false;

  /** Behind the element that ends next; -1 for none. */
  const endOfNext = (): number => {
    for (; at < held.length; at++) {
      const byte = held[at] as number;
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      // Brackets and braces differ in one bit.
      else if ((byte | 0x20) === OPEN_BRACE) {
        if (++depth === 2) start = at;
      } else if ((byte | 0x20) === CLOSE_BRACE && --depth <= 1) return ++at;
    }
    return -1;
  };

  const guard = {
    progressed: true,
    // What is no whole element is not given out at all.
    cut: false,
    get ended(): boolean {
      return begun && depth === 0;
    },
    push(chunk: Buffer): Buffer | undefined {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const elements: Buffer[] = [];
      for (let end = endOfNext(); end >= 0; end = endOfNext()) {
        // The end of the list is no element.
        if (depth === 1) elements.push(held.subarray(0, start), clean(held.subarray(start, end)));
        else elements.push(held.subarray(0, end));
        held = held.subarray(end);
        at = 0;
        begun = true;
      }
      return elements.length === 0 ? undefined : Buffer.concat(elements);
    },
    get complete(): boolean {
      return guard.ended;
    },
    finish: () => (depth === 0 && held.length > 0 ? held : undefined),
    close: (element: string) => `${begun ? "\n,\r\n" : "["}${element}\n]\n`,
  };
  return guard;
}
