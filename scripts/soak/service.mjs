// The services of a soak test: one speaks Chat Completions, the other Messages. Both answer with streams, as planned.
import http from "node:http";
import { deltaText, planOf } from "./plan.mjs";

/** @typedef {import("./plan.mjs").Plan} Plan */
/** @typedef {import("./plan.mjs").Protocol} Protocol */

/** @param {object} value */
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;
/** @param {{ type: string } & Record<string, unknown>} value */
const named = (value) => `event: ${value.type}\n${data(value)}`;

/** How each protocol writes the parts of a stream. */
const writers = {
  "openai-chat": {
    start: (/** @type {Plan} */ { number }) => chunk(number, { role: "assistant", content: "" }),
    delta: (/** @type {Plan} */ plan, /** @type {number} */ index) =>
      chunk(plan.number, { content: deltaText(plan, index) }),
    end: (/** @type {Plan} */ { number }) => `${chunk(number, {}, "stop")}data: [DONE]\n\n`,
    failure: () => data({ error: { message: "overloaded", type: "server_error", code: null, param: null } }),
  },
  "anthropic-messages": {
    start: (/** @type {Plan} */ { number }) =>
      named({
        type: "message_start",
        message: {
          id: `msg_${number}`,
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) + named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    delta: (/** @type {Plan} */ plan, /** @type {number} */ index) =>
      named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: deltaText(plan, index) } }),
    end: () =>
      named({ type: "content_block_stop", index: 0 }) +
      named({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 9 },
      }) +
      named({ type: "message_stop" }),
    failure: () => named({ type: "error", error: { type: "overloaded_error", message: "overloaded" } }),
  },
};

/** @param {number} number @param {object} delta @param {string | null} [finish] */
function chunk(number, delta, finish = null) {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return data({ id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1, model: "m", choices });
}

/** @param {Plan} plan @param {http.ServerResponse} response */
function answer(plan, response) {
  const writer = writers[plan.service];
  const { end, after, deltas, slow } = plan;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(writer.start(plan));
  let index = 0;
  const step = () => {
    if (response.destroyed) return;
    if (index === after && end === "cut") response.destroy();
    else if (index === after && end === "unfinished") response.end();
    else if (index === after && end === "failure") response.end(writer.failure());
    else if (index === deltas) response.end(writer.end(plan));
    else {
      const isTaken = response.write(writer.delta(plan, index++));
      if (!isTaken) response.once("drain", step);
      else if (slow) setImmediate(step);
      else setTimeout(step, plan.pause);
    }
  };
  setTimeout(step, plan.pause);
}

/** A service that listens, and how to look at it. @param {Protocol} protocol */
export async function startService(protocol) {
  const server = http.createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (part) => chunks.push(part));
    request.on("end", () => {
      const number = Number(/stream (\d+)/.exec(Buffer.concat(chunks).toString())?.[1]);
      const plan = planOf(number);
      if (plan.service !== protocol) throw new Error("a request came to the wrong service");
      answer(plan, response);
    });
  });
  server.listen(0, "127.0.0.1", 4096);
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: /** @type {import("node:net").AddressInfo} */ (server.address()).port,
    connections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
