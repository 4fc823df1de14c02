// Makes inputs and tries them, one of several threads. What number it is at stands in memory that the parent reads, so that a hang is found.
import { parentPort, workerData } from "node:worker_threads";
import { loadBuilt } from "./built.mjs";
import { demandUnpolluted, Finding } from "./finding.mjs";
import { findGrowth } from "./growth.mjs";
import { createInputs } from "./inputs.mjs";
import { Random } from "./random.mjs";
import { readSeeds } from "./seeds.mjs";
import { shrink } from "./shrink.mjs";
import { createTargets } from "./targets.mjs";

/** @typedef {{ from: number, step: number, inputs: number, seed: number, names: readonly string[], corpus: string | undefined, at: Int32Array<SharedArrayBuffer>, probes: number }} Work */
/** @typedef {{ target: string, kind: string, message: string, index: number, input: Uint8Array }} Found */

/** So many inputs lie between two looks at prototypes, and between two reports. */
const INTERVAL = 500;

const { from, step, inputs, seed, names, corpus, at, probes } = /** @type {Work} */ (workerData);
const core = await loadBuilt();
const targets = createTargets(core).filter(({ name }) => names.includes(name));
const make = createInputs(targets, readSeeds(core, seed, corpus), seed);
const post = (/** @type {object} */ message) => parentPort?.postMessage(message);
const lane = from % step;
/** @type {Set<string>} */
const known = new Set();
/** @type {Map<string, number>} */
let counts = new Map();
let repeated = 0;

/** What is the same for findings that may have one cause. */
const keyOf = (/** @type {unknown} */ error) => {
  const { kind, message } = error instanceof Finding ? error : { kind: "broken check", message: String(error) };
  return `${kind} ${message.slice(0, kind === "crash" ? 110 : 30).replace(/\d+/g, "#")}`;
};

for (let index = from; index < inputs; index += step) {
  Atomics.store(at, lane, index);
  const { target, input } = make(index);
  counts.set(target.name, (counts.get(target.name) ?? 0) + 1);
  try {
    await target.check(input);
    if ((index - lane) % (INTERVAL * step) === 0) demandUnpolluted();
  } catch (error) {
    const key = keyOf(error);
    if (known.has(`${target.name} ${key}`)) repeated++;
    else {
      known.add(`${target.name} ${key}`);
      let last = error;
      const fails = async (/** @type {Uint8Array} */ smaller) => {
        Atomics.store(at, lane, index);
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
      post({ found: { target: target.name, kind: key.split(" ", 1)[0], message, index, input: small } });
    }
  }
  if (probes > 0 && Math.floor(index / step) % probes === 0) {
    // The parent knows by the sign that this takes longer.
    Atomics.store(at, lane, -2 - index);
    const growth = await findGrowth(target, input, new Random(seed, index));
    if (growth !== undefined) post({ found: { target: target.name, kind: "slow", index, ...growth } });
  }
  if ((index - lane) % (INTERVAL * step) === 0) {
    post({ counts, repeated });
    counts = new Map();
    repeated = 0;
  }
}
demandUnpolluted();
post({ counts, repeated, done: true });
