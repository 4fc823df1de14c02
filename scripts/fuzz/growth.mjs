// Time that grows faster than the input: one place of an input is made much larger, then twice and four times as large.
import { performance } from "node:perf_hooks";
import { copyOf, writeJson } from "./inputs/mutate.mjs";
import { framesOf, writeFrames } from "./inputs/streams.mjs";

/** @import { Random } from "./inputs/random.mjs" */
/** @import { Target } from "./targets/targets.mjs" */

/** So many times the place is repeated in the smallest of the three. */
const COUNT = 1_000;
/** Below this a ratio says more about the machine. */
const LEAST = 100;
/** Four times the input may take so many times as long. Twice the square root of quadratic growth, and more than what caches cost. */
const MOST = 9;
/** Twice the input may take so many times as long. */
const TWICE = 2.8;
const ROUNDS = 5;
/** An input with its place repeated is not larger than this. */
const LONGEST = 500_000;
/** Larger inputs, and those that nest deeper, take most of the time to be made larger. */
const LARGE = 10_000;
const DEEP = 30;

/**
 * A family of inputs that grow with their number at one place, chosen by chance; undefined where the input has no such place.
 * @param {Target} target
 * @param {Uint8Array} input
 * @param {Random} random
 * @returns {((count: number) => Uint8Array) | undefined}
 */
function familyOf({ kind }, input, random) {
  const text = new TextDecoder().decode(input);
  const encode = (/** @type {string} */ written) => new TextEncoder().encode(written);
  if (kind === "stream" || kind === "sse") {
    const frames = framesOf(text);
    if (frames.length === 0) return undefined;
    const at = random.below(frames.length);
    const frame = /** @type {any} */ (frames[at]);
    const change =
      typeof frame.data === "object" && frame.data !== null && random.below(2) === 0
        ? placeOf(frame.data, random)
        : undefined;
    return (count) => {
      const many = Array.from({ length: count }, (_, index) =>
        change === undefined ? frame : { ...frame, data: change(index) },
      );
      return encode(writeFrames(frames.toSpliced(at, 1, ...many)));
    };
  }
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return (count) => encode(text.repeat(count));
  }
  const grow = growthOf(body, random);
  return grow && ((count) => encode(writeJson(grow(count))));
}

/**
 * How deep brackets open, those within texts included.
 * @param {Uint8Array} input
 */
function depthOf(input) {
  let depth = 0;
  let most = 0;
  for (const byte of input) {
    if (byte === 0x5b || byte === 0x7b) most = Math.max(most, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return most;
}

/**
 * The containers of a value.
 * @param {any} value
 * @returns {any[]}
 */
function containersOf(value) {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersOf)];
}

/**
 * One key or text at a place that depends on the number: frames that state ever more.
 * @param {any} value
 * @param {Random} random
 * @returns {(index: number) => any}
 */
function placeOf(value, random) {
  const copy = copyOf(value);
  const holder = random.of(containersOf(copy));
  const texts = Object.keys(holder).filter((key) => ["string", "number"].includes(typeof holder[key]));
  const key = texts.length > 0 && random.below(2) === 0 ? random.of(texts) : undefined;
  if (Array.isArray(holder) && key === undefined) return () => copy;
  const before = key === undefined ? undefined : holder[key];
  return (index) => {
    if (key === undefined) holder[`k${index}`] = index;
    else if (typeof before === "number") holder[key] = index;
    else holder[key] = /\d/.test(before) ? before.replace(/\d+/, String(index)) : `t${index}`;
    const written = copyOf(copy);
    if (key === undefined) delete holder[`k${index}`];
    return written;
  };
}

/**
 * @param {any} body
 * @param {Random} random
 * @returns {((count: number) => any) | undefined}
 */
function growthOf(body, random) {
  const containers = containersOf(body);
  if (containers.length === 0) return undefined;
  const at = random.below(containers.length);
  const way = random.below(4);
  return (count) => {
    const copy = copyOf(body);
    const holder = containersOf(copy)[at];
    if (Array.isArray(holder)) {
      const whole = holder.length > 0 ? holder.slice() : [{}];
      // The same again, or each with an id of its own.
      for (let index = 0; index < count; index++)
        for (const item of way < 2 ? whole : whole.slice(0, 1))
          holder.push(way % 2 === 0 ? item : numbered(item, index));
    } else if (way === 0) {
      const texts = Object.keys(holder).filter((key) => typeof holder[key] === "string");
      for (const key of texts) holder[key] = `${holder[key]} "\\é,`.repeat(count);
    } else for (let index = 0; index < count; index++) holder[`k${index}`] = way === 1 ? { a: [index] } : index;
    return copy;
  };
}

/** @type {(item: any, index: number) => any} */
function numbered(item, index) {
  const copy = copyOf(item);
  for (const holder of containersOf(copy))
    for (const key of ["id", "call_id", "tool_call_id", "tool_use_id", "name", "text"])
      if (typeof holder[key] === "string") holder[key] += String(index);
  return copy;
}

/**
 * The least time of some runs, in milliseconds. What it finds is of no concern here.
 * @param {Target} target
 * @param {Uint8Array} input
 * @param {number} runs
 */
async function timeOf(target, input, runs) {
  let least = Number.POSITIVE_INFINITY;
  for (let left = runs; left > 0; left--) {
    const start = performance.now();
    try {
      await target.check(input);
    } catch {
      // Another run reports it.
    }
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/**
 * The input whose time grows faster than its size, where one does.
 * @param {Target} target
 * @param {Uint8Array} input
 * @param {Random} random
 * @returns {Promise<{ input: Uint8Array, message: string } | undefined>}
 */
export async function findGrowth(target, input, random) {
  if (input.length > LARGE || depthOf(input) > DEEP) return undefined;
  const family = familyOf(target, input, random);
  if (family === undefined) return undefined;
  let count = COUNT;
  while (count > 20 && family(count).length > LONGEST / 4) count >>= 2;
  const [small, large] = [family(count), family(4 * count)];
  const factor = large.length / small.length;
  if (large.length > 2 * LONGEST || factor < 2) return undefined;
  for (const runs of [1, 2, 5]) {
    const after = await timeOf(target, large, runs);
    if (after < LEAST) return undefined;
    const before = await timeOf(target, small, runs + 1);
    if (after / before < (MOST / 4) * factor) return undefined;
  }
  // Again and again, with larger ones: what was not compiled yet, and a machine that was busy, are no growth.
  const sizes = [large, family(8 * count), family(16 * count)];
  const times = sizes.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, one] of sizes.entries())
      times[index] = Math.min(Number(times[index]), await timeOf(target, one, 2));
    if (times.some((time, index) => index > 0 && time / Number(times[index - 1]) < TWICE)) return undefined;
  }
  const shown = sizes.map(({ length }, index) => `${length} bytes take ${Number(times[index]).toFixed(0)} ms`);
  return { input: large, message: shown.join(", ") };
}
