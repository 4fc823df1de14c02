// Measures Rolecall beside converters and gateways of others, and writes docs/performance.md.
// Usage: npm run bench:peers, or npm run --silent bench:peers -- [--only rolecall,llms] [--sections gateway,import] [--rounds N] [--json] [--render]
import { readFileSync } from "node:fs";
import { loadavg, release, type } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repository } from "../../scripts/run.mjs";
import { createProgress, installPeers, reportFailures } from "../peers/peers.mjs";
import { machine, printTable } from "../table.mjs";
import { conversionSection } from "./conversions.mjs";
import { gatewaySection, latencySection } from "./gateways.mjs";
import { importSection, installSection } from "./install.mjs";
import { figure } from "./page.mjs";
import { dataFile, writePages } from "./pages.mjs";

/** @typedef {import("./page.mjs").Results} Results */
/** @typedef {import("./section.mjs").Section} Section */
/** @typedef {import("./section.mjs").Run} Run */

const { values } = parseArgs({
  options: {
    json: { type: "boolean" },
    only: { type: "string" },
    sections: { type: "string" },
    rounds: { type: "string", default: "9" },
    render: { type: "boolean" },
  },
});

/** @type {{ [id: string]: (run: Run) => Section | Promise<Section> }} */
const measurements = {
  conversion: conversionSection,
  gateway: gatewaySection,
  latency: latencySection,
  import: importSection,
  install: installSection,
};

/** @param {Results} results */
function printResults({ sections }) {
  for (const { title, rows } of sections) {
    console.log(`\n${title}`);
    printTable(
      rows.flatMap(({ name, unit, cells }) =>
        cells.map(({ subject, spread, note = "" }, index) => [
          index === 0 ? `  ${name}` : "",
          subject,
          `${figure(spread.median, unit)} ${unit}`,
          spread.minimum === spread.maximum ? "" : `${figure(spread.minimum, unit)}–${figure(spread.maximum, unit)}`,
          note,
        ]),
      ),
    );
  }
}

if (values.render === true) writePages(JSON.parse(readFileSync(join(repository, dataFile), "utf8")));
else {
  const load = loadavg()[0] ?? 0;
  const start = Date.now();
  const progress = createProgress();
  progress.step("installing");
  const { installed, failures } = installPeers(values.only);
  const wanted = values.sections?.split(",") ?? Object.keys(measurements);
  const rounds = Number(values.rounds);
  const run = {
    rounds,
    step: progress.step,
    has: (/** @type {string} */ peer) => installed.some(({ id }) => id === peer),
  };
  /** @type {Section[]} */
  const sections = [];
  for (const id of wanted) {
    const measure = measurements[id];
    if (measure === undefined) throw new Error(`--sections ${id}: there are ${Object.keys(measurements).join(", ")}`);
    try {
      sections.push(await measure(run));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push({ peer: { id, name: `The section ${id}`, versions: [] }, reason });
    }
  }
  progress.end();
  const { version } = JSON.parse(readFileSync(join(repository, "packages/core/package.json"), "utf8"));
  const versions = [`@rolecall/core and @rolecall/gateway ${version}`, ...installed.flatMap((peer) => peer.versions)];
  const seconds = Math.round((Date.now() - start) / 1000);
  /** @type {Results} */
  const results = { ...machine, system: `${type()} ${release()}`, seconds, rounds, load, versions, sections };
  if (values.json === true) console.log(JSON.stringify(results));
  else printResults(results);
  reportFailures(failures);
  if (failures.length > 0) console.error("\nThe page was not written, because some are missing.");
  else if (values.only === undefined && values.sections === undefined) writePages(results);
  // Some of what was loaded keeps connections open for a while.
  process.exit();
}
