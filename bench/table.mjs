// Prints figures beside their targets.
import { cpus } from "node:os";

/** @typedef {import("./measure.mjs").Figure} Figure */

/** Shared machines are noisy: only what is beyond its target times this is a failure. */
const TOLERANCE = 1.3;

/** What figures mean nothing without. */
export const machine = { node: process.version, processor: cpus()[0]?.model ?? "unknown", cores: cpus().length };

/** @param {Figure} figure */
function verdict({ target, spread }) {
  if (target === undefined) return "";
  if (spread.median <= target) return "pass";
  return spread.median <= target * TOLERANCE ? "over" : "FAIL";
}

/** @param {readonly (readonly string[])[]} rows */
function printTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/**
 * Prints the figures, as JSON with `--json`, and lets the process end with 1 where one fails.
 * @param {string} subject what the figures are of
 * @param {readonly Figure[]} figures
 */
export function printFigures(subject, figures) {
  if (process.argv.includes("--json")) {
    const judged = figures.map((figure) => ({ ...figure, verdict: verdict(figure) }));
    console.log(JSON.stringify({ ...machine, subject, figures: judged }));
  } else {
    console.log(`Node ${machine.node}, ${machine.cores} × ${machine.processor}, ${subject}\n`);
    printTable([
      ["figure", "target", "median", "min–max", "", ""],
      ...figures.map((figure) => {
        const { name, unit, target, spread, note } = figure;
        const digits = unit.startsWith("×") ? 2 : 1;
        return [
          name,
          target === undefined ? "" : `≤ ${target}`,
          `${spread.median.toFixed(digits)} ${unit}`,
          `${spread.minimum.toFixed(digits)}–${spread.maximum.toFixed(digits)}`,
          verdict(figure),
          note,
        ];
      }),
    ]);
  }
  if (figures.some((figure) => verdict(figure) === "FAIL")) process.exitCode = 1;
}
