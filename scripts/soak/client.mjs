// A client of a soak test: asks for a stream, and looks whether it gets its own, whole and in order.
import http from "node:http";
import { deltaText } from "./plan.mjs";

/** @typedef {import("./plan.mjs").Plan} Plan */
/** @typedef {{ plan: Plan, deltas: number, ending: "none" | "good" | "error", problem: string | undefined }} Result */

const requests = {
  "openai-chat": { path: "/v1/chat/completions", more: {} },
  "anthropic-messages": { path: "/v1/messages", more: { max_tokens: 100 } },
};

/** Reads the events of a stream and judges each. @param {Plan} plan @param {Result} result */
function createReader(plan, result) {
  let held = "";
  const read = (/** @type {any} */ frame) => {
    if (frame.error !== undefined || frame.type === "error") {
      if (result.ending !== "none") result.problem ??= "an error after the end";
      result.ending = "error";
      return;
    }
    if (frame.type === "message_stop") result.ending = "good";
    const text = frame.choices?.[0]?.delta?.content ?? frame.delta?.text ?? "";
    if (text === "") return;
    if (text !== deltaText(plan, result.deltas)) result.problem ??= `got ${text.slice(0, 40)}`;
    result.deltas++;
  };
  return (/** @type {string} */ piece) => {
    held += piece;
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
      const event = held.slice(0, end);
      held = held.slice(end + 2);
      const line = event.split("\n").find((candidate) => candidate.startsWith("data: "));
      if (line === "data: [DONE]") result.ending = "good";
      else if (line !== undefined) read(JSON.parse(line.slice(6)));
    }
  };
}

/** What is wrong with a stream that has ended. @param {Result} result */
function judge({ plan, deltas, ending, problem }) {
  if (problem !== undefined) return problem;
  if (plan.end === "cancel") return undefined;
  const expected = plan.end === "complete" ? plan.deltas : plan.after;
  if (plan.end === "cut" ? deltas > expected : deltas !== expected) return `${deltas} deltas of ${expected}`;
  const wanted = plan.end === "complete" ? "good" : "error";
  return ending === wanted ? undefined : `ended with ${ending}, not with ${wanted}`;
}

/**
 * One stream from its start to its end, whoever ends it.
 * @param {Plan} plan
 * @param {number} port of the gateway
 * @param {http.Agent} agent
 * @returns {Promise<Result>}
 */
export function runStream(plan, port, agent) {
  const { path, more } = requests[plan.client];
  const messages = [{ role: "user", content: `stream ${plan.number}` }];
  const body = JSON.stringify({ model: "m", stream: true, messages, ...more });
  /** @type {Result} */
  const result = { plan, deltas: 0, ending: "none", problem: undefined };
  return new Promise((resolve) => {
    const finish = (/** @type {string | undefined} */ problem) => {
      result.problem ??= problem;
      result.problem = judge(result);
      resolve(result);
    };
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = http.request({ port, host: "127.0.0.1", path, method: "POST", headers, agent }, (response) => {
      // A service may break the connection before the gateway has anything to send.
      if (response.statusCode === 502 && plan.end !== "complete" && plan.after === 0) result.ending = "error";
      else if (response.statusCode !== 200) result.problem = `status ${response.statusCode}`;
      const read = createReader(plan, result);
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        if (response.statusCode !== 200) return;
        read(piece);
        if (plan.end === "cancel" && result.deltas >= plan.after) request.destroy();
      });
      response.on("close", () => finish(undefined));
      if (!plan.slow) return;
      response.pause();
      setTimeout(() => response.resume(), 500);
    });
    request.on("error", (error) => finish(plan.end === "cancel" ? undefined : error.message));
    request.end(body);
    // Some are gone before there is an answer, or before the gateway knows of them.
    if (plan.end === "cancel" && plan.after === 0) setTimeout(() => request.destroy(), plan.number % 20);
  });
}
