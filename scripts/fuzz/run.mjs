// Hostile and odd input for core: bodies, errors and streams of every protocol, changed by chance, through every decoder, the parser of
// server-sent events, the reader of JSON and the check of profiles. Each is refused with a typed error or converted, in linear time, the same
// way each time; nothing is changed in silence, no prototype is polluted.
// Usage: npm run fuzz -- [--inputs 200000] [--seed 1] [--targets a,b] [--minutes 0] [--probes 10000] [--workers 2]
// One input of so many as `--probes` says is made large, to see how its time grows. Then `--minutes` of a search that coverage guides, which keeps what reaches new code in fixtures/fuzz. ROLECALL_CORPUS names a folder of
// recordings to begin with as well; none of them is kept.
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { loadBuilt } from "./built.mjs";
import { createInputs } from "./inputs.mjs";
import { readSeeds } from "./seeds.mjs";
import { createTargets } from "./targets.mjs";

/** @import { Found, Work } from "./worker.mjs" */

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "200000" },
    seed: { type: "string", default: "1" },
    targets: { type: "string", default: "" },
    minutes: { type: "string", default: "0" },
    probes: { type: "string", default: "10000" },
    workers: { type: "string", default: String(Math.min(4, availableParallelism())) },
  },
});
const inputs = Number(values.inputs);
const seed = Number(values.seed);
const corpus = process.env["ROLECALL_CORPUS"];
/** A worker that is at the same input for so long hangs. */
const HANG = 10_000;
/** A larger input that is like it may take so long. */
const PROBE = 60_000;
const PROGRESS = 30_000;

const core = await loadBuilt();
const wanted = values.targets.split(",").filter((word) => word !== "");
const targets = createTargets(core).filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (targets.length === 0) throw new Error(`no target is called ${values.targets}`);
const names = targets.map(({ name }) => name);
const folder = join(tmpdir(), `rolecall-fuzz-${process.pid}`);
const started = performance.now();
/** @type {Map<string, number>} */
const counts = new Map(names.map((name) => [name, 0]));
const figures = { crashes: 0, hangs: 0, slow: 0, others: 0 };
let total = 0;

/** @param {Found} found */
function report({ target, kind, message, index, input }) {
  if (kind === "crash") figures.crashes++;
  else if (kind === "hang") figures.hangs++;
  else if (kind === "slow") figures.slow++;
  else figures.others++;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${target}-${kind}-${index}`);
  writeFileSync(file, input);
  const text = JSON.stringify(new TextDecoder().decode(input.subarray(0, 2_000)));
  console.log(`${kind} in ${target}, input ${index} of seed ${seed}: ${message}\n  ${text}\n  kept as ${file}`);
}

/**
 * One thread's share. A hang ends the thread; another goes on behind its input.
 * @param {number} from
 * @param {number} step
 * @returns {Promise<void>}
 */
function runShare(from, step) {
  const at = new Int32Array(new SharedArrayBuffer(4 * step));
  const lane = from % step;
  /** @type {Work} */
  const work = { from, step, inputs, seed, names, corpus, at, probes: Number(values.probes) };
  at[lane] = -1;
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), { workerData: work });
    let last = -1;
    let since = performance.now();
    const watch = setInterval(() => {
      const now = Atomics.load(at, lane);
      if (now !== last) {
        last = now;
        since = performance.now();
      } else if (last !== -1 && performance.now() - since > (last < -1 ? PROBE : HANG)) {
        clearInterval(watch);
        void worker.terminate().then(() => {
          const make = createInputs(targets, readSeeds(core, seed, corpus), seed);
          const index = last < -1 ? -2 - last : last;
          const { target, input } = make(index);
          const message = last < -1 ? "no result for a larger one like it" : "no result";
          report({ target: target.name, kind: "hang", message, index, input });
          resolve(index + step < inputs ? runShare(index + step, step) : undefined);
        });
      }
    }, 1_000);
    worker.on("message", (message) => {
      if (message.found !== undefined) report(message.found);
      for (const [name, count] of message.counts ?? []) {
        counts.set(name, (counts.get(name) ?? 0) + count);
        total += count;
      }
      if (message.done === true) {
        clearInterval(watch);
        resolve();
      }
    });
    worker.on("error", (error) => {
      clearInterval(watch);
      reject(error);
    });
  });
}

const seconds = () => (performance.now() - started) / 1000;
const progress = setInterval(() => {
  console.log(`${total} of ${inputs} inputs, ${Math.round(total / seconds())} each second`);
}, PROGRESS);
const workers = Math.max(1, Number(values.workers));
await Promise.all(Array.from({ length: workers }, (_, lane) => runShare(lane, workers)));
clearInterval(progress);

for (const [name, count] of counts) console.log(`  ${name} ${count}`);
const { crashes, hangs, slow, others } = figures;
console.log(
  `${total} inputs in ${Math.round(seconds())} s with seed ${seed}: ${crashes} crashes, ${hangs} hangs, ${slow} slow, ${others} other findings`,
);
process.exit(crashes + hangs + slow + others > 0 ? 1 : 0);
