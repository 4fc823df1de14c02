// Measures what the documentation promises: npm run bench, or node bench/run.mjs [--json] after a build.
// Ends with 1 only where a median is beyond its target times 1.3, because shared machines are noisy.
import { cpus } from "node:os";
import { conversionFigures, growthFigures } from "./conversions.mjs";
import { importFigures, memoryFigures } from "./processes.mjs";

const TOLERANCE = 1.3;

const corpus = process.env.ROLECALL_CORPUS || undefined;
const figures = [...conversionFigures(corpus), ...growthFigures(), ...importFigures(15), ...memoryFigures(5)];
const machine = {
  node: process.version,
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  conversation: corpus === undefined ? "generated" : "corpus",
};

/** @param {typeof figures[number]} figure */
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

if (process.argv.includes("--json")) {
  console.log(
    JSON.stringify({ ...machine, figures: figures.map((figure) => ({ ...figure, verdict: verdict(figure) })) }),
  );
} else {
  console.log(`Node ${machine.node}, ${machine.cores} × ${machine.processor}, ${machine.conversation} conversation\n`);
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
