// Measures the gateway against the cheapest thing that a Node process can be: a `node:http` server that pipes to a
// `node:http` upstream. Each figure is the median of interleaved pairs, CPU time of the process in the middle; lower is
// better, 1.00 is the pipe. Usage: npm run build, then node packages/gateway/bench/gateway.mjs [pairs]
import { fork, spawn } from "node:child_process";
import http from "node:http";
import net from "node:net";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const key = "sk-bench-0123456789";
const text = " token";

const chatAnswer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1760000000,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: text, refusal: null }, logprobs: null, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 },
});

/** @param {number} count */
function chatStream(count) {
  /** @type {(delta: object, finish?: string) => string} */
  const chunk = (delta, finish) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, logprobs: null, finish_reason: finish ?? null }] })}\n\n`;
  const list = [chunk({ role: "assistant", content: "" })];
  for (let index = 0; index < count; index++) list.push(chunk({ content: text }));
  list.push(chunk({}, "stop"), "data: [DONE]\n\n");
  return list;
}

const DELTAS = 1000;

function startUpstream() {
  const events = chatStream(DELTAS).map((event) => Buffer.from(event));
  return http.createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (!Buffer.concat(chunks).includes('"stream":true')) {
        response.writeHead(200, { "content-type": "application/json", "content-length": chatAnswer.length });
        response.end(chatAnswer);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of events) response.write(event);
      response.end();
    });
  });
}

/** @param {number} port */
function startPipe(port) {
  const agent = new http.Agent({ keepAlive: true });
  return http.createServer((request, response) => {
    const { host: _host, ...headers } = request.headers;
    const sent = http.request(
      { port, host: "127.0.0.1", path: request.url, method: request.method ?? "GET", headers, agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(sent);
  });
}

/** @param {string} role @param {number} upstream */
async function serve(role, upstream) {
  if (role === "gateway") {
    const { createGateway } = await import("../dist/index.js");
    const gateway = await createGateway({ to: `http://127.0.0.1:${upstream}/v1`, protocol: "openai-chat", key });
    process.send?.((await gateway.listen()).port);
  } else {
    const server = role === "pipe" ? startPipe(upstream) : startUpstream();
    server.listen(0, "127.0.0.1", () => process.send?.(/** @type {net.AddressInfo} */ (server.address()).port));
  }
  process.on("message", () => process.send?.(process.cpuUsage()));
}

/** @param {string} role @param {number} [upstream] */
async function startProcess(role, upstream = 0) {
  const child = fork(self, [role, String(upstream)]);
  /** @type {(message?: string) => Promise<any>} */
  const answer = (message) =>
    new Promise((resolve) => {
      child.once("message", resolve);
      if (message !== undefined) child.send(message);
    });
  const port = await answer();
  const cpu = async () => {
    const { user, system } = await answer("cpu");
    return (user + system) / 1000;
  };
  return { port, cpu, stop: () => child.kill() };
}

/**
 * Sends `count` requests over `connections` connections, one after the other on each.
 * @param {number} port @param {string} path @param {Buffer} body @param {number} count @param {number} connections
 */
function load(port, path, body, count, connections) {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const message = Buffer.concat([Buffer.from(head), body]);
  let left = count;
  return Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise((resolve, reject) => {
          const socket = net.connect(port, "127.0.0.1");
          let seen = "";
          let need = -1;
          const next = () => {
            if (left-- <= 0) {
              socket.destroy();
              resolve(undefined);
              return;
            }
            seen = "";
            need = -1;
            socket.write(message);
          };
          socket.on("connect", next);
          socket.on("error", reject);
          socket.on("data", (chunk) => {
            seen = (seen.length > 4096 ? seen.slice(-16) : seen) + chunk.toString("latin1");
            if (need < 0) {
              const end = seen.indexOf("\r\n\r\n");
              if (end < 0) return;
              if (!seen.startsWith("HTTP/1.1 200")) {
                reject(new Error(seen.slice(0, 500)));
                return;
              }
              const length = /content-length: *(\d+)/i.exec(seen.slice(0, end));
              need = length === null ? 0 : end + 4 + Number(length[1]);
            }
            if (need > 0 ? seen.length >= need : seen.endsWith("0\r\n\r\n")) next();
          });
        }),
    ),
  );
}

/** @param {number[]} list */
const median = (list) => [...list].sort((left, right) => left - right)[Math.floor(list.length / 2)] ?? Number.NaN;

/** @param {string} role @param {number} upstream Milliseconds until the first answer. */
async function coldStart(role, upstream) {
  const start = performance.now();
  const child = spawn(process.execPath, [self, role, String(upstream)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const port = await new Promise((resolve) => child.once("message", resolve));
  await load(port, "/v1/chat/completions", small, 1, 1);
  const time = performance.now() - start;
  child.kill();
  return time;
}

/** @param {boolean} stream @param {string} [content] */
const bodyOf = (stream, content = "hello") =>
  Buffer.from(JSON.stringify({ model: "m", max_tokens: 64, stream, messages: [{ role: "user", content }] }));
const small = bodyOf(false);

async function main() {
  const pairs = Number(process.argv[2] ?? 9);
  const upstream = await startProcess("upstream");
  const pipe = await startProcess("pipe", upstream.port);
  const gateway = await startProcess("gateway", upstream.port);
  const large = bodyOf(false, 'some "text" of a file\n'.repeat(28_000));
  /** @type {readonly (readonly [string, string, Buffer, number, number])[]} */
  const cases = [
    ["T1 same protocol, small request", "/v1/chat/completions", small, 1500, 8],
    ["T2 same protocol, 700 KB request", "/v1/chat/completions", large, 40, 4],
    ["T3 same protocol, stream of 1,000 events at once", "/v1/chat/completions", bodyOf(true), 40, 4],
    ["T4 across, small request", "/v1/messages", small, 1500, 8],
    ["T6 across, stream of 1,000 events at once", "/v1/messages", bodyOf(true), 20, 4],
  ];
  console.log(`node ${process.version}, ${pairs} pairs; CPU of the gateway / CPU of a node:http pipe`);
  for (const [name, path, body, count, connections] of cases) {
    /** @type {number[]} */
    const ratios = [];
    for (let pair = -1; pair < pairs; pair++) {
      const used = [];
      for (const target of pair % 2 === 0 ? [pipe, gateway] : [gateway, pipe]) {
        const before = await target.cpu();
        await load(target.port, target === pipe ? "/v1/chat/completions" : path, body, count, connections);
        used.push({ target, cpu: (await target.cpu()) - before });
      }
      const of = (/** @type {object} */ target) => used.find((entry) => entry.target === target)?.cpu ?? Number.NaN;
      if (pair >= 0) ratios.push(of(gateway) / of(pipe));
    }
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    console.log(`${name.padEnd(50)} ${median(ratios).toFixed(2)}   (${spread})`);
  }
  const times = { pipe: /** @type {number[]} */ ([]), gateway: /** @type {number[]} */ ([]) };
  for (let pair = 0; pair < Math.min(pairs, 7); pair++) {
    times.pipe.push(await coldStart("pipe", upstream.port));
    times.gateway.push(await coldStart("gateway", upstream.port));
  }
  const cold = median(times.gateway) / median(times.pipe);
  console.log(
    `${"T14 cold start to the first answer".padEnd(50)} ${cold.toFixed(2)}   (${median(times.gateway).toFixed(0)} ms, pipe ${median(times.pipe).toFixed(0)} ms)`,
  );
  for (const process of [gateway, pipe, upstream]) process.stop();
}

const [role, port] = process.argv.slice(2);
if (role === "upstream" || role === "pipe" || role === "gateway") await serve(role, Number(port));
else await main();
