// What an open stream costs in resident memory while it says nothing: in the gateway, and in a `node:http` server that pipes.
import { execFileSync } from "node:child_process";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { families } from "../../../scripts/traffic/protocols.mjs";
import { startProcess } from "./processes.mjs";
import { idle } from "./upstream.mjs";

/** @typedef {import("../../../bench/measure.mjs").Figure} Figure */
/** @typedef {import("./processes.mjs").Process} Process */
/** @typedef {import("./processes.mjs").Protocol} Protocol */

const STREAMS = 5000;
/** So many deltas each stream has said. */
const DELTAS = 10;
const model = idle(DELTAS);
/** Kilobytes. */
const MOST = 40;
/** Files that a process needs beside the two connections of each stream. */
const OTHERS = 200;
/** So many are opened at once. */
const BATCH = 100;

const ways = /** @type {const} */ ([
  ["Chat through", "openai-chat", "openai-chat"],
  ["Messages to Chat", "anthropic-messages", "openai-chat"],
  ["Chat to Messages", "openai-chat", "anthropic-messages"],
  ["Responses to Gemini", "openai-responses", "gemini-generate-content"],
  ["Gemini to Responses", "gemini-generate-content", "openai-responses"],
]);

/** How many streams the limit of open files allows. */
function possibleStreams() {
  const limit = execFileSync("sh", ["-c", "ulimit -n"]).toString().trim();
  return limit === "unlimited" ? STREAMS : Math.min(STREAMS, Math.floor((Number(limit) - OTHERS) / 2));
}

/** Opens a stream, and waits until all of its deltas are there. @param {number} port @param {Protocol} client @param {http.Agent} agent */
function openStream(port, client, agent) {
  const { path, body } = families[client];
  const content = Buffer.from(JSON.stringify(body(model, "hello", true)));
  const headers = { "content-type": "application/json", "content-length": content.length };
  return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    const sent = http.request(
      { port, host: "127.0.0.1", path: path(model, true), method: "POST", headers, agent },
      (response) => {
        let held = "";
        response.setEncoding("utf8").on("data", (piece) => {
          held += piece;
          if (held.split(" token").length > DELTAS) {
            held = "";
            resolve();
          }
        });
        response.on("error", () => undefined);
      },
    );
    sent.on("error", reject);
    sent.end(content);
  });
}

/** Kilobytes for each of so many streams. @param {Process} subject @param {Protocol} client @param {number} streams */
async function memoryOf(subject, client, streams) {
  const open = async (/** @type {number} */ count) => {
    const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
    for (let start = 0; start < count; start += BATCH)
      await Promise.all(
        Array.from({ length: Math.min(BATCH, count - start) }, () => openStream(subject.port, client, agent)),
      );
    return agent;
  };
  // Code and heap are there after some hundred.
  (await open(Math.min(300, streams))).destroy();
  await sleep(1000);
  const before = (await subject.resident()) / 1024;
  const agent = await open(streams);
  await sleep(1500);
  const after = (await subject.resident()) / 1024;
  agent.destroy();
  await sleep(500);
  return (after - before) / streams;
}

/** @returns {Promise<Figure[]>} */
export async function memoryFigures() {
  const streams = possibleStreams();
  if (streams < STREAMS)
    console.log(
      `T13 with ${streams} streams: ${STREAMS} need "ulimit -n ${STREAMS * 2 + OTHERS}", and fewer cost more each.\n`,
    );
  const upstream = await startProcess("upstream");
  const pipe = await startProcess("pipe", upstream.port);
  const base = await memoryOf(pipe, "openai-chat", streams);
  pipe.stop();
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, client, service] of ways) {
    const gateway = await startProcess("gateway", upstream.port, service);
    const cost = await memoryOf(gateway, client, streams);
    gateway.stop();
    const spreadOf = (/** @type {number} */ value) => ({ minimum: value, median: value, maximum: value });
    const note = `${cost.toFixed(1)} KB for each of ${streams}, pipe ${base.toFixed(1)} KB`;
    figures.push(
      { name: `T13 idle stream, ${name}`, unit: "KB", target: MOST, spread: spreadOf(cost), note },
      { name: "T13 the same", unit: "× pipe", target: 1.5, spread: spreadOf(cost / base), note: "" },
    );
  }
  upstream.stop();
  return figures;
}
