// Changes inputs of one target again and again, and goes on with those that take a branch which none before them has taken, or take it more often.
import { parentPort, workerData } from "node:worker_threads";
import { loadBuilt } from "../built.mjs";
import { demandUnpolluted, Finding, isPolluted, keyOf } from "../finding.mjs";
import { mutateBytes } from "../inputs/bytes.mjs";
import { bodiesFor } from "../inputs/inputs.mjs";
import { mutate, mutateText, writeJson } from "../inputs/mutate.mjs";
import { Random } from "../inputs/random.mjs";
import { readSeeds } from "../inputs/seeds.mjs";
import { framesOf, mutateStream, writeBytes, writeFrames } from "../inputs/streams.mjs";
import { shrink } from "../shrink.mjs";
import { createTargets } from "../targets/targets.mjs";
import { counts } from "./counts.mjs";
import { readKept } from "./kept.mjs";
import { longestInput } from "./search.mjs";

/** @typedef {{ name: string, seed: number, folder: string, branches: number, milliseconds: number, at: Int32Array<SharedArrayBuffer>, current: Uint8Array<SharedArrayBuffer> }} Search */

/** So many of the smallest bodies it begins with. */
const BEGINNING = 40;
/** So many are kept for each target, of this length at most. */
const KEPT = 60;
const LONGEST_KEPT = 1_500;

const { name, seed, folder, branches, milliseconds, at, current } = /** @type {Search} */ (workerData);
const core = await loadBuilt(folder);
const target = /** @type {import("../targets/targets.mjs").Target} */ (
  createTargets(core).find((one) => one.name === name)
);
const seeds = readSeeds(core, seed, undefined);
/** By branch: which orders of magnitude of its count were seen, as bits. */
const seen = new Uint32Array(branches);
const length = new DataView(current.buffer);
/** @type {Set<string>} */
const known = new Set();
let tried = 0;

/**
 * Tries an input.
 * @param {Uint8Array} input
 * @returns {Promise<unknown>} the error, where there is one
 */
async function attemptInput(input) {
  current.set(input);
  length.setUint32(longestInput, input.length);
  Atomics.store(at, 0, tried++);
  counts.fill(0, 0, branches);
  try {
    await target.check(input);
    if (isPolluted() || tried % 500 === 0) demandUnpolluted();
    return undefined;
  } catch (error) {
    return error ?? new Error("nothing was thrown");
  }
}

/** Notes what the last input has reached; true where that is new. */
function noteReached() {
  let isNew = false;
  for (let branch = 0; branch < branches; branch++) {
    const count = counts[branch] ?? 0;
    if (count === 0) continue;
    const before = seen[branch] ?? 0;
    const after = before | (1 << Math.min(7, 32 - Math.clz32(count)));
    if (after === before) continue;
    seen[branch] = after;
    isNew = true;
  }
  return isNew;
}

/**
 * @param {Uint8Array} input
 * @param {unknown} error
 */
async function tell(input, error) {
  const key = keyOf(error);
  if (known.has(key)) return;
  known.add(key);
  const small = await shrink(input, async (smaller) => {
    const other = await attemptInput(smaller);
    return other !== undefined && keyOf(other) === key;
  });
  const message = error instanceof Finding ? error.message : String(/** @type {Error} */ (error).stack);
  const found = {
    target: name,
    kind: key.slice(0, key.indexOf(" ")),
    message,
    origin: "found by the search",
    input: small,
  };
  parentPort?.postMessage({ found });
}

/**
 * @param {Uint8Array} input
 * @param {readonly Uint8Array[]} pool
 * @param {Random} random
 * @returns {Uint8Array}
 */
function change(input, pool, random) {
  const grafts = [seeds.request, seeds.response, seeds.stream].map((kind) => kind[target.id ?? "openai-chat"]);
  const other = () => {
    const list = /** @type {import("@rolecall/core").Json[]} */ (random.of(grafts));
    return /** @type {import("@rolecall/core").Json} */ (list[random.below(1 + random.below(list.length))]);
  };
  if (random.below(3) === 0) return mutateBytes(input, random.of(pool), random);
  const text = new TextDecoder().decode(input);
  if (target.kind === "stream" || target.kind === "sse") {
    const frames = /** @type {any} */ (framesOf(text));
    return writeBytes(frames.length === 0 ? mutateText(text, random) : mutateStream(frames, other, random), random);
  }
  try {
    return new TextEncoder().encode(writeJson(mutate(JSON.parse(text), other, random)));
  } catch {
    return new TextEncoder().encode(mutateText(text, random));
  }
}

const kept = readKept(name);
const bodies = bodiesFor(target, seeds);
const isStream = target.kind === "stream" || target.kind === "sse";
const begun = bodies
  .slice(0, BEGINNING)
  .map((body) => new TextEncoder().encode(isStream ? writeFrames(/** @type {any} */ (body)) : JSON.stringify(body)));
const pool = [...kept, ...begun.filter((input) => input.length <= longestInput)];
for (const input of pool) {
  const error = await attemptInput(input);
  if (error !== undefined) await tell(input, error);
  noteReached();
}
const end = performance.now() + milliseconds;
for (let round = 0; performance.now() < end; round++) {
  const random = new Random(seed, round);
  // Late ones more often: what was found last leads on.
  const from = pool.length - 1 - random.below(1 + random.below(pool.length));
  const input = change(/** @type {Uint8Array} */ (pool[from]), pool, random);
  if (input.length === 0 || input.length > longestInput) continue;
  const error = await attemptInput(input);
  const isNew = noteReached();
  if (error !== undefined) await tell(input, error);
  else if (isNew) pool.push(input);
}
parentPort?.postMessage({ tried, reached: seen.filter((bits) => bits !== 0).length, kept: await leastOf(pool, kept) });

/**
 * The inputs that are to be kept beside those that are: small ones, each of which reaches a branch that none of the others does.
 * @param {readonly Uint8Array[]} all
 * @param {readonly Uint8Array[]} before
 */
async function leastOf(all, before) {
  const reached = new Uint8Array(branches);
  const adds = async (/** @type {Uint8Array} */ input) => {
    await attemptInput(input);
    let isNew = false;
    for (let branch = 0; branch < branches; branch++)
      if (counts[branch] !== 0 && reached[branch] === 0) {
        reached[branch] = 1;
        isNew = true;
      }
    return isNew;
  };
  for (const input of before) await adds(input);
  const chosen = [];
  const small = all
    .filter((input) => input.length <= LONGEST_KEPT)
    .toSorted((left, right) => left.length - right.length);
  for (const input of small) if (before.length + chosen.length < KEPT && (await adds(input))) chosen.push(input);
  Atomics.store(at, 0, -1);
  return chosen;
}
