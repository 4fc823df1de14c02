// Prints figures beside their targets.
import { cpus, loadavg } from "node:os";

/** @typedef {import("./measure.mjs").Figure} Figure */

/**
 * What beside other load can still be the target itself: a figure that is over its target by no more than this does not pass, but is no failure
 * either. Whether it holds shows on a machine that does nothing else.
 */
const TOLERANCE = 1.3;

/** What figures mean nothing without. */
export const machine = { node: process.version, processor: cpus()[0]?.model ?? "unknown", cores: cpus().length };

/**
 * @param {Figure} figure
 * @returns {"" | "pass" | "over" | "FAIL"}
 */
function verdict({ target, spread }) {
  if (target === undefined) return "";
  if (spread.median <= target) return "pass";
  return spread.median <= target * TOLERANCE ? "over" : "FAIL";
}

/** What the verdicts come to, in words. @param {readonly Figure[]} figures */
function summary(figures) {
  const verdicts = figures.map(verdict);
  const count = (/** @type {string} */ word) => verdicts.filter((item) => item === word).length;
  const [passed, over, failed] = [count("pass"), count("over"), count("FAIL")];
  const counts = `${passed} of ${passed + over + failed} targets met, ${over} over, ${failed} failed.`;
  return over === 0
    ? counts
    : `${counts} "over" misses its target by up to ${Math.round((TOLERANCE - 1) * 100)} %, as a loaded machine may make of one that is met; it does not fail the run.`;
}

/** Prints rows as columns. @param {readonly (readonly string[])[]} rows */
export function printTable(rows) {
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
 * Prints the figures, as JSON with `--json`, and lets the process end with 1 where one fails. One that is only over its target does not let it.
 * @param {string} subject what the figures are of
 * @param {readonly Figure[]} figures
 */
export function printFigures(subject, figures) {
  const load = loadavg()[0] ?? 0;
  if (process.argv.includes("--json")) {
    const judged = figures.map((figure) => ({ ...figure, verdict: verdict(figure) }));
    console.log(JSON.stringify({ ...machine, load, subject, figures: judged }));
  } else {
    const place = `Node ${machine.node}, ${machine.cores} × ${machine.processor}, load ${load.toFixed(1)}`;
    console.log(`${place}, ${subject}\n`);
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
    console.log(`\n${summary(figures)}`);
  }
  if (figures.some((figure) => verdict(figure) === "FAIL")) process.exitCode = 1;
}
