// What the scripts that write pages of the documentation from tables of the sources share.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./run.mjs";

/** @param {string} text */
export const cell = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");

/** @param {readonly string[]} cells */
export const row = (cells) => `| ${cells.join(" | ")} |`;

/**
 * Writes a page; with --check it only says whether the page is up to date.
 * @param {string} path
 * @param {string} text
 * @param {string} source what the page is made from
 * @param {string} script the npm script that writes it
 * @param {string} figures
 */
export function writePage(path, text, source, script, figures) {
  const page = join(repository, path);
  if (process.argv.includes("--check")) {
    const current = existsSync(page) ? readFileSync(page, "utf8") : "";
    if (current === text) return;
    console.error(`${path} is not what ${source} says: run \`npm run ${script}\``);
    process.exitCode = 1;
    return;
  }
  writeFileSync(page, text);
  console.log(`${path}: ${figures}`);
}
