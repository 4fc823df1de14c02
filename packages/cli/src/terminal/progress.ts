import type { Environment } from "../environment.ts";
import { shorten, visible } from "./text.ts";

/** A line on the terminal that says how far long work is; nothing where no terminal reads along. */
export interface Progress {
  show(text: string): void;
  end(): void;
}

const MILLISECONDS_BETWEEN = 100;

export function createProgress({ messages, now }: Pick<Environment, "messages" | "now">): Progress {
  if (!messages.isTerminal) return { show: () => {}, end: () => {} };
  let last = now().getTime();
  let shown = false;
  return {
    show(text) {
      const time = now().getTime();
      if (time - last < MILLISECONDS_BETWEEN) return;
      last = time;
      shown = true;
      messages.write(`\r\u001b[K${shorten(visible(text), messages.columns - 1)}`);
    },
    end() {
      if (shown) messages.write("\r\u001b[K");
      shown = false;
    },
  };
}
