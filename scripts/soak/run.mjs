// Soak test of the gateway: many streams at once, whose clients go away and whose services break, for a while. Nobody may get what belongs
// to another, each stream must end as it should, and afterwards nothing may be left: no socket, no timer, no memory.
// Usage: npm run test:soak, or node scripts/soak/run.mjs [--streams 1000] [--seconds 60] after a build.
import { fork } from "node:child_process";
import http from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runStream } from "./client.mjs";
import { planOf } from "./plan.mjs";
import { startService } from "./service.mjs";

/** @typedef {{ memory: number, rss: number, sockets: number, timers: number, warnings: number }} Sample */

const { values } = parseArgs({
  options: { streams: { type: "string", default: "1000" }, seconds: { type: "string", default: "60" } },
});
const streams = Number(values.streams);
const seconds = Number(values.seconds);
/** Mebibytes that may be left in the end: the latest reports, and code that was compiled meanwhile. */
const MEMORY = 12;

const chat = await startService("openai-chat");
const messages = await startService("anthropic-messages");
const child = fork(join(import.meta.dirname, "gateway.mjs"), [String(chat.port), String(messages.port)], {
  execArgv: ["--expose-gc"],
});
/** @type {() => Promise<any>} */
const answer = () => new Promise((resolve) => child.once("message", resolve));
const [chatGateway, messagesGateway] = await answer();
const look = async () => {
  child.send("look");
  return /** @type {Promise<Sample>} */ (answer());
};
const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const counts = { complete: 0, cancel: 0, cut: 0, unfinished: 0, failure: 0 };
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
      const port = plan.service === "openai-chat" ? chatGateway : messagesGateway;
      const result = await runStream(plan, port, agent);
      counts[plan.end]++;
      deltas += result.deltas;
      if (result.problem !== undefined)
        problems.push(`stream ${plan.number} (${plan.client} to ${plan.service}, ${plan.end}): ${result.problem}`);
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

/** What the gateway holds when all is over, and idle connections to the services have had the time to close. */
async function settled() {
  await look();
  for (let wait = 0; wait < 30; wait++) {
    await sleep(500);
    const open = (await chat.connections()) + (await messages.connections());
    if (open === 0 && (await look()).sockets === 0) break;
  }
  await sleep(1500);
  return look();
}

await load(Math.min(10, seconds / 4));
const before = await settled();
const warm = next;
const start = performance.now();
await load(seconds);
const took = (performance.now() - start) / 1000;
const during = next - warm;
const after = await settled();
const left = (await chat.connections()) + (await messages.connections());

if (after.sockets > 0) problems.push(`${after.sockets} sockets are left in the gateway`);
if (left > 0) problems.push(`${left} connections to the services are left`);
if (after.timers > before.timers) problems.push(`${after.timers - before.timers} timers are left`);
if (after.warnings > 0) problems.push(`${after.warnings} objects had too many listeners`);
if (after.memory > before.memory + MEMORY) problems.push(`${(after.memory - before.memory).toFixed(1)} MiB are left`);

console.log(
  `Node ${process.version}, ${streams} streams at once for ${took.toFixed(0)} s: ${during} streams, ${deltas} deltas in all`,
);
console.log(
  `ends: ${Object.entries(counts)
    .map(([end, count]) => `${end} ${count}`)
    .join(", ")}`,
);
console.log(
  `memory ${before.memory.toFixed(1)} MiB before, ${after.memory.toFixed(1)} after; resident ${before.rss.toFixed(0)} and ${after.rss.toFixed(0)}`,
);
console.log(
  `sockets left ${after.sockets}, at the services ${left}; timers ${before.timers} before, ${after.timers} after`,
);
for (const problem of problems.slice(0, 20)) console.log(`! ${problem}`);
console.log(problems.length === 0 ? "passed" : `failed: ${problems.length} problems`);
child.kill();
chat.close();
messages.close();
process.exitCode = problems.length === 0 ? 0 : 1;
