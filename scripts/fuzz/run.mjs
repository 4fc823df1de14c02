// Hostile and odd input for core: bodies, errors and streams of every protocol, changed by chance, through every decoder, the parser of
// server-sent events, the reader of JSON, the rules for requests and the check of profiles. Each is refused with a typed error or converted, in linear time, the same
// way each time; nothing is changed in silence, no prototype is polluted.
// Usage: npm run fuzz -- [--inputs 200000] [--seed 1] [--targets a,b] [--probes 10000] [--workers 2] [--minutes 1]
// One input of so many as `--probes` says is made large, to see how its time grows. Afterwards code coverage guides a search for `--minutes`,
// which keeps what reaches new code in fixtures/fuzz. ROLECALL_CORPUS names a folder of recordings to begin with as well; none of them is kept.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { loadBuilt } from "./built.mjs";
import { search } from "./guided/search.mjs";
import { createInputs } from "./inputs/inputs.mjs";
import { readSeeds } from "./inputs/seeds.mjs";
import { createReport } from "./report.mjs";
import { createTargets } from "./targets/targets.mjs";
import { runThread } from "./watch.mjs";

/** @import { Work } from "./worker.mjs" */

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "200000" },
    seed: { type: "string", default: "1" },
    targets: { type: "string", default: "" },
    minutes: { type: "string", default: "1" },
    probes: { type: "string", default: "10000" },
    workers: { type: "string", default: String(Math.min(4, availableParallelism())) },
  },
});
const inputs = Number(values.inputs);
const seed = Number(values.seed);
const corpus = process.env["ROLECALL_CORPUS"];
/** An input for which there is no result after so many milliseconds hangs. */
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
const started = performance.now();
const report = createReport();
/** @type {Map<string, number>} */
const counts = new Map(names.map((name) => [name, 0]));
let total = 0;
const onMessage = (/** @type {any} */ message) => {
  if (message.found !== undefined) report.add(message.found);
  for (const [name, count] of message.counts ?? []) {
    counts.set(name, (counts.get(name) ?? 0) + count);
    total += count;
  }
};

/**
 * One thread's share. A hang ends the thread; another goes on behind its input.
 * @param {number} from
 * @param {number} step
 * @returns {Promise<void>}
 */
function runShare(from, step) {
  const at = new Int32Array(new SharedArrayBuffer(4));
  at[0] = -1;
  /** @type {Work} */
  const work = { from, step, inputs, seed, names, corpus, at, probes: Number(values.probes) };
  return runThread(new URL("worker.mjs", import.meta.url), work, at, {
    onMessage,
    longest: (number) => (number < -1 ? PROBE : HANG),
    onHang(number) {
      const index = number < -1 ? -2 - number : number;
      const { target, input } = createInputs(targets, readSeeds(core, seed, corpus), seed)(index);
      const message = number < -1 ? "no result for a larger one like it" : "no result";
      report.add({ target: target.name, kind: "hang", message, origin: `input ${index} of seed ${seed}`, input });
      return index + step < inputs ? runShare(index + step, step) : undefined;
    },
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
const changed = `${total} changed inputs in ${Math.round(seconds())} s with seed ${seed}`;
const guided = await search({ names, seed, minutes: Number(values.minutes), longest: HANG, report });
const { crashes, hangs, slow, others } = report.figures;
console.log(`${changed}, ${guided}: ${crashes} crashes, ${hangs} hangs, ${slow} slow, ${others} other findings`);
process.exit(crashes + hangs + slow + others > 0 ? 1 : 0);
