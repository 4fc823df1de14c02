// Makes inputs and tries them, one of several threads. What number it is at stands in memory that the parent reads, so that a hang is found.
import { parentPort, workerData } from "node:worker_threads";
import { loadBuilt } from "./built.mjs";
import { demandUnpolluted, Finding, isPolluted, keyOf } from "./finding.mjs";
import { findGrowth } from "./growth.mjs";
import { createInputs } from "./inputs/inputs.mjs";
import { Random } from "./inputs/random.mjs";
import { readSeeds } from "./inputs/seeds.mjs";
import { shrink } from "./shrink.mjs";
import { createTargets } from "./targets/targets.mjs";

/** @typedef {{ from: number, step: number, inputs: number, seed: number, names: readonly string[], corpus: string | undefined, at: Int32Array<SharedArrayBuffer>, probes: number }} Work */
/** @import { Found } from "./report.mjs" */

/** So many inputs lie between two looks at prototypes, and between two reports. */
const INTERVAL = 500;

// Errors are made by the million, and their stacks are looked at only where something broke.
Error.stackTraceLimit = 4;

const { from, step, inputs, seed, names, corpus, at, probes } = /** @type {Work} */ (workerData);
const core = await loadBuilt();
const targets = createTargets(core).filter(({ name }) => names.includes(name));
const make = createInputs(targets, readSeeds(core, seed, corpus), seed);
const post = (/** @type {{ found?: Found, counts?: Map<string, number> }} */ message) =>
  parentPort?.postMessage(message);
const lane = from % step;
/** @type {Set<string>} */
const known = new Set();
/** @type {Map<string, number>} */
let counts = new Map();

for (let index = from; index < inputs; index += step) {
  Atomics.store(at, 0, index);
  const { target, input } = make(index);
  const origin = `input ${index} of seed ${seed}`;
  counts.set(target.name, (counts.get(target.name) ?? 0) + 1);
  try {
    await target.check(input);
    if (isPolluted() || (index - lane) % (INTERVAL * step) === 0) demandUnpolluted();
  } catch (error) {
    const key = keyOf(error);
    if (!known.has(`${target.name} ${key}`)) {
      known.add(`${target.name} ${key}`);
      let last = error;
      const fails = async (/** @type {Uint8Array} */ smaller) => {
        Atomics.store(at, 0, index);
        try {
          await target.check(smaller);
          return false;
        } catch (other) {
          if (keyOf(other) !== key) return false;
          last = other;
          return true;
        }
      };
      const small = await shrink(input, fails);
      const message = last instanceof Finding ? last.message : String(/** @type {Error} */ (last).stack);
      post({ found: { target: target.name, kind: key.slice(0, key.indexOf(" ")), message, origin, input: small } });
    }
  }
  if (probes > 0 && Math.floor(index / step) % probes === 0) {
    // The parent knows by the sign that this takes longer.
    Atomics.store(at, 0, -2 - index);
    const growth = await findGrowth(target, input, new Random(seed, index));
    if (growth !== undefined) post({ found: { target: target.name, kind: "slow", origin, ...growth } });
  }
  if ((index - lane) % (INTERVAL * step) === 0) {
    post({ counts });
    counts = new Map();
  }
}
demandUnpolluted();
post({ counts });
