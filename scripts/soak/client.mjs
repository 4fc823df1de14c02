// A client of a soak test: asks, and looks whether it gets its own answer, whole and in order.
import http from "node:http";
import { families, isFailure } from "../traffic/protocols.mjs";
import { deltaText, questionOf } from "./plan.mjs";

/** @typedef {import("./plan.mjs").Plan} Plan */
/** @typedef {{ plan: Plan, deltas: number, ending: "none" | "good" | "error", problem: string | undefined }} Result */

/** Reads the events of a stream and judges each. @param {Plan} plan @param {Result} result */
function createReader(plan, result) {
  const { deltaOf, isEnd } = families[plan.client];
  let held = "";
  /** What the deltas of the plan say that is not read yet: their borders are the service's own. */
  let expected = "";
  let next = 0;
  const readText = (/** @type {string} */ text) => {
    while (expected.length < text.length && next < plan.deltas) expected += deltaText(plan, next++);
    if (!expected.startsWith(text)) result.problem ??= `got ${text.slice(0, 40)}`;
    expected = expected.slice(text.length);
    result.deltas = next - Number(expected !== "");
  };
  const read = (/** @type {any} */ frame) => {
    if (isFailure(frame)) {
      if (result.ending === "good") result.problem ??= "an error after the end";
      result.ending = "error";
      return;
    }
    const text = deltaOf(frame);
    if (text !== undefined && text !== "") readText(text);
    if (isEnd(frame)) result.ending = "good";
  };
  return (/** @type {string} */ piece) => {
    held += piece;
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
      const event = held.slice(0, end);
      held = held.slice(end + 2);
      const line = event.split("\n").find((candidate) => candidate.startsWith("data: "));
      if (line !== undefined && line !== "data: [DONE]") read(JSON.parse(line.slice(6)));
    }
  };
}

/** Judges an answer that is no stream. @param {Plan} plan @param {Result} result @param {string} text */
function readWhole(plan, result, text) {
  const said = families[plan.client].textOf(JSON.parse(text));
  const expected = Array.from({ length: plan.deltas }, (_, index) => deltaText(plan, index)).join("");
  if (said !== expected) result.problem ??= `got ${String(said).slice(0, 40)}`;
  result.deltas = plan.deltas;
  result.ending = "good";
}

/** What is wrong with an exchange that has ended. @param {Result} result */
function judge({ plan, deltas, ending, problem }) {
  if (problem !== undefined) return problem;
  if (plan.end === "cancel") return undefined;
  const wanted = plan.end === "complete" ? "good" : "error";
  if (ending !== wanted) return `ended with ${ending}, not with ${wanted}`;
  if (!plan.stream) return undefined;
  const expected = plan.end === "complete" ? plan.deltas : plan.after;
  return (plan.end === "cut" ? deltas > expected : deltas !== expected) ? `${deltas} deltas of ${expected}` : undefined;
}

/**
 * One exchange from its start to its end, whoever ends it.
 * @param {Plan} plan
 * @param {number} port of the gateway
 * @param {http.Agent} agent
 * @returns {Promise<Result>}
 */
export function runExchange(plan, port, agent) {
  const family = families[plan.client];
  const body = Buffer.from(JSON.stringify(family.body("m", questionOf(plan), plan.stream)));
  /** @type {Result} */
  const result = { plan, deltas: 0, ending: "none", problem: undefined };
  return new Promise((resolve) => {
    const finish = (/** @type {string | undefined} */ problem) => {
      result.problem ??= problem;
      result.problem = judge(result);
      resolve(result);
    };
    const headers = { "content-type": "application/json", "content-length": body.length };
    const path = family.path("m", plan.stream);
    const request = http.request({ port, host: "127.0.0.1", path, method: "POST", headers, agent }, (response) => {
      const { statusCode } = response;
      // A service may break off, or say nothing, before the gateway has anything to send.
      const mayFail = !plan.stream || plan.after === 0;
      if ((statusCode === 502 || statusCode === 504) && plan.end !== "complete" && mayFail) result.ending = "error";
      else if (plan.end === "failure" && plan.after === 0 && statusCode !== 200) result.ending = "error";
      else if (statusCode !== 200) result.problem = `status ${statusCode}`;
      const read = createReader(plan, result);
      let whole = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        if (statusCode !== 200) return;
        if (!plan.stream) whole += piece;
        else read(piece);
        if (plan.end === "cancel" && result.deltas >= plan.after) request.destroy();
      });
      response.on("end", () => {
        if (statusCode === 200 && !plan.stream) readWhole(plan, result, whole);
      });
      response.on("close", () => finish(undefined));
      if (!plan.slow) return;
      response.pause();
      setTimeout(() => response.resume(), 500);
    });
    request.on("error", (error) => finish(plan.end === "cancel" ? undefined : error.message));
    request.end(body);
    // Some are gone before there is an answer, or before the gateway knows of them.
    if (plan.end === "cancel" && (plan.after === 0 || !plan.stream))
      setTimeout(() => request.destroy(), plan.number % 20);
  });
}
