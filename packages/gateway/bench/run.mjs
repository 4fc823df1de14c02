// Measures the gateway against a `node:http` server that pipes to a `node:http` upstream, and streams against loops by hand.
// Usage: npm run bench:gateway, or node packages/gateway/bench/run.mjs [--json] [--rounds N] [--only T1,T3] after a build.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { conversation } from "../../../bench/conversation.mjs";
import { spreadOf } from "../../../bench/measure.mjs";
import { printFigures } from "../../../bench/table.mjs";
import { turnsOf } from "../../../bench/turns.mjs";
import { median, sendLoad } from "./load.mjs";
import { memoryFigures } from "./memory.mjs";
import { startProcess } from "./processes.mjs";
import { argumentFigures, streamFigures } from "./streams.mjs";
import { burst, paced } from "./upstream.mjs";

/** @typedef {import("../../../bench/measure.mjs").Figure} Figure */
/** @typedef {import("./processes.mjs").Process} Process */
/** @typedef {import("./load.mjs").Load} Load */

const { values } = parseArgs({
  options: { json: { type: "boolean" }, rounds: { type: "string", default: "9" }, only: { type: "string" } },
});
const rounds = Number(values.rounds);
const only = values.only?.split(",");
const wants = (/** @type {string} */ name) => only === undefined || only.includes(name);

const chatPath = "/v1/chat/completions";
const messagesPath = "/v1/messages";

/** @param {string} model @param {boolean} [stream] @param {string} [content] */
function body(model, stream = false, content = "hello") {
  const messages = [{ role: "user", content }];
  return Buffer.from(JSON.stringify({ model, max_tokens: 64, stream, messages }));
}

/** The same with the model at the end, where a scan finds it last. @param {string} content */
function bodyWithModelLast(content) {
  const messages = [{ role: "user", content }];
  return Buffer.from(JSON.stringify({ max_tokens: 64, messages, stream: false, model: "m" }));
}

const long = 'some "text" of a file\n'.repeat(28_000);
const small = body("m");

/**
 * CPU time of the process in the middle: name, target, path of the client, body, requests, connections.
 * @type {readonly (readonly [string, number, string, Buffer, number, number])[]}
 */
const loads = [
  ["T1 same protocol, small request", 1.15, chatPath, small, 2000, 8],
  ["T2 same protocol, 700 KB, model first", 1.3, chatPath, body("m", false, long), 60, 4],
  ["T2 same protocol, 700 KB, model last", 2, chatPath, bodyWithModelLast(long), 60, 4],
  ["T3 same protocol, 1,000 events at once", 1.15, chatPath, body(burst(1000), true), 60, 4],
  ["T3 same protocol, 200 events, paced", 1.1, chatPath, body(paced(200), true), 60, 30],
  ["T4 across, small request", 1.5, messagesPath, small, 2000, 8],
  ["T5 across, 700 KB", 8, messagesPath, body("m", false, long), 60, 4],
  ["T6 across, 1,000 events at once", 2, messagesPath, body(burst(1000), true), 60, 4],
  ["T6 across, 200 events, paced", 1.4, messagesPath, body(paced(200), true), 60, 30],
];

/** Code of a few kilobytes that runs once for a request is compiled to the end after some 10,000 of them. */
const WARM_ROUNDS = 5;

/** @param {Process} pipe @param {Process} gateway @returns {Promise<Figure[]>} */
async function cpuFigures(pipe, gateway) {
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, target, path, content, count, connections] of loads.filter(([name]) => wants(name.slice(0, 2)))) {
    /** @type {{ pipe: number, gateway: number }[]} */
    const samples = [];
    const sample = async (/** @type {Process} */ subject) => {
      const before = await subject.cpu();
      await sendLoad(subject.port, { path: subject === pipe ? chatPath : path, body: content, count, connections });
      return (await subject.cpu()) - before;
    };
    for (let round = -WARM_ROUNDS; round < rounds; round++) {
      const isPipeFirst = round % 2 === 0;
      const first = await sample(isPipeFirst ? pipe : gateway);
      const second = await sample(isPipeFirst ? gateway : pipe);
      if (round >= 0) samples.push(isPipeFirst ? { pipe: first, gateway: second } : { pipe: second, gateway: first });
    }
    const of = (/** @type {"pipe" | "gateway"} */ key) =>
      `${(median(samples.map((item) => item[key])) / count).toFixed(3)} ms`;
    figures.push({
      name,
      unit: "× pipe",
      target,
      spread: spreadOf(samples.map((item) => item.gateway / item.pipe)),
      note: `CPU ${of("gateway")}, pipe ${of("pipe")}`,
    });
  }
  return figures;
}

/**
 * What stands in the middle adds to the time of a request that is alone, and to the first byte of a stream, as a multiple of what the pipe adds.
 * @param {Process} upstream @param {Process} pipe @param {Process} gateway
 * @returns {Promise<Figure[]>}
 */
async function latencyFigures(upstream, pipe, gateway) {
  if (!wants("T7")) return [];
  const kinds = /** @type {const} */ ([
    ["T7 added time, small request", "whole", chatPath, small, 100],
    ["T7 added time, small request across", "whole", messagesPath, small, 100],
    ["T7 added time to the first byte of a stream", "first", chatPath, body(paced(3), true), 40],
    ["T7 added time to the first byte across", "first", messagesPath, body(paced(3), true), 40],
  ]);
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, key, path, content, count] of kinds) {
    const load = async (/** @type {Process} */ subject, /** @type {number} */ total = count, connections = 1) =>
      (
        await sendLoad(subject.port, {
          path: subject === gateway ? path : chatPath,
          body: content,
          count: total,
          connections,
        })
      )[key];
    const subjects = [upstream, pipe, gateway];
    for (const subject of subjects) await load(subject, key === "whole" ? 20_000 : 8000, 16);
    /** @type {{ pipe: number, gateway: number }[]} */
    const samples = [];
    for (let round = 0; round < rounds; round++) {
      const times = subjects.map(() => /** @type {number[]} */ ([]));
      // In turns, because what a machine needs for the way through its kernel drifts by as much as is measured.
      for (let turn = 0; turn < 6; turn++)
        for (let step = 0; step < 3; step++) {
          const index = (turn + step) % 3;
          times[index]?.push(...(await load(/** @type {Process} */ (subjects[index]))));
        }
      const [direct = 0, byPipe = 0, byGateway = 0] = times.map(median);
      samples.push({ pipe: byPipe - direct, gateway: byGateway - direct });
    }
    const of = (/** @type {"pipe" | "gateway"} */ which) =>
      `${median(samples.map((item) => item[which])).toFixed(2)} ms`;
    figures.push({
      name,
      unit: "× pipe",
      target: 1.3,
      spread: spreadOf(samples.map((item) => item.gateway / item.pipe)),
      note: `${of("gateway")}, pipe ${of("pipe")}`,
    });
  }
  return figures;
}

/**
 * The turns of an agent that sends its history of 700 KB each time, across: all but the first request go on from the one before.
 * @param {Process} pipe @param {Process} gateway @returns {Promise<Figure[]>}
 */
async function turnFigures(pipe, gateway) {
  if (!wants("T9")) return [];
  const text = conversation("anthropic-messages", 10);
  /** @type {{ pipe: number, gateway: number }[]} */
  const samples = [];
  const count = 24;
  // A round has few requests, and code is compiled after some thousand of them.
  for (let round = -100; round < rounds; round++) {
    // Another conversation in each round.
    const bodies = turnsOf(anthropicMessages, text, count + 1).map((body) => {
      const [first, ...others] = body.messages;
      return Buffer.from(
        JSON.stringify({
          ...body,
          stream: false,
          messages: [
            { role: "user", content: `Round ${round}` },
            { role: "assistant", content: "Yes." },
            first,
            ...others,
          ],
        }),
      );
    });
    const [first = Buffer.alloc(0), ...others] = bodies;
    const sample = async (/** @type {Process} */ subject) => {
      const path = subject === pipe ? chatPath : messagesPath;
      await sendLoad(subject.port, { path, body: first, count: 1, connections: 1 });
      const before = await subject.cpu();
      await sendLoad(subject.port, { path, body: others, count: others.length, connections: 1 });
      return ((await subject.cpu()) - before) / others.length;
    };
    const isPipeFirst = round % 2 === 0;
    const one = await sample(isPipeFirst ? pipe : gateway);
    const two = await sample(isPipeFirst ? gateway : pipe);
    if (round >= 0) samples.push(isPipeFirst ? { pipe: one, gateway: two } : { pipe: two, gateway: one });
  }
  const of = (/** @type {"pipe" | "gateway"} */ key) => `${median(samples.map((item) => item[key])).toFixed(2)} ms`;
  return [
    {
      name: "T9 across, turn N+1 of a history of 700 KB",
      unit: "× pipe",
      target: 2,
      spread: spreadOf(samples.map((item) => item.gateway / item.pipe)),
      note: `CPU ${of("gateway")}, pipe ${of("pipe")}`,
    },
  ];
}

/** From the start of a process to its first answer: time, and CPU time, which others on the machine disturb less. @param {Process} upstream @returns {Promise<Figure[]>} */
async function startFigures(upstream) {
  if (!wants("T14")) return [];
  const sampleOf = async (/** @type {"pipe" | "gateway"} */ role) => {
    const start = performance.now();
    const started = await startProcess(role, upstream.port);
    await sendLoad(started.port, { path: chatPath, body: small, count: 1, connections: 1 });
    const time = performance.now() - start;
    const cpu = await started.cpu();
    started.stop();
    return { time, cpu };
  };
  /** @type {{ pipe: { time: number, cpu: number }, gateway: { time: number, cpu: number } }[]} */
  const samples = [];
  for (let round = -1; round < rounds; round++) {
    const sample = { pipe: await sampleOf("pipe"), gateway: await sampleOf("gateway") };
    if (round >= 0) samples.push(sample);
  }
  return /** @type {const} */ ([
    ["T14 start to the first answer", "time"],
    ["T14 the same, CPU time", "cpu"],
  ]).map(([name, key]) => {
    const of = (/** @type {"pipe" | "gateway"} */ which) =>
      `${median(samples.map((item) => item[which][key])).toFixed(0)} ms`;
    return {
      name,
      unit: "× pipe",
      target: 1.5,
      spread: spreadOf(samples.map((item) => item.gateway[key] / item.pipe[key])),
      note: `${of("gateway")}, pipe ${of("pipe")}`,
    };
  });
}

const load = loadavg()[0]?.toFixed(1);
const upstream = await startProcess("upstream");
const pipe = await startProcess("pipe", upstream.port);
const gateway = await startProcess("gateway", upstream.port);
const figures = [
  ...(await cpuFigures(pipe, gateway)),
  ...(await turnFigures(pipe, gateway)),
  ...(await latencyFigures(upstream, pipe, gateway)),
  ...(await startFigures(upstream)),
];
for (const process of [gateway, pipe, upstream]) process.stop();
if (wants("T10") || wants("T11")) figures.push(...streamFigures());
if (wants("T12")) figures.push(...argumentFigures());
if (wants("T13")) figures.push(...(await memoryFigures()));
printFigures(`${rounds} rounds, load ${load} at their start`, figures);
