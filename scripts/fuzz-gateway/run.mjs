// Fuzz test of the gateway: exchanges in which clients and services do what nobody should, beside plain ones whose bytes are compared.
// Usage: npm run fuzz:gateway -- [--exchanges 2000] [--seed N] [--minutes M] [--at once 64] after a build; with a finding,
// node scripts/fuzz-gateway/run.mjs --seed N --exchange K repeats one and shows what was sent and received.
import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { protocols } from "../traffic/protocols.mjs";
import { runExchange } from "./client.mjs";
import { secrets } from "./exchange.mjs";
import { judge } from "./judge.mjs";
import { isHostile, planOf } from "./plan.mjs";
import { startService } from "./service.mjs";

const { values } = parseArgs({
  options: {
    exchanges: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    minutes: { type: "string", default: "0" },
    "at-once": { type: "string", default: "64" },
    exchange: { type: "string" },
  },
});
const seed = Number(values.seed);
const hostile = Number(values.exchanges);
const minutes = Number(values.minutes);
const only = values.exchange === undefined ? undefined : Number(values.exchange);
const BATCH = 2000;
/** Mebibytes that the memory may grow from the second batch to the last: compiled code, and reports of larger exchanges. */
const GROWTH = 8;

/** @type {string[]} */
const findings = [];
const find = (/** @type {number} */ number, /** @type {string} */ problem) => {
  const { client, service, stream, clientTrick, serviceTrick, expected } = planOf(seed, number);
  const kind = `${client} to ${service}${stream ? ", stream" : ""}: ${clientTrick} | ${serviceTrick} (${expected})`;
  findings.push(`--seed ${seed} --exchange ${number}: ${kind}: ${problem}`);
};

const services = await Promise.all(protocols.map((protocol) => startService(protocol, seed, find)));
const child = fork(
  new URL("gateway.mjs", import.meta.url),
  services.map(({ port }) => String(port)),
  {
    execArgv: ["--expose-gc"],
    silent: true,
  },
);
/** @type {string | undefined} */
let died;
child.on("exit", (code, signal) => {
  died = `the process of the gateway ended with ${code ?? signal}`;
});
let lines = 0;
let errors = "";
const watch = (/** @type {string} */ text) => {
  lines += text.split("\n").length - 1;
  const secret = [...secrets, "sk-client-"].find((key) => text.includes(key));
  if (secret !== undefined) findings.push(`--seed ${seed}: the log tells ${secret}`);
  if (text.includes("the gateway failed")) findings.push(`--seed ${seed}: the log says: ${text.slice(0, 300)}`);
};
child.stdout?.setEncoding("utf8").on("data", watch);
child.stderr?.setEncoding("utf8").on("data", (text) => {
  errors += text;
  watch(text);
});
/** @type {Promise<never>} */
const gone = new Promise((_resolve, reject) => {
  child.once("exit", () => reject(new Error(`${died}\n${errors}`)));
});
gone.catch(() => undefined);
/** @returns {Promise<any>} */
const answer = () => Promise.race([new Promise((resolve) => child.once("message", resolve)), gone]);
/** @type {number[]} */
const ports = await answer();
const { pid } = child;
/** @returns {Promise<{ memory: number, rss: number, sockets: number, timers: number, rejections: number }>} */
const look = () => {
  child.send("look");
  return answer();
};
const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const counts = { hostile: 0, plain: 0 };
let next = 0;

/** @param {number} number */
async function run(number) {
  const plan = planOf(seed, number);
  const outcome = await runExchange(plan, /** @type {number} */ (ports[protocols.indexOf(plan.service)]));
  counts[isHostile(plan) ? "hostile" : "plain"]++;
  const problem = judge(plan, outcome);
  if (problem !== undefined) find(number, problem);
  return outcome;
}

/** What is left when a batch is over. */
async function settle() {
  for (let wait = 0; wait < 100; wait++) {
    for (const service of services) service.closeIdle();
    if ((await look()).sockets === 0) break;
    await sleep(100);
  }
  for (const port of ports) {
    const reports = await (
      await fetch(`http://127.0.0.1:${port}/rolecall/reports`, { headers: { connection: "close" } })
    ).text();
    const secret = [...secrets, "sk-client-"].find((key) => reports.includes(key));
    if (secret !== undefined) findings.push(`--seed ${seed}: the reports tell ${secret}`);
  }
  // The clock of the last exchanges ticks once more.
  await sleep(300);
  return look();
}

/** @param {() => boolean} isOver */
async function runBatch(isOver) {
  const last = next + BATCH;
  const slot = async () => {
    while (next < last && died === undefined && !isOver()) await run(next++);
  };
  await Promise.all(Array.from({ length: Number(values["at-once"]) }, slot));
}

/** @type {Awaited<ReturnType<typeof look>>[]} */
const samples = [];
const start = performance.now();
if (only !== undefined) {
  const plan = planOf(seed, only);
  console.log(plan);
  const { bytes, closed, hangs } = await run(only);
  console.log({ closed, hangs });
  console.log(bytes.toString());
} else {
  const isOver = () => counts.hostile >= hostile && performance.now() - start >= minutes * 60_000;
  while (!isOver() && died === undefined && findings.length < 200) {
    await runBatch(isOver);
    if (died !== undefined) break;
    const sample = await settle();
    samples.push(sample);
    const first = samples[0];
    if (sample.sockets > 0) findings.push(`after ${next} exchanges ${sample.sockets} sockets are left`);
    if (first !== undefined && sample.timers > first.timers)
      findings.push(`after ${next} exchanges ${sample.timers - first.timers} timers are left`);
    if (sample.rejections > 0) findings.push(`after ${next} exchanges ${sample.rejections} unhandled rejections`);
  }
}
if (died !== undefined) findings.push(died);
if (child.pid !== pid) findings.push("another process answers");
const second = samples[Math.min(1, samples.length - 1)];
const end = samples.at(-1);
if (second !== undefined && end !== undefined) {
  if (end.memory > second.memory + GROWTH)
    findings.push(`the memory grew by ${(end.memory - second.memory).toFixed(1)} MiB`);
  const took = ((performance.now() - start) / 1000).toFixed(0);
  const asked = services.reduce((sum, service) => sum + service.requests(), 0);
  console.log(
    `Node ${process.version}, seed ${seed}, ${took} s: ${counts.hostile} hostile exchanges, ${counts.plain} plain ones; the services were asked ${asked} times, ${lines} lines were logged`,
  );
  const words = (/** @type {typeof end} */ { memory, rss }) => `${memory.toFixed(1)} MiB (resident ${rss.toFixed(0)})`;
  console.log(
    `memory ${words(second)} after ${BATCH * Math.min(2, samples.length)} exchanges, ${words(end)} at the end; process ${pid}`,
  );
}
for (const finding of findings.slice(0, 40)) console.log(`! ${finding}`);
if (errors !== "") console.log(errors.slice(0, 4000));
console.log(
  findings.length === 0
    ? `passed: ${counts.hostile} hostile exchanges, no findings`
    : `failed: ${findings.length} findings`,
);
child.removeAllListeners("exit");
child.kill();
for (const service of services) service.close();
process.exitCode = findings.length === 0 ? 0 : 1;
