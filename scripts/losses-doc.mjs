// Writes docs/losses.md from the catalogue of losses; with --check it only says whether the page is up to date.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cell, row, writePage } from "./page.mjs";
import { repository } from "./run.mjs";

const core = await import(pathToFileURL(join(repository, "packages/core/dist/index.js")).href);

/** @typedef {{ kind: string, effect: string, severity: string, detail: string, explain: string }} Definition */

/** @type {[string, Definition][]} */
const catalogue = Object.entries(core.lossCatalogue);
const columns = ["Code", "Kind", "Effect", "Severity", "Detail", "Explanation"];

/** @param {string} code */
const areaOf = (code) => code.slice(0, code.indexOf("."));

const areas = [...new Set(catalogue.map(([code]) => areaOf(code)))];
const text = [
  "# Losses",
  "",
  "<!-- Written by scripts/losses-doc.mjs: edit the catalogue in packages/core/src/loss/catalogue, then run `npm run docs:losses`. -->",
  "",
  `Every loss that a conversion can report: ${catalogue.length} codes in ${areas.length} areas. The list is closed. On the command line`,
  "`rolecall explain CODE` says the same of one of them.",
  "",
  "- **Kind** is what became of it, unless the place says otherwise: `dropped` (it does not reach the target), `downgraded`",
  "  (something weaker arrives), `merged` (it arrives together with something else), `approximated` (something close to it",
  "  arrives), `rewritten` (other words, same meaning), `synthesized` (the target demands it, the source had none),",
  "  `unverified` (sent, but nobody knows whether this server honours it).",
  `- **Effect** is what it changes, the gravest first: ${core.lossEffects.join(", ")}.`,
  `- **Severity** is ${core.lossSeverities.join(", ")}.`,
  "- **Detail** is the line of a report in its usual words; what stands in braces is filled with protocol words and numbers, never with content.",
  ...areas.flatMap((area) => [
    "",
    `## ${area}`,
    "",
    row(columns),
    row(columns.map(() => "---")),
    ...catalogue
      .filter(([code]) => areaOf(code) === area)
      .map(([code, definition]) => {
        const { kind, effect, severity, explain } = definition;
        return row([`\`${code}\``, kind, effect, severity, cell(core.usualDetail(definition)), cell(explain)]);
      }),
  ]),
  "",
].join("\n");

const figures = `${catalogue.length} codes in ${areas.length} areas`;
writePage("docs/losses.md", text, "the catalogue", "docs:losses", figures);
