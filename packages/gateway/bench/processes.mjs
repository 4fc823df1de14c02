// The processes of a measurement: the service, the cheapest thing that a Node process in the middle can be (a `node:http` server that pipes
// to a `node:http` upstream), and the gateway.
import { fork } from "node:child_process";
import http from "node:http";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);

/** @typedef {"upstream" | "pipe" | "gateway"} Role */
/** @typedef {import("../../../scripts/traffic/protocols.mjs").Protocol} Protocol */
/** @typedef {{ port: number, cpu: () => Promise<number>, memory: () => Promise<number>, stop: () => void }} Process */

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

/** @param {Role} role @param {number} upstream @param {Protocol} protocol */
async function serve(role, upstream, protocol) {
  if (role === "gateway") {
    const { createGateway } = await import("@rolecall/gateway");
    const to = `http://127.0.0.1:${upstream}${protocol.startsWith("openai-") ? "/v1" : ""}`;
    const gateway = await createGateway({ to, protocol, key: "sk-bench-0123456789" });
    process.send?.((await gateway.listen()).port);
  } else {
    const server = role === "pipe" ? createPipe(upstream) : (await import("./upstream.mjs")).createUpstream();
    server.listen(0, "127.0.0.1", () => {
      process.send?.(/** @type {import("node:net").AddressInfo} */ (server.address()).port);
    });
  }
  process.on("message", (message) =>
    process.send?.(message === "cpu" ? process.cpuUsage() : process.memoryUsage.rss()),
  );
}

/**
 * Starts a process and waits until it listens.
 * @param {Role} role
 * @param {number} [upstream] its port
 * @param {Protocol} [protocol] what it speaks
 * @returns {Promise<Process>}
 */
export async function startProcess(role, upstream = 0, protocol = "openai-chat") {
  const child = fork(self, [role, String(upstream), protocol]);
  /** @type {(message?: string) => Promise<any>} */
  const answer = (message) =>
    new Promise((resolve) => {
      child.once("message", resolve);
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
    /** Kilobytes of resident memory. */
    memory: async () => (await answer("memory")) / 1024,
    stop: () => child.kill(),
  };
}

if (process.argv[1] === self) {
  const [, , role, upstream, protocol] = process.argv;
  await serve(/** @type {Role} */ (role), Number(upstream), /** @type {Protocol} */ (protocol));
}
