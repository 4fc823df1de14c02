import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {{ target: string, kind: string, message: string, origin: string, input: Uint8Array }} Found `origin` says how it was found */

/**
 * Shows findings, keeps their inputs in a folder of the machine, and counts them.
 */
export function createReport() {
  const folder = join(tmpdir(), `rolecall-fuzz-${process.pid}`);
  const figures = { crashes: 0, hangs: 0, slow: 0, others: 0 };
  let number = 0;
  return {
    figures,
    /** @param {Found} found */
    add({ target, kind, message, origin, input }) {
      if (kind === "crash") figures.crashes++;
      else if (kind === "hang") figures.hangs++;
      else if (kind === "slow") figures.slow++;
      else figures.others++;
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${++number}-${target}-${kind}`);
      writeFileSync(file, input);
      const text = JSON.stringify(new TextDecoder().decode(input.subarray(0, 2_000)));
      console.log(`${kind} in ${target}, ${origin}: ${message}\n  ${text}\n  kept as ${file}`);
    },
  };
}
