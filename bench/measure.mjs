// Paired measurements: a subject and its base take turns in one process, so that both meet the same noise.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The root folder of the repository; children run there, so that they find the packages under their names. */
const repository = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ median: number, minimum: number, maximum: number }} Spread */
/** @typedef {{ name: string, unit: string, target: number | undefined, spread: Spread, note: string }} Figure */

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spreadOf(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const at = (/** @type {number} */ index) => /** @type {number} */ (sorted[index]);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, minimum: at(0), maximum: at(sorted.length - 1) };
}

/**
 * CPU milliseconds of the process for one call, on average over some.
 * @param {() => unknown} work
 */
export function cpuOf(work, calls = 1) {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}

/**
 * Allocates and drops up to 16 MB, as much as the engine collects at once. A loop that allocates the same in each turn falls into step with the
 * garbage collector, which then always comes at the same point of a call, a cheap or a dear one: with less than a whole step the ratios of rounds
 * differ by 0.4, and their median by 0.2 from one build to the next.
 */
function breakStep() {
  for (let count = Math.random() * 2000; count > 0; count--) garbage = new Array(1000);
}
/** Kept, so that no compiler leaves the allocation out. @type {unknown} */
export let garbage;

/**
 * CPU milliseconds for one call, on average over some that meet the garbage collector at any point.
 * @param {() => unknown} work
 * @param {number} calls
 */
export function unsteppedCpuOf(work, calls) {
  let sum = 0;
  for (let call = 0; call < calls; call++) {
    breakStep();
    sum += cpuOf(work);
  }
  return sum / calls;
}

/**
 * Runs each subject against its base, after a warm-up of all of them. In a round the two take turns call by call, first one first, then
 * the other; the ratio of a round is that of the sums, so that garbage collection counts and falls on both alike.
 * @template {{ subject: () => unknown, base: () => unknown }} Pair
 * @param {readonly Pair[]} pairs
 * @param {{ rounds: number, calls: number, warmup: number }} options
 * @returns {{ pair: Pair, ratio: Spread, subject: Spread, base: Spread }[]} milliseconds are for one call
 */
export function comparePairs(pairs, { rounds, calls, warmup }) {
  for (let count = 0; count < warmup; count++) {
    for (const { subject, base } of pairs) {
      subject();
      base();
    }
  }
  return pairs.map((pair) => {
    const samples = Array.from({ length: rounds }, () => {
      const sample = { subject: 0, base: 0 };
      for (let call = 0; call < calls; call++) {
        const first = call % 2 === 0 ? "subject" : "base";
        const second = call % 2 === 0 ? "base" : "subject";
        sample[first] += unsteppedCpuOf(pair[first], 1) / calls;
        sample[second] += unsteppedCpuOf(pair[second], 1) / calls;
      }
      return sample;
    });
    return {
      pair,
      ratio: spreadOf(samples.map(({ subject, base }) => subject / base)),
      subject: spreadOf(samples.map(({ subject }) => subject)),
      base: spreadOf(samples.map(({ base }) => base)),
    };
  });
}

/**
 * As `comparePairs`, for subjects that are asynchronous: several beside one base, which take turns. CPU milliseconds of the whole process for a call.
 * @param {readonly { run: () => Promise<unknown>, begin?: () => unknown, calls: number }[]} subjects the first one is the base; `begin` comes before the
 * calls of a round, and is not counted
 * @param {{ rounds: number, warmup: number }} options
 * @returns {Promise<{ ratio: Spread, time: Spread }[]>} one for each subject
 */
export async function compareAsync(subjects, { rounds, warmup }) {
  /** @type {number[][]} */
  const times = subjects.map(() => []);
  for (let round = -warmup; round < rounds; round++) {
    for (const step of subjects.keys()) {
      const index = (round + warmup + step) % subjects.length;
      const { run, begin, calls } = /** @type {typeof subjects[number]} */ (subjects[index]);
      begin?.();
      breakStep();
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call++) await run();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[index]?.push((user + system) / 1000 / calls);
    }
  }
  const base = times[0] ?? [];
  return times.map((own) => ({
    ratio: spreadOf(own.map((time, round) => time / (base[round] ?? Number.NaN))),
    time: spreadOf(own),
  }));
}

/** @typedef {{ cpu: number, resident: number, peak: number }} ChildCost CPU milliseconds, mebibytes at the end and at most */

/**
 * What a Node process costs that runs a script and ends.
 * @param {string} script of a module
 * @param {Record<string, string>} [environment]
 * @param {string} [folder] where it runs, and finds packages
 * @returns {ChildCost}
 */
export function costOfChild(script, environment = {}, folder = repository) {
  const report = `process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    console.log(JSON.stringify({ cpu: (user + system) / 1000, resident: process.memoryUsage.rss() / 2 ** 20, peak: maxRSS / 1024 }));
  });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--eval", report + script], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`a measured process failed: ${stderr}`);
  return JSON.parse(stdout);
}
