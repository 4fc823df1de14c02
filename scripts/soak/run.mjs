// Soak test of the gateway: many exchanges at once in all pairs of protocols, streams and whole answers, small and large, whose clients are slow or
// go away, and whose services break off or say nothing more. Nobody may get what belongs to another, each must end as it should, memory stays flat
// meanwhile, and afterwards nothing may be left: no socket, no timer, no memory.
// Usage: npm run test:soak [-- --minutes 10], or node scripts/soak/run.mjs [--streams 1000] [--seconds 60] after a build.
import { fork } from "node:child_process";
import http from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { protocols } from "../traffic/protocols.mjs";
import { runExchange } from "./client.mjs";
import { planOf } from "./plan.mjs";
import { startService } from "./service.mjs";

/** @typedef {{ memory: number, rss: number, sockets: number, timers: number, warnings: number }} Sample */

const { values } = parseArgs({
  options: {
    streams: { type: "string", default: "1000" },
    seconds: { type: "string", default: "60" },
    minutes: { type: "string" },
  },
});
const streams = Number(values.streams);
const seconds = values.minutes === undefined ? Number(values.seconds) : Number(values.minutes) * 60;
/** Mebibytes that may be left in the end: the latest reports, and code that was compiled meanwhile. */
const MEMORY = 12;
/** The same for the windows of the last third of the load, compared with those of the first. Large requests come and go. */
const WINDOWS = 24;
/** Seconds of a window. */
const WINDOW = 15;

const services = await Promise.all(protocols.map(startService));
const child = fork(
  join(import.meta.dirname, "gateway.mjs"),
  services.map(({ port }) => String(port)),
  { execArgv: ["--expose-gc"] },
);
/** @type {() => Promise<any>} */
const answer = () => new Promise((resolve) => child.once("message", resolve));
/** @type {number[]} */
const ports = await answer();
const look = async () => {
  child.send("look");
  return /** @type {Promise<Sample>} */ (answer());
};
const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const counts = { complete: 0, cancel: 0, cut: 0, unfinished: 0, failure: 0, stall: 0 };
const kinds = { streamed: 0, whole: 0, large: 0, slow: 0 };
/** @type {string[]} */
const problems = [];
let next = 0;
let deltas = 0;

/** Keeps so many streams running for a time, and waits until all have ended. @param {number} time in seconds */
async function load(time) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const until = performance.now() + time * 1000;
  const slot = async () => {
    while (performance.now() < until) {
      const plan = planOf(next++);
      const port = /** @type {number} */ (ports[protocols.indexOf(plan.service)]);
      const result = await runExchange(plan, port, agent);
      counts[plan.end]++;
      kinds[plan.stream ? "streamed" : "whole"]++;
      if (plan.large) kinds.large++;
      if (plan.slow) kinds.slow++;
      deltas += result.deltas;
      if (result.problem !== undefined)
        problems.push(
          `exchange ${plan.number} (${plan.client} to ${plan.service}, ${plan.stream ? "stream" : "whole"}, ${plan.end}): ${result.problem}`,
        );
    }
  };
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await sleep((index / streams) * 1000);
      await slot();
    }),
  );
  agent.destroy();
}

async function openAtServices() {
  const counted = await Promise.all(services.map((service) => service.connections()));
  return counted.reduce((sum, count) => sum + count, 0);
}

/** What the gateway holds while all goes on, window by window. @param {Promise<void>} over @returns {Promise<Sample[]>} */
async function watch(over) {
  /** @type {Sample[]} */
  const samples = [];
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([sleep(WINDOW * 1000), over]);
    if (!isOver) samples.push(await look());
  }
  return samples;
}

/** @param {readonly Sample[]} samples @param {"memory" | "rss"} key */
function median(samples, key) {
  const sorted = samples.map((sample) => sample[key]).sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

/** What the gateway holds when all is over, and idle connections to the services have had the time to close. */
async function settled() {
  await look();
  for (let wait = 0; wait < 30; wait++) {
    await sleep(500);
    if ((await openAtServices()) === 0 && (await look()).sockets === 0) break;
  }
  await sleep(1500);
  return look();
}

await load(Math.min(10, seconds / 4));
const before = await settled();
const warm = next;
const start = performance.now();
const loaded = load(seconds);
const windows = await watch(loaded);
await loaded;
const took = (performance.now() - start) / 1000;
const during = next - warm;
const after = await settled();
const left = await openAtServices();
const third = Math.ceil(windows.length / 3);
const [early, later] = [windows.slice(0, third), windows.slice(-third)];
const grown = median(later, "memory") - median(early, "memory");
if (third > 1 && grown > WINDOWS) problems.push(`the memory under load grew by ${grown.toFixed(1)} MiB`);

if (after.sockets > 0) problems.push(`${after.sockets} sockets are left in the gateway`);
if (left > 0) problems.push(`${left} connections to the services are left`);
if (after.timers > before.timers) problems.push(`${after.timers - before.timers} timers are left`);
if (after.warnings > 0) problems.push(`${after.warnings} objects had too many listeners`);
if (after.memory > before.memory + MEMORY) problems.push(`${(after.memory - before.memory).toFixed(1)} MiB are left`);

console.log(
  `Node ${process.version}, ${streams} exchanges at once for ${took.toFixed(0)} s: ${during}, ${deltas} deltas in all`,
);
console.log(
  `kinds: ${Object.entries(kinds)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ")}`,
);
console.log(
  `ends: ${Object.entries(counts)
    .map(([end, count]) => `${end} ${count}`)
    .join(", ")}`,
);
console.log(
  `memory ${before.memory.toFixed(1)} MiB before, ${after.memory.toFixed(1)} after; resident ${before.rss.toFixed(0)} and ${after.rss.toFixed(0)}`,
);
if (third > 1)
  console.log(
    `under load, medians of the first and the last ${third} of ${windows.length} windows: memory ${median(early, "memory").toFixed(1)} and ${median(later, "memory").toFixed(1)} MiB, resident ${median(early, "rss").toFixed(0)} and ${median(later, "rss").toFixed(0)}`,
  );
console.log(
  `sockets left ${after.sockets}, at the services ${left}; timers ${before.timers} before, ${after.timers} after`,
);
for (const problem of problems.slice(0, 20)) console.log(`! ${problem}`);
console.log(problems.length === 0 ? "passed" : `failed: ${problems.length} problems`);
child.kill();
for (const service of services) service.close();
process.exitCode = problems.length === 0 ? 0 : 1;
