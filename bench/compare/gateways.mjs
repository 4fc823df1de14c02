// Gateways in processes of their own, between a load and a service on this machine, against a `node:http` server that pipes to a `node:http` upstream.
import net from "node:net";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { median, sendLoad } from "../../packages/gateway/bench/load.mjs";
import { startProcess } from "../../packages/gateway/bench/processes.mjs";
import { burst, idle, paced } from "../../packages/gateway/bench/upstream.mjs";
import { conversation } from "../conversation.mjs";
import { spreadOf } from "../measure.mjs";
import { turnsOf } from "../turns.mjs";
import { TURNS } from "./conversions.mjs";
import { inMilliseconds } from "./section.mjs";

/** @typedef {import("../../packages/gateway/bench/processes.mjs").Process} Process */
/** @typedef {import("./section.mjs").Cell} Cell */
/** @typedef {import("./section.mjs").Row} Row */
/** @typedef {import("./section.mjs").Run} Run */
/** @typedef {import("./section.mjs").Section} Section */
/** @typedef {{ subject: string, process: Process, path: string, model: (name: string) => string, headers: string }} Way how a subject is asked */
/** @typedef {{ upstream: Process, stop: () => void, ways: { [kind in "same" | "toChat" | "toMessages"]: Way[] } }} Started */

const chatPath = "/v1/chat/completions";
const messagesPath = "/v1/messages";
const same = (/** @type {string} */ name) => name;

/** What Portkey wants to know of a service. @param {string} provider @param {number} port */
const portkeyHeaders = (provider, port) =>
  `authorization: Bearer sk-bench-0123456789\r\nx-portkey-provider: ${provider}\r\nx-portkey-custom-host: http://127.0.0.1:${port}/v1\r\n`;

/** @param {Run} run @returns {Promise<Started>} */
async function start({ has }) {
  const upstream = await startProcess("upstream");
  /** @type {Process[]} */
  const processes = [upstream];
  const open = async (
    /** @type {Parameters<typeof startProcess>[0]} */ role,
    /** @type {Parameters<typeof startProcess>[2]} */ protocol = undefined,
  ) => {
    const process = await startProcess(role, upstream.port, protocol);
    processes.push(process);
    return process;
  };
  const pipe = { subject: "pipe", process: await open("pipe"), model: same, headers: "" };
  const gateway = { subject: "Rolecall", process: await open("gateway"), model: same, headers: "" };
  const toMessages = { ...gateway, process: await open("gateway", "anthropic-messages") };
  const portkey = has("portkey") ? await open("portkey") : undefined;
  const llms = has("llms") ? await open("llms") : undefined;
  const withPortkey = (/** @type {string} */ provider) =>
    portkey === undefined
      ? []
      : [
          {
            subject: "Portkey",
            process: portkey,
            path: chatPath,
            model: same,
            headers: portkeyHeaders(provider, upstream.port),
          },
        ];
  const withLlms = (/** @type {string} */ path) =>
    llms === undefined
      ? []
      : [
          {
            subject: "llms",
            process: llms,
            path,
            model: (/** @type {string} */ name) => `openai-chat,${name}`,
            headers: "",
          },
        ];
  return {
    upstream,
    stop: () => {
      for (const process of processes) process.stop();
    },
    ways: {
      same: [
        { ...pipe, path: chatPath },
        { ...gateway, path: chatPath },
        ...withPortkey("openai"),
        ...withLlms(chatPath),
      ],
      toChat: [{ ...pipe, path: chatPath }, { ...gateway, path: messagesPath }, ...withLlms(messagesPath)],
      toMessages: [{ ...pipe, path: messagesPath }, { ...toMessages, path: chatPath }, ...withPortkey("anthropic")],
    },
  };
}

const long = 'some "text" of a file\n'.repeat(28_000);

/** @param {string} model @param {{ stream?: boolean, content?: string }} [options] */
function bodyOf(model, { stream = false, content = "hello" } = {}) {
  return Buffer.from(JSON.stringify({ model, max_tokens: 64, stream, messages: [{ role: "user", content }] }));
}

/**
 * Requests of an agent that sends its whole history, another conversation in each round.
 * @param {"openai-chat" | "anthropic-messages"} protocol @param {string} model @param {number} round
 */
function turnsOfRound(protocol, model, round) {
  const source = protocol === "openai-chat" ? openaiChat : anthropicMessages;
  return turnsOf(source, conversation(protocol, 10), TURNS + 1).map((body) => {
    const [first, ...others] = body.messages;
    const isChat = protocol === "openai-chat";
    const begun = isChat ? { ...first, content: `Round ${round}. ${first.content}` } : first;
    const system = isChat ? {} : { system: [{ ...body.system[0], text: `Round ${round}. ${body.system[0].text}` }] };
    return Buffer.from(JSON.stringify({ ...body, ...system, model, messages: [begun, ...others] }));
  });
}

const kinds = /** @type {const} */ ([
  ["same", "same protocol (Chat)"],
  ["toChat", "Messages client, Chat service"],
  ["toMessages", "Chat client, Messages service"],
]);

/**
 * The `warm` rounds before those that count let the engine compile what runs: code that runs once for a request takes thousands of them.
 * @typedef {{ name: string, count: number, connections: number, warm: number, body: (model: (name: string) => string, round: number) => Buffer | Buffer[] }} LoadKind
 * @type {readonly LoadKind[]}
 */
const loads = [
  { name: "small request", count: 500, connections: 8, warm: 10, body: (model) => bodyOf(model("m")) },
  {
    name: "700 KB request",
    count: 16,
    connections: 4,
    warm: 4,
    body: (model) => bodyOf(model("m"), { content: long }),
  },
  {
    name: "stream of 1,000 deltas at once",
    count: 12,
    connections: 4,
    warm: 6,
    body: (model) => bodyOf(model(burst(1000)), { stream: true }),
  },
];

/**
 * CPU time of the process in the middle.
 * @param {Started} started @param {Run} run @returns {Promise<Row[]>}
 */
async function cpuRows({ ways }, { rounds, step }) {
  /** @type {Row[]} */
  const rows = [];
  for (const [kind, title] of kinds) {
    /** @type {LoadKind} */
    const next = {
      name: "the next turn of 700 KB",
      count: TURNS,
      connections: 1,
      warm: 3,
      body: (model, round) => turnsOfRound(kind === "toChat" ? "anthropic-messages" : "openai-chat", model("m"), round),
    };
    for (const { name, count, connections, warm, body } of [...loads, next]) {
      step(`gateways: ${title}, ${name}`);
      const subjects = ways[kind];
      const samples = subjects.map(() => /** @type {number[]} */ ([]));
      for (let round = -warm; round < rounds; round++) {
        for (const turn of subjects.keys()) {
          const index = (round + warm + turn) % subjects.length;
          const { process, path, headers, model } = /** @type {Way} */ (subjects[index]);
          const bodies = body(model, round);
          const [first, ...others] = Array.isArray(bodies) ? bodies : [];
          // What a conversation begins with is sent before, and not counted.
          if (first !== undefined)
            await sendLoad(process.port, { path, headers, body: first, count: 1, connections: 1 });
          const before = await process.cpu();
          await sendLoad(process.port, {
            path,
            headers,
            count,
            connections,
            body: first === undefined ? bodies : others,
          });
          const cpu = (await process.cpu()) - before;
          if (round >= 0) samples[index]?.push(cpu / count);
        }
      }
      rows.push({ name: `${title}: ${name}`, unit: "× pipe", cells: againstFirst(subjects, samples) });
    }
  }
  return rows;
}

/** @param {readonly { subject: string }[]} subjects @param {readonly number[][]} samples @returns {Cell[]} */
function againstFirst(subjects, samples) {
  const base = samples[0] ?? [];
  return subjects.map(({ subject }, index) => {
    const own = samples[index] ?? [];
    return {
      subject,
      spread: spreadOf(own.map((sample, round) => sample / (base[round] ?? Number.NaN))),
      note: inMilliseconds(median(own)),
    };
  });
}

/**
 * Milliseconds until the first byte of a stream that come on top of those that the service needs, one request at a time.
 * @param {Started} started @param {Run} run @returns {Promise<Row[]>}
 */
async function firstByteRows({ upstream, ways }, { rounds, step }) {
  step("gateways: time to the first byte");
  const direct = { subject: "direct", process: upstream, path: chatPath, model: same, headers: "" };
  const subjects = [direct, ...ways.same];
  const samples = subjects.map(() => /** @type {number[]} */ ([]));
  for (let round = -1; round < rounds; round++) {
    for (const turn of subjects.keys()) {
      const index = (round + 1 + turn) % subjects.length;
      const { process, path, model, headers } = /** @type {Way} */ (subjects[index]);
      const body = bodyOf(model(paced(3)), { stream: true });
      const { first } = await sendLoad(process.port, { path, headers, body, count: 20, connections: 1 });
      if (round >= 0) samples[index]?.push(median(first));
    }
  }
  const [service = [], ...others] = samples;
  const cells = ways.same.map(({ subject }, index) => ({
    subject,
    spread: spreadOf((others[index] ?? []).map((time, round) => time - (service[round] ?? Number.NaN))),
  }));
  return [{ name: "time to the first byte of a stream, above that of the service", unit: "ms", cells }];
}

const STREAMS = 1000;

/** Opens streams that say one thing and then nothing, and waits until each has said it. @param {Way} way */
async function openStreams({ process, path, model, headers }) {
  const body = bodyOf(model(idle(1)), { stream: true });
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${process.port}\r\n${headers}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  /** @type {net.Socket[]} */
  const sockets = [];
  for (let opened = 0; opened < STREAMS; opened += 50) {
    await Promise.all(
      Array.from({ length: 50 }, () => {
        const socket = net.connect({ port: process.port, host: "127.0.0.1" });
        sockets.push(socket);
        socket.write(Buffer.concat([Buffer.from(head), body]));
        return new Promise((resolve, reject) => {
          let seen = "";
          socket.on("error", reject);
          socket.on("data", (chunk) => {
            seen += chunk.toString("latin1");
            if (seen.includes("data:")) resolve(undefined);
          });
        });
      }),
    );
  }
  return sockets;
}

/** Memory for an open stream, and time from the start of a process to its first answer. @param {Run} run @returns {Promise<Row[]>} */
async function freshRows(run) {
  const { rounds, step } = run;
  /** @type {Map<string, { start: number[], cpu: number[], memory: number[], bare: number[] }>} */
  const samples = new Map();
  const upstream = await startProcess("upstream");
  const roles = /** @type {const} */ ([
    ["pipe", "pipe", same, ""],
    ["Rolecall", "gateway", same, ""],
    ...(run.has("portkey")
      ? [/** @type {const} */ (["Portkey", "portkey", same, portkeyHeaders("openai", upstream.port)])]
      : []),
    ...(run.has("llms")
      ? [/** @type {const} */ (["llms", "llms", (/** @type {string} */ name) => `openai-chat,${name}`, ""])]
      : []),
  ]);
  for (let round = 0; round < rounds; round++) {
    step(`gateways: start and memory, round ${round + 1} of ${rounds}`);
    for (const [subject, role, model, headers] of roles) {
      const begun = performance.now();
      const process = await startProcess(role, upstream.port);
      const way = { subject, process, path: chatPath, model, headers };
      const ask = (/** @type {number} */ count) =>
        sendLoad(process.port, { path: chatPath, headers, body: bodyOf(model("m")), count, connections: 4 });
      await ask(1);
      const time = performance.now() - begun;
      const cpu = await process.cpu();
      await ask(200);
      const before = await process.resident();
      const sockets = await openStreams(way);
      const after = await process.resident();
      for (const socket of sockets) socket.destroy();
      process.stop();
      const own = samples.get(subject) ?? { start: [], cpu: [], memory: [], bare: [] };
      own.start.push(time);
      own.cpu.push(cpu);
      own.memory.push((after - before) / 1024 / STREAMS);
      own.bare.push(before / 2 ** 20);
      samples.set(subject, own);
    }
  }
  upstream.stop();
  /** @param {string} name @param {string} unit @param {"start" | "cpu" | "memory" | "bare"} key @returns {Row} */
  const row = (name, unit, key) => ({
    name,
    unit,
    cells: [...samples].map(([subject, own]) => ({ subject, spread: spreadOf(own[key]) })),
  });
  return [
    row("start of the process to its first answer", "ms", "start"),
    row("CPU time until then", "ms", "cpu"),
    row("memory after 200 requests", "MiB", "bare"),
    row(`memory for each of ${STREAMS} open streams that say nothing`, "KiB", "memory"),
  ];
}

/** @param {Run} run @returns {Promise<Section>} */
export async function gatewaySection(run) {
  const started = await start(run);
  try {
    return {
      id: "gateway",
      title: "Gateways: CPU time",
      text: [
        "CPU time of the process in the middle for each request, as a multiple of that of a `node:http` server that pipes to a `node:http` upstream, which is about the least that a",
        "process of Node can do; the time itself beside it. Load, service and gateway run on the same machine. Each gateway is asked in the ways that it offers: Portkey has none from",
        "Messages to Chat, llms none from Chat to Messages. In the rows of a next turn each request of about 200 messages is the one before and what came since, which Rolecall notices.",
      ].join(" "),
      rows: await cpuRows(started, run),
    };
  } finally {
    started.stop();
  }
}

/** @param {Run} run @returns {Promise<Section>} */
export async function latencySection(run) {
  const started = await start(run);
  try {
    return {
      id: "latency",
      title: "Gateways: first byte, start and memory",
      text: "Clients and service speak Chat. Start and memory are those of fresh processes.",
      rows: [...(await firstByteRows(started, run)), ...(await freshRows(run))],
    };
  } finally {
    started.stop();
  }
}
