// How the answers of services are made.
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { eventsOf, families } from "../traffic/protocols.mjs";
import { secrets, textsOf } from "./exchange.mjs";

/** @typedef {import("./exchange.mjs").Plan} Plan */
/** @typedef {import("./exchange.mjs").Expected} Expected */
/** @typedef {import("node:net").Socket} Socket */
/**
 * @typedef {object} ServiceTrick
 * @property {Expected | { stream: Expected, whole: Expected }} expected
 * @property {boolean} [early] it answers before it has read the request
 * @property {(socket: Socket, plan: Plan) => Promise<void> | void} answer
 */

/** What the service says where nothing is odd. @param {Plan} plan */
export function contentOf(plan) {
  const texts = textsOf(plan);
  const { whole } = families[plan.service];
  return plan.stream ? eventsOf(plan.service, plan.mark, texts) : JSON.stringify(whole(plan.mark, texts.join("")));
}

export const typeOf = (/** @type {Plan} */ { stream }) => (stream ? "text/event-stream" : "application/json");

/** @param {number} status @param {readonly string[]} lines */
export const head = (status, lines) => `HTTP/1.1 ${status} Odd\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;

/** A whole answer. @param {Plan} plan @param {string | Buffer} [body] @param {readonly string[]} [more] @param {number} [status] */
export function answerOf(plan, body = contentOf(plan), more = [`content-type: ${typeOf(plan)}`], status = 200) {
  return Buffer.concat([
    Buffer.from(head(status, [`content-length: ${Buffer.byteLength(body)}`, ...more]), "latin1"),
    Buffer.from(body),
  ]);
}

/** @param {Buffer} bytes */
export const chunk = (bytes) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

/** An answer in chunks that are cut anywhere, also within characters. @param {Socket} socket @param {Plan} plan @param {Buffer} [bytes] @param {readonly string[]} [more] */
export async function writeChunks(
  socket,
  plan,
  bytes = Buffer.from(contentOf(plan)),
  more = [`content-type: ${typeOf(plan)}`],
) {
  socket.write(head(200, ["transfer-encoding: chunked", ...more]));
  const size = 1 + ((plan.number * 31) % 400);
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(chunk(bytes.subarray(at, at + size)));
    if (at % 3 === 0) await sleep(0);
  }
  socket.write("0\r\n\r\n");
}

/** @param {(plan: Plan) => string | Buffer} make @param {Expected | { stream: Expected, whole: Expected }} expected @param {"end" | "reset"} [then] @returns {ServiceTrick} */
export const writes = (make, expected, then) => ({
  expected,
  answer: (socket, plan) => {
    const bytes = make(plan);
    if (then === "end") socket.end(bytes);
    else if (then === "reset") socket.write(bytes, () => socket.resetAndDestroy());
    else socket.write(bytes);
  },
});

/** Another body under a good head. @param {(content: string, plan: Plan) => string | Buffer} make @param {Expected | { stream: Expected, whole: Expected }} expected @param {readonly string[]} [more] @returns {ServiceTrick} */
export const says = (make, expected, more) =>
  writes(
    (plan) => answerOf(plan, make(contentOf(plan), plan), [`content-type: ${typeOf(plan)}`, ...(more ?? [])]),
    expected,
  );

/** An error that tells what nobody may read. @param {number} status @param {(plan: Plan) => string} make @param {readonly string[]} [more] @returns {ServiceTrick} */
export const refuses = (status, make, more = []) =>
  writes((plan) => answerOf(plan, make(plan), ["content-type: application/json", ...more], status), "failed");

export const told = `wrong key ${secrets.join(" and ")}`;
export const tellingError = (/** @type {Plan} */ { service }) => JSON.stringify(families[service].error(told));
export const injected = [
  "set-cookie: a=b",
  "x-evil: 1",
  "access-control-allow-origin: *",
  "rolecall-losses: fake",
  "location: http://evil.test/",
];

/** The first part of an answer, then nothing for longer than the gateway waits. @param {(content: string) => string} part @returns {ServiceTrick} */
export const stalls = (part) => ({
  expected: "failed",
  answer: (socket, plan) => {
    const content = part(contentOf(plan));
    socket.write(head(200, [`content-type: ${typeOf(plan)}`, "content-length: 100000"]) + content);
  },
});

export const half = (/** @type {string} */ content) => content.slice(0, content.length >> 1);
export const bombs = {
  gzip: gzipSync(Buffer.alloc(32 << 20, "x")),
  br: brotliCompressSync(Buffer.alloc(32 << 20, "x")),
};

/** Cut within the text, in the middle of a character where there is one. @param {Plan} plan */
export function cutBytes(plan) {
  const bytes = Buffer.from(contentOf(plan));
  const at = bytes.indexOf(Buffer.from("é"));
  return bytes.subarray(0, at > 0 ? at + 1 : bytes.length >> 1);
}
