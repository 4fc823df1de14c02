import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../scripts/run.mjs";
import { writePerformancePage, writePerformancePlot } from "./page.mjs";

/** @typedef {import("./page.mjs").Results} Results */

/** What was measured last: the page is made from it, so that its words can change without measuring again. */
export const dataFile = "docs/figures/performance.json";

/** The files of the page, by their paths. @param {Results} results @returns {{ [path: string]: string }} */
export const pagesOf = (results) => ({
  [dataFile]: `${JSON.stringify(results, undefined, 1)}\n`,
  "docs/performance.md": writePerformancePage(results),
  "docs/figures/performance.svg": writePerformancePlot(results),
});

/** @param {Results} results */
export function writePages(results) {
  mkdirSync(join(repository, "docs/figures"), { recursive: true });
  for (const [path, text] of Object.entries(pagesOf(results))) {
    writeFileSync(join(repository, path), text);
    console.error(`wrote ${path}`);
  }
}
