// The services of a fuzz test: sockets that answer as the plan of each exchange says.
import net from "node:net";
import { pickOf } from "../traffic/random.mjs";
import { questionOf, serviceKey } from "./exchange.mjs";
import { planOf } from "./plan.mjs";
import { serviceTricks } from "./service-tricks.mjs";

/** @typedef {import("./exchange.mjs").Plan} Plan */
/** @typedef {import("./exchange.mjs").Protocol} Protocol */

/** What is wrong with a request that came to a service. @param {Plan | undefined} plan @param {Protocol} protocol @param {string} head @param {string} body */
function wrongWith(plan, protocol, head, body) {
  if (/sx-\d+-x/.test(head + body))
    return `a smuggled request came to the service: ${/sx-\d+-x/.exec(head + body)?.[0]}`;
  if (plan === undefined) return `a request of nobody: ${head.slice(0, 80)}`;
  if (plan.service !== protocol) return "a request came to the wrong service";
  if (plan.expected === "refused") return "a request that has to be refused came to the service";
  const marks = new Set((head + body).match(/fz-\d+-z/g));
  if (marks.size !== 1) return `marks of ${[...marks].join(", ")}`;
  if (/sk-client-/.test(head + body)) return "the key of a client came to the service";
  if (!head.includes(serviceKey)) return "the key of the service is not there";
  if (plan.clientTrick === "plain" && !body.includes(JSON.stringify(questionOf(plan)).slice(1, -1)))
    return "the question is another one";
  return undefined;
}

/** @param {Protocol} protocol @param {number} seed @param {(number: number, problem: string) => void} onProblem */
export async function startService(protocol, seed, onProblem) {
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  let requests = 0;
  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    let held = "";
    /** The request that is read is answered already. */
    let early = false;
    const answer = (/** @type {string} */ head, /** @type {string} */ body, isWhole = true) => {
      if (head.startsWith("GET ")) {
        // A list of models names no exchange.
        const plain = { ...planOf(seed, 0), mark: "list", service: protocol, stream: false };
        void pickOf(Object.values(serviceTricks), (requests++ % 97) / 97).answer(socket, plain);
        return;
      }
      const number = Number(/fz-(\d+)-z/.exec(head + body)?.[1]);
      const plan = Number.isNaN(number) ? undefined : planOf(seed, number);
      const trick = plan && serviceTricks[plan.serviceTrick];
      if (!isWhole && trick?.early !== true) return;
      requests++;
      const problem = isWhole ? wrongWith(plan, protocol, head, body) : undefined;
      if (problem !== undefined) onProblem(number, problem);
      if (trick === undefined || plan === undefined) socket.destroy();
      else void trick.answer(socket, plan);
      early = !isWhole;
    };
    socket.on("data", (bytes) => {
      if (early) return;
      held += bytes.toString("latin1");
      for (let end = held.indexOf("\r\n\r\n"); end >= 0; end = held.indexOf("\r\n\r\n")) {
        const head = held.slice(0, end);
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        const rest = held.slice(end + 4);
        if (rest.length < length) {
          answer(head, rest, false);
          return;
        }
        held = rest.slice(length);
        answer(head, Buffer.from(rest.slice(0, length), "latin1").toString());
      }
    });
  });
  server.listen(0, "127.0.0.1", 4096);
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: /** @type {net.AddressInfo} */ (server.address()).port,
    requests: () => requests,
    sockets: () => sockets.size,
    closeIdle: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
