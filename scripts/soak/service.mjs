// The services of a soak test, one for each protocol. They answer as planned.
import http from "node:http";
import { families } from "../traffic/protocols.mjs";
import { deltaText, planOf, questionOf } from "./plan.mjs";

/** @typedef {import("./plan.mjs").Plan} Plan */
/** @typedef {import("./plan.mjs").Protocol} Protocol */

/** @param {Plan} plan */
const textsOf = (plan) => Array.from({ length: plan.deltas }, (_, index) => deltaText(plan, index));

/** @param {Plan} plan @param {http.ServerResponse} response */
function answerStream(plan, response) {
  const family = families[plan.service];
  const { end, after, deltas, slow } = plan;
  const id = String(plan.number);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(family.start(id));
  let index = 0;
  const step = () => {
    if (response.destroyed) return;
    if (index === after && end === "cut") response.destroy();
    else if (index === after && end === "unfinished") response.end();
    else if (index === after && end === "failure") response.end(family.failure);
    else if (index === after && end === "stall") return;
    else if (index === deltas) response.end(family.end(id, textsOf(plan)));
    else {
      const isTaken = response.write(family.delta(id, index, deltaText(plan, index++)));
      if (!isTaken) response.once("drain", step);
      else if (slow || plan.pause === 0) setImmediate(step);
      else setTimeout(step, plan.pause);
    }
  };
  setTimeout(step, plan.pause);
}

/** @param {Plan} plan @param {http.ServerResponse} response */
function answerWhole(plan, response) {
  if (plan.end === "stall") return;
  const body = Buffer.from(JSON.stringify(families[plan.service].whole(String(plan.number), textsOf(plan).join(""))));
  setTimeout(() => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    if (plan.end !== "cut") response.end(body);
    else response.write(body.subarray(0, body.length >> 1), () => response.destroy());
  }, plan.pause);
}

/** A service that listens, and how to look at it. @param {Protocol} protocol */
export async function startService(protocol) {
  const server = http.createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (part) => chunks.push(part));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const plan = planOf(Number(/exchange (\d+)\./.exec(text)?.[1]));
      if (plan.service !== protocol) throw new Error("a request came to the wrong service");
      if (!text.includes(JSON.stringify(questionOf(plan)).slice(1, -1))) throw new Error("a request lost its text");
      if (plan.stream) answerStream(plan, response);
      else answerWhole(plan, response);
    });
    request.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1", 4096);
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: /** @type {import("node:net").AddressInfo} */ (server.address()).port,
    connections: () =>
      new Promise((/** @type {(count: number) => void} */ resolve) => {
        server.getConnections((_error, count) => resolve(count));
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
