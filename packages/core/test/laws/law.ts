import fc from "fast-check";
import { expect, test } from "vitest";

/** Multiplies the number of runs: 20 makes a long search, 0.1 a quick look. */
const factor = Number(process.env["ROLECALL_RUNS"] ?? 1);
/** The same cases each time, so that a pull request fails for what it changes; `ROLECALL_SEED=random` looks for new ones. */
const seed = process.env["ROLECALL_SEED"] ?? "1";

/** A number that depends on a name: laws of many targets look at other cases each. */
function numberOf(name: string): number {
  let number = 0;
  for (const character of name) number = (Math.imul(number, 31) + character.charCodeAt(0)) | 0;
  return number;
}

/** A test that a property holds for `runs` generated values. A failure names its seed and its smallest case. */
export function law<T>(name: string, runs: number, property: fc.IRawProperty<T>): void {
  test(name, { timeout: 60_000 * Math.max(1, factor) }, async () => {
    await fc.assert(property, {
      numRuns: Math.max(1, Math.round(runs * factor)),
      ...(seed !== "random" && { seed: Number(seed) + numberOf(expect.getState().currentTestName ?? name) }),
    });
  });
}
