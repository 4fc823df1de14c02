// Judges what a client got.
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { families, framesOf, isFailure, protocols } from "../traffic/protocols.mjs";
import { readAnswers } from "./answers.mjs";
import { clientTricks } from "./client-tricks.mjs";
import { secrets, textsOf } from "./exchange.mjs";
import { contentOf } from "./service-answers.mjs";

/** @typedef {import("./answers.mjs").Answer} Answer */
/** @typedef {import("./exchange.mjs").Plan} Plan */

/** What the first plain exchange of each kind gave, in which nothing but the mark may differ from the others. @type {Map<string, string>} */
const templates = new Map();

const foreign = ["set-cookie", "x-evil", "access-control-allow-origin", "location"];

/** @param {Answer} answer */
function textOf({ headers, body }) {
  switch (headers["content-encoding"]) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(body).toString();
    case "deflate":
      return inflateSync(body).toString();
    case "br":
      return brotliDecompressSync(body).toString();
    default:
      return body.toString();
  }
}

/** What is wrong with an answer that has to be the one of a plain exchange. @param {Plan} plan @param {Answer} answer */
function differs(plan, answer) {
  if (answer.status !== 200) return `status ${answer.status}: ${answer.body.toString().slice(0, 200)}`;
  const text = textOf(answer);
  if (plan.client === plan.service) return text === contentOf(plan) ? undefined : `other bytes: ${text.slice(0, 200)}`;
  const family = families[plan.client];
  const frames = plan.stream ? framesOf(text) : [];
  const said = plan.stream
    ? frames.map((frame) => family.deltaOf(frame) ?? "").join("")
    : family.textOf(JSON.parse(text));
  if (said !== textsOf(plan).join("")) return `another text: ${String(said).slice(0, 200)}`;
  if (plan.stream && (!frames.some(family.isEnd) || frames.some(isFailure))) return "a stream without its end";
  const key = `${plan.client} ${plan.service} ${plan.stream} ${plan.variant}`;
  /** Ids that the gateway makes, in their order. @type {string[]} */
  const ids = [];
  const plain = text
    .replaceAll(plan.mark, "MARK")
    .replace(/"created(_at)?":\d+/g, '"created":0')
    .replace(/"([a-z]+_)([0-9A-Za-z]{22})"/g, (_whole, prefix, id) => {
      if (!ids.includes(id)) ids.push(id);
      return `"${prefix}${ids.indexOf(id)}"`;
    });
  const template = templates.get(key) ?? plain;
  templates.set(key, template);
  if (plain === template) return undefined;
  let at = 0;
  while (plain[at] === template[at]) at++;
  return `at ${at} other bytes than before: ${plain.slice(Math.max(0, at - 60), at + 60)} for ${template.slice(Math.max(0, at - 60), at + 60)}`;
}

/** Whether a client would take an answer for a complete one. @param {Plan} plan @param {Answer} answer */
function looksComplete(plan, answer) {
  if (answer.status >= 300) return false;
  if (!plan.stream) {
    // A stream, though nobody asked for one, ends in an error of its own.
    try {
      return !isFailure(JSON.parse(textOf(answer)));
    } catch {
      return false;
    }
  }
  const frames = framesOf(textOf(answer));
  return frames.some(families[plan.client].isEnd) && !frames.some(isFailure);
}

/** What is wrong with an error. @param {Plan} plan @param {Answer} answer @param {string} method */
function badError(plan, { status, headers, body }, method) {
  const text = body.toString();
  if (text.includes("bug of Rolecall")) return `the gateway failed: ${text.slice(0, 200)}`;
  if (method === "HEAD") return undefined;
  // What is no HTTP has no protocol.
  if (text === "" && [400, 408, 413, 417, 431].includes(status) && headers["connection"] === "close") return undefined;
  if (!String(headers["content-type"]).startsWith("application/json"))
    return `an error of type ${headers["content-type"]}`;
  const value = JSON.parse(text);
  // Within one protocol the words of the service stay as they are.
  if (plan.client === plan.service && plan.serviceTrick.startsWith("an error")) return undefined;
  const known = clientTricks[plan.clientTrick]?.isPlain === true ? [plan.client] : protocols;
  return known.some((protocol) => families[protocol].isError(value)) ? undefined : `no envelope: ${text.slice(0, 200)}`;
}

/** What nobody may read. @param {Plan} plan @param {string} text */
function leakIn(plan, text) {
  for (const mark of new Set(text.match(/(?:fz-\d+-z|sx-\d+-x)/g)))
    if (mark !== plan.mark) return `${mark} of another exchange`;
  const key = /sk-client-\d+/.exec(text)?.[0] ?? secrets.find((secret) => text.includes(secret));
  return key === undefined ? undefined : `the key ${key}`;
}

/** @param {Plan} plan @param {readonly Answer[]} finals @param {readonly string[]} methods @param {number | undefined} most */
function missesExpected(plan, finals, methods, most) {
  const [first] = finals;
  if (plan.expected === "refused")
    return first === undefined || first.status >= 400 ? undefined : `status ${first.status} for what is refused`;
  if (plan.expected === "any") return undefined;
  if (first === undefined) return "no answer";
  if (plan.expected === "failed")
    return looksComplete(plan, first)
      ? `a failed answer looks complete: ${first.body.toString().slice(0, 200)}`
      : undefined;
  const count = most === undefined ? methods.length : 1;
  if (finals.length < count) return `${finals.length} answers of ${count}`;
  for (const answer of finals.slice(0, count)) {
    const problem = differs(plan, answer);
    if (problem !== undefined) return problem;
  }
  return finals.slice(count).every(({ status }) => status >= 400) ? undefined : "an answer to garbage";
}

/** What is wrong with what came on a connection. @param {Plan} plan @param {import("./client.mjs").Outcome} outcome @returns {string | undefined} */
export function judge(plan, { bytes, closed, hangs }) {
  if (hangs) return `hangs after ${bytes.length} bytes: ${bytes.toString("latin1", 0, 100)}`;
  const leak = leakIn(plan, bytes.toString());
  if (leak !== undefined) return `the client got ${leak}`;
  const { methods = ["POST"], most, gone = false } = clientTricks[plan.clientTrick] ?? {};
  try {
    const answers = readAnswers(bytes, methods, closed && !gone);
    const finals = answers.filter(({ status }) => status >= 200);
    if (answers.length > finals.length && !plan.clientTrick.startsWith("expect")) return "an interim answer";
    if (finals.length > (most ?? methods.length)) return `${finals.length} answers`;
    if (!gone && finals.some(({ complete }) => !complete)) return "an answer is cut";
    for (const [index, answer] of finals.entries()) {
      const header = foreign.find((name) => name in answer.headers);
      if (header !== undefined || answer.headers["rolecall-losses"] === "fake")
        return `the header ${header} of the service`;
      if (!answer.complete || answer.status < 300) continue;
      const problem = badError(plan, answer, methods[index] ?? "POST");
      if (problem !== undefined) return problem;
    }
    return gone ? undefined : missesExpected(plan, finals, methods, most);
  } catch (error) {
    return `no HTTP: ${error instanceof Error ? error.message : error}`;
  }
}
