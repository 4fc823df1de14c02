// Runs bench/fidelity/run.ts, which shares the sources of `rolecall audit`: Node 20 reads no types, so it is bundled first.
import { join } from "node:path";
import { rolldown } from "rolldown";
import { repository } from "./run.mjs";

/** As deep as `test` and `scripts`: what looks for the root of the repository finds it from there. */
const folder = join(repository, ".fidelity");

const bundle = await rolldown({
  cwd: repository,
  input: { run: "bench/fidelity/run.ts" },
  // Packages are loaded from where they are installed.
  external: /^[^./]/,
  platform: "node",
});
await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
await bundle.close();
await import(join(folder, "run.mjs"));
