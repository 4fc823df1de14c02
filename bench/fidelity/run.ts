// Measures which values of a body arrive, are told, or are lost in silence, for Rolecall and for converters of others, and writes docs/fidelity.md.
// Usage: npm run fidelity, or npm run --silent fidelity -- [--only rolecall,llm-bridge] [--json] [--render]
import { readFileSync } from "node:fs";
import { release, type } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repository } from "../../test/source-files.ts";
import { createProgress, installPeers, reportFailures } from "../peers/peers.mjs";
import { machine } from "../table.mjs";
import type { Direction } from "./direction.ts";
import { readExcuses } from "./excuse.ts";
import type { DirectionFigures, Prepared } from "./measure.ts";
import { measureDirection, prepare } from "./measure.ts";
import { dataFile, writePages } from "./pages.ts";
import type { Results, SubjectFigures } from "./results.ts";
import { percent, sumOf, totalOf } from "./results.ts";
import { createRolecall } from "./rolecall.ts";
import { collectSamples } from "./samples.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean" }, only: { type: "string" }, render: { type: "boolean" } },
});

type Created = { readonly directions: readonly Direction[]; readonly stop?: () => void };

const adapters: { readonly [id: string]: () => Promise<{ createDirections(): Promise<Created> }> } = {
  "llm-bridge": () => import("./peers/llm-bridge.ts"),
  portkey: () => import("./peers/portkey.ts"),
  llms: () => import("./peers/llms.ts"),
  "ai-sdk": () => import("./peers/ai-sdk.ts"),
  "pi-ai": () => import("./peers/pi-ai.ts"),
};

async function measure(
  { directions, stop }: Created,
  name: string,
  prepared: readonly Prepared[],
): Promise<DirectionFigures[]> {
  const figures: DirectionFigures[] = [];
  try {
    for (const direction of directions) {
      progress.step(`${name}: ${direction.operation} ${direction.from} → ${direction.to}`);
      figures.push(
        await measureDirection(direction, prepared, (done, total) => progress.show(`${done} of ${total} bodies`)),
      );
    }
  } finally {
    stop?.();
  }
  return figures;
}

function printSummary({ subjects }: Results): void {
  for (const { name, versions, figures } of subjects) {
    console.log(`${name}: ${versions.join(", ")}`);
    for (const direction of figures) {
      const tally = sumOf([direction], () => true);
      const parts = (["survived", "told", "silent"] as const).map(
        (key) => `${percent(tally[key], totalOf(tally))} ${key}`,
      );
      const way = `${direction.operation} ${direction.from} → ${direction.to}`;
      const refused = direction.refused > 0 ? `, ${direction.refused} of ${direction.bodies} bodies refused` : "";
      console.log(`  ${way.padEnd(60)} ${parts.join("  ")}${refused}`);
    }
  }
}

const progress = createProgress();

async function measureAll(): Promise<{ results: Results; failures: Parameters<typeof reportFailures>[0] }> {
  const start = Date.now();
  progress.step("installing");
  const { installed, failures } = installPeers(values.only);
  const prepared = prepare(collectSamples(), await readExcuses());
  const subjects: SubjectFigures[] = [];
  if (values.only === undefined || values.only.split(",").includes("rolecall")) {
    const { version } = JSON.parse(readFileSync(join(repository, "packages/core/package.json"), "utf8"));
    const { directions, ...named } = await createRolecall(version);
    subjects.push({ ...named, figures: await measure({ directions }, named.name, prepared) });
  }
  for (const peer of installed) {
    try {
      const created = await adapters[peer.id]?.().then((adapter) => adapter.createDirections());
      if (created !== undefined) subjects.push({ ...peer, figures: await measure(created, peer.name, prepared) });
    } catch (error) {
      failures.push({ peer, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  progress.end();
  const seconds = Math.round((Date.now() - start) / 1000);
  return { results: { ...machine, system: `${type()} ${release()}`, seconds, subjects }, failures };
}

if (values.render === true) writePages(JSON.parse(readFileSync(join(repository, dataFile), "utf8")));
else {
  const { results, failures } = await measureAll();
  if (values.json === true) console.log(JSON.stringify(results));
  else printSummary(results);
  reportFailures(failures);
  if (failures.length > 0) console.error("\nThe page was not written, because some are missing.");
  else if (values.only === undefined) writePages(results);
  // Some of what was loaded keeps connections open for a while.
  process.exit();
}
