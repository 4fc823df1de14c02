import type { Loss } from "../ir/index.ts";

export interface Novelty {
  /** Losses of a code that the previous request of the conversation did not have. */
  readonly fresh: readonly Loss[];
  /** Losses of known codes at new places. */
  readonly more: readonly Loss[];
  /** Losses that the previous request had at the same place. */
  readonly repeated: readonly Loss[];
}

const place = (loss: Loss): string =>
  `${loss.code}\n${loss.kind}\n${loss.path}\n${loss.path === "" ? (loss.targetPath ?? "") : ""}`;

/**
 * What is new since the previous request of the same conversation. An agent sends its whole history each time, so most losses repeat.
 */
export function compareLosses(losses: readonly Loss[], previous: readonly Loss[]): Novelty {
  const codes = new Set(previous.map((loss) => loss.code));
  const places = new Set(previous.map(place));
  const fresh: Loss[] = [];
  const more: Loss[] = [];
  const repeated: Loss[] = [];
  for (const loss of losses) {
    if (places.has(place(loss))) repeated.push(loss);
    else if (codes.has(loss.code)) more.push(loss);
    else fresh.push(loss);
  }
  return { fresh, more, repeated };
}
