// Measures which places of a body survive a conversion, are told, or are lost in silence, for Rolecall and the converters of others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repository } from "../../test/source-files.ts";
import type { Subject } from "./direction.ts";
import { readExcuses } from "./excuse.ts";
import type { DirectionFigures } from "./measure.ts";
import { measureDirection, prepare } from "./measure.ts";
import { createRolecall } from "./rolecall.ts";
import { collectSamples } from "./samples.ts";

const { values } = parseArgs({ options: { json: { type: "boolean" }, only: { type: "string" } } });
const manifest = JSON.parse(readFileSync(join(repository, "packages/core/package.json"), "utf8"));
const prepared = prepare(collectSamples(), await readExcuses());
const subjects: Subject[] = values.only ? [] : [await createRolecall(manifest.version)];
for (const id of (values.only ?? "").split(",").filter(Boolean)) {
  subjects.push({ id, name: id, versions: [], ...(await ({b:()=>import("./peers/llm-bridge.ts"),p:()=>import("./peers/portkey.ts"),l:()=>import("./peers/llms.ts"),a:()=>import("./peers/ai-sdk.ts"),i:()=>import("./peers/pi-ai.ts")} as any)[id]().then((a: any)=>a.createDirections())) });
}
for (const s of subjects) {
  for (const d of s.directions) {
    const t0 = Date.now();
    const f: DirectionFigures = await measureDirection(d, prepared, () => {});
    const sum = { survived: 0, told: 0, silent: 0 };
    for (const t of Object.values(f.tallies)) for (const k of ["survived", "told", "silent"] as const) sum[k] += t[k];
    console.log(s.id, d.operation, d.from, d.to, f.bodies, f.refused, JSON.stringify(sum), Date.now() - t0, "ms");
    if (process.env.SHOW) for (const e of f.examples.slice(0, Number(process.env.SHOW))) console.log("     ", e);
  }
  s.stop?.();
}
