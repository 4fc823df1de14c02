// The processes of a measurement: the service, the cheapest thing that a Node process in the middle can be (a `node:http` server that pipes
// to a `node:http` upstream), the gateway, and the gateways of others, where they are installed.
import { fork } from "node:child_process";
import http from "node:http";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);

/** @typedef {"upstream" | "pipe" | "gateway" | "portkey" | "llms"} Role */
/** @typedef {import("../../../scripts/traffic/protocols.mjs").Protocol} Protocol */
/** @typedef {{ port: number, cpu: () => Promise<number>, resident: () => Promise<number>, stop: () => void }} Process */

/** @param {number} port */
function createPipe(port) {
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

/** @param {Role} role @param {string} upstream the port of the service, or its address @param {Protocol} protocol of the service */
async function serve(role, upstream, protocol) {
  const address = upstream.includes(":") ? upstream : `http://127.0.0.1:${upstream}`;
  if (role === "gateway") {
    const { createGateway } = await import("@rolecall/gateway");
    const to = protocol.startsWith("openai-") ? `${address}/v1` : address;
    const gateway = await createGateway({ to, protocol, key: "sk-bench-0123456789" });
    process.send?.((await gateway.listen()).port);
  } else if (role === "portkey" || role === "llms") {
    const { listen } = await import(`../../../bench/peers/${role}/server.mjs`);
    process.send?.(await listen(address));
  } else {
    const server = role === "pipe" ? createPipe(Number(upstream)) : (await import("./upstream.mjs")).createUpstream();
    server.listen(0, "127.0.0.1", () => {
      process.send?.(/** @type {import("node:net").AddressInfo} */ (server.address()).port);
    });
  }
  process.on("message", (message) => {
    if (message === "memory") globalThis.gc?.();
    process.send?.({ ...process.cpuUsage(), resident: process.memoryUsage.rss() });
  });
}

/**
 * Starts a process and waits until it listens.
 * @param {Role} role
 * @param {number | string} [upstream] the port of the service, or its address
 * @param {Protocol} [protocol] what the service speaks
 * @returns {Promise<Process>}
 */
export async function startProcess(role, upstream = 0, protocol = "openai-chat") {
  const isOther = role === "portkey" || role === "llms";
  // What others log of what they are asked is not shown, but the end of it where they do not start.
  const child = fork(self, [role, String(upstream), protocol], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", isOther ? "pipe" : "inherit", "ipc"],
  });
  let log = "";
  child.stderr?.on("data", (chunk) => {
    log = (log + chunk).slice(-1000);
  });
  /** @type {(message?: string) => Promise<any>} */
  const answer = (message) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`the process of ${role} has ended\n${log}`));
      child.once("exit", fail);
      child.once("message", (value) => {
        child.off("exit", fail);
        resolve(value);
      });
      if (message !== undefined) child.send(message);
    });
  const port = await answer();
  return {
    port,
    /** Milliseconds of CPU time so far, of all its threads. */
    cpu: async () => {
      const { user, system } = await answer("cpu");
      return (user + system) / 1000;
    },
    /** Bytes of memory that it holds when nothing is left to collect. */
    resident: async () => (await answer("memory")).resident,
    stop: () => child.kill(),
  };
}

if (process.argv[1] === self) {
  const [, , role, upstream = "", protocol] = process.argv;
  await serve(/** @type {Role} */ (role), upstream, /** @type {Protocol} */ (protocol));
}
