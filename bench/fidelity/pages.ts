import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../test/source-files.ts";
import { writeFidelityPage, writeFidelityPlot } from "./page.ts";
import type { Results } from "./results.ts";

/** What was measured last: the page is made from it, so that its words can change without measuring again. */
export const dataFile = "docs/figures/fidelity.json";

/** The files of the page, by their paths. */
export function pagesOf(results: Results): { readonly [path: string]: string } {
  return {
    [dataFile]: writeData(results),
    "docs/fidelity.md": writeFidelityPage(results),
    "docs/figures/fidelity.svg": writeFidelityPlot(results),
  };
}

export function writePages(results: Results): void {
  mkdirSync(join(repository, "docs/figures"), { recursive: true });
  for (const [path, text] of Object.entries(pagesOf(results))) {
    writeFileSync(join(repository, path), text);
    console.error(`wrote ${path}`);
  }
}

/** A line for each direction, so that changes can be seen. */
function writeData({ subjects, ...head }: Results): string {
  const lines = subjects.map(({ figures, ...subject }) => {
    const directions = figures.map((direction) => `    ${JSON.stringify(direction)}`).join(",\n");
    return `  { ${JSON.stringify(subject).slice(1, -1)}, "figures": [\n${directions}\n  ] }`;
  });
  return `{ ${JSON.stringify(head).slice(1, -1)}, "subjects": [\n${lines.join(",\n")}\n] }\n`;
}
