// How services answer: as they should, oddly, or with intent.
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { eventsOf, families } from "../traffic/protocols.mjs";
import { limits, secrets, textsOf } from "./exchange.mjs";

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

const typeOf = (/** @type {Plan} */ { stream }) => (stream ? "text/event-stream" : "application/json");

/** @param {number} status @param {readonly string[]} lines */
const head = (status, lines) => `HTTP/1.1 ${status} Odd\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;

/** A whole answer. @param {Plan} plan @param {string | Buffer} [body] @param {readonly string[]} [more] @param {number} [status] */
function answerOf(plan, body = contentOf(plan), more = [`content-type: ${typeOf(plan)}`], status = 200) {
  return Buffer.concat([
    Buffer.from(head(status, [`content-length: ${Buffer.byteLength(body)}`, ...more]), "latin1"),
    Buffer.from(body),
  ]);
}

/** @param {Buffer} bytes */
const chunk = (bytes) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

/** An answer in chunks that are cut anywhere, also within characters. @param {Socket} socket @param {Plan} plan @param {Buffer} [bytes] @param {readonly string[]} [more] */
async function writeChunks(
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
const writes = (make, expected, then) => ({
  expected,
  answer: (socket, plan) => {
    const bytes = make(plan);
    if (then === "end") socket.end(bytes);
    else if (then === "reset") socket.write(bytes, () => socket.resetAndDestroy());
    else socket.write(bytes);
  },
});

/** Another body under a good head. @param {(content: string, plan: Plan) => string | Buffer} make @param {Expected | { stream: Expected, whole: Expected }} expected @param {readonly string[]} [more] @returns {ServiceTrick} */
const says = (make, expected, more) =>
  writes(
    (plan) => answerOf(plan, make(contentOf(plan), plan), [`content-type: ${typeOf(plan)}`, ...(more ?? [])]),
    expected,
  );

/** An error that tells what nobody may read. @param {number} status @param {(plan: Plan) => string} make @param {readonly string[]} [more] @returns {ServiceTrick} */
const refuses = (status, make, more = []) =>
  writes((plan) => answerOf(plan, make(plan), ["content-type: application/json", ...more], status), "failed");

const told = `wrong key ${secrets.join(" and ")}`;
const tellingError = (/** @type {Plan} */ { service }) => JSON.stringify(families[service].error(told));
const injected = [
  "set-cookie: a=b",
  "x-evil: 1",
  "access-control-allow-origin: *",
  "rolecall-losses: fake",
  "location: http://evil.test/",
];

/** The first part of an answer, then nothing for longer than the gateway waits. @param {(content: string) => string} part @returns {ServiceTrick} */
const stalls = (part) => ({
  expected: "failed",
  answer: (socket, plan) => {
    const content = part(contentOf(plan));
    socket.write(head(200, [`content-type: ${typeOf(plan)}`, "content-length: 100000"]) + content);
  },
});

const half = (/** @type {string} */ content) => content.slice(0, content.length >> 1);
const bombs = { gzip: gzipSync(Buffer.alloc(32 << 20, "x")), br: brotliCompressSync(Buffer.alloc(32 << 20, "x")) };

/** Cut within the text, in the middle of a character where there is one. @param {Plan} plan */
function cutBytes(plan) {
  const bytes = Buffer.from(contentOf(plan));
  const at = bytes.indexOf(Buffer.from("é"));
  return bytes.subarray(0, at > 0 ? at + 1 : bytes.length >> 1);
}

/** @type {{ readonly [name: string]: ServiceTrick }} */
export const serviceTricks = {
  plain: writes((plan) => answerOf(plan), "exact"),
  "in chunks": { expected: "exact", answer: (socket, plan) => writeChunks(socket, plan) },
  "byte by byte": {
    expected: "exact",
    answer: async (socket, plan) => {
      const bytes = answerOf(plan);
      const size = Math.ceil(bytes.length / 60);
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.subarray(at, at + size));
        await sleep(1);
      }
    },
  },
  "until the end of the connection": writes(
    (plan) => head(200, [`content-type: ${typeOf(plan)}`, "connection: close"]) + contentOf(plan),
    "exact",
    "end",
  ),
  "HTTP/1.0": writes(
    (plan) => `HTTP/1.0 200 OK\r\ncontent-type: ${typeOf(plan)}\r\n\r\n${contentOf(plan)}`,
    "exact",
    "end",
  ),
  "closed behind the answer": writes((plan) => answerOf(plan), "exact", "end"),
  "reset behind the answer": {
    expected: "exact",
    answer: (socket, plan) => {
      socket.write(answerOf(plan));
      setTimeout(() => socket.resetAndDestroy(), plan.number % 3);
    },
  },
  "garbage behind the answer": writes(
    (plan) => Buffer.concat([answerOf(plan), Buffer.from("GARBAGE\r\n\r\n")]),
    "exact",
  ),
  "two answers": writes((plan) => Buffer.concat([answerOf(plan), answerOf({ ...plan, mark: "fz0z" })]), "exact", "end"),
  "no type": writes((plan) => answerOf(plan, contentOf(plan), []), "exact"),
  "the type of a page": writes(
    (plan) => answerOf(plan, contentOf(plan), ["content-type: text/html; charset=latin1"]),
    "exact",
  ),
  "the type of the other form": writes(
    (plan) => answerOf(plan, contentOf(plan), [`content-type: ${typeOf({ ...plan, stream: !plan.stream })}`]),
    "exact",
  ),
  "a type of garbage": writes(
    (plan) => answerOf(plan, contentOf(plan), ["content-type: \xff;;;=,", "content-type: b"]),
    "exact",
  ),
  "headers for nobody": writes(
    (plan) => answerOf(plan, contentOf(plan), [`content-type: ${typeOf(plan)}`, ...injected]),
    "exact",
  ),
  "keys in headers": writes(
    (plan) =>
      answerOf(plan, contentOf(plan), [
        `content-type: ${typeOf(plan)}`,
        `x-request-id: ${secrets[0]}`,
        `retry-after: ${secrets[1]}`,
        `x-ratelimit-limit-requests: ${secrets[0]}`,
      ]),
    "exact",
  ),
  "hints before it": writes(
    (plan) => Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(3)), answerOf(plan)]),
    "exact",
  ),
  "a storm of hints": writes(
    (plan) => Buffer.concat([Buffer.from("HTTP/1.1 102 Processing\r\n\r\n".repeat(500)), answerOf(plan)]),
    "exact",
  ),
  "100 without a question": writes(
    (plan) => Buffer.concat([Buffer.from("HTTP/1.1 100 Continue\r\n\r\n"), answerOf(plan)]),
    "any",
  ),
  "101 without a question": writes(
    () => "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nGARBAGE",
    "failed",
  ),
  "in gzip": says((content) => gzipSync(content), "exact", ["content-encoding: gzip"]),
  "in x-gzip": says((content) => gzipSync(content), "any", ["content-encoding: x-gzip"]),
  "in deflate": says((content) => deflateSync(content), "exact", ["content-encoding: deflate"]),
  "in br": says((content) => brotliCompressSync(content), "exact", ["content-encoding: br"]),
  "in gzip, in chunks": {
    expected: "exact",
    answer: (socket, plan) =>
      writeChunks(socket, plan, gzipSync(contentOf(plan)), [`content-type: ${typeOf(plan)}`, "content-encoding: gzip"]),
  },
  "in zstd": says((content) => content, "any", ["content-encoding: zstd"]),
  "in gzip twice": says((content) => gzipSync(gzipSync(content)), "any", ["content-encoding: gzip, gzip"]),
  "in gzip that is none": says((content) => content, "failed", ["content-encoding: gzip"]),
  "in gzip, unsaid": says((content) => gzipSync(content), "failed"),
  "a gzip cut": says((content) => gzipSync(content).subarray(0, 40), "failed", ["content-encoding: gzip"]),
  "a bomb": says(() => bombs.gzip, "failed", ["content-encoding: gzip"]),
  "a bomb of br": says(() => bombs.br, "failed", ["content-encoding: br"]),
  "a bomb as an error": writes((plan) => answerOf(plan, bombs.gzip, ["content-encoding: gzip"], 500), "failed"),
  "no status line": writes((plan) => contentOf(plan), "failed", "end"),
  "a status line of another protocol": writes(() => "SSH-2.0-OpenSSH_9.6\r\n", "failed", "end"),
  "a status of no number": writes((plan) => answerOf(plan).toString("latin1").replace("200", "abc"), "failed", "end"),
  "a status of 999": writes((plan) => answerOf(plan, undefined, undefined, 999), "failed"),
  "a status of 1000": writes((plan) => answerOf(plan, undefined, undefined, 1000), "failed", "end"),
  "HTTP/2.0": writes((plan) => answerOf(plan).toString("latin1").replace("HTTP/1.1", "HTTP/2.0"), "any", "end"),
  "a header of no name": writes((plan) => answerOf(plan, undefined, [": x"]), "failed", "end"),
  "a bare CR in a header": writes(
    (plan) => answerOf(plan, undefined, ["x-request-id: a\rset-cookie: a=b"]),
    "failed",
    "end",
  ),
  "a null in a header": writes((plan) => answerOf(plan, undefined, ["x-request-id: a\0b"]), "failed", "end"),
  "a folded header": writes((plan) => answerOf(plan, undefined, ["x-request-id: a\r\n set-cookie: a=b"]), "any", "end"),
  "a large head": writes((plan) => answerOf(plan, undefined, [`x-large: ${"x".repeat(100_000)}`]), "failed", "end"),
  "many headers": writes(
    (plan) =>
      answerOf(
        plan,
        undefined,
        Array.from({ length: 500 }, (_, at) => `x${at}: y`),
      ),
    "any",
  ),
  "a length and chunks": writes((plan) => answerOf(plan, undefined, ["transfer-encoding: chunked"]), "any", "end"),
  "two lengths": writes((plan) => answerOf(plan, undefined, ["content-length: 5"]), "failed", "end"),
  "a length of words": writes(
    (plan) =>
      answerOf(plan)
        .toString("latin1")
        .replace(/content-length: \d+/, "content-length: x"),
    "failed",
    "end",
  ),
  "a length that is too short": writes(
    (plan) =>
      answerOf(plan)
        .toString("latin1")
        .replace(/content-length: \d+/, "content-length: 30"),
    "failed",
  ),
  "a length that is too long": writes(
    (plan) =>
      answerOf(plan)
        .toString("latin1")
        .replace(/content-length: \d+/, "content-length: 99999"),
    { stream: "any", whole: "failed" },
    "end",
  ),
  "a chunk of no size": writes(
    (plan) =>
      `${head(200, ["transfer-encoding: chunked", `content-type: ${typeOf(plan)}`])}zz\r\n${contentOf(plan)}\r\n0\r\n\r\n`,
    "failed",
    "end",
  ),
  "a length that is too long, closed as said": writes(
    (plan) =>
      answerOf(plan, contentOf(plan), [`content-type: ${typeOf(plan)}`, "connection: close"])
        .toString("latin1")
        .replace(/content-length: \d+/, "content-length: 99999"),
    { stream: "any", whole: "failed" },
    "end",
  ),
  "chunks without an end, closed as said": writes(
    (plan) =>
      Buffer.concat([
        Buffer.from(head(200, ["transfer-encoding: chunked", "connection: close", `content-type: ${typeOf(plan)}`])),
        chunk(Buffer.from(contentOf(plan))),
      ]),
    { stream: "any", whole: "failed" },
    "end",
  ),
  "cut behind a brace, closed as said": writes(
    (plan) =>
      Buffer.concat([
        Buffer.from(head(200, ["transfer-encoding: chunked", "connection: close", `content-type: ${typeOf(plan)}`])),
        chunk(Buffer.from(contentOf(plan).replace(/\}[^}]*$/, ""))),
      ]),
    { stream: "any", whole: "failed" },
    "end",
  ),
  "cut behind a brace": writes(
    (plan) =>
      `${head(200, [`content-type: ${typeOf(plan)}`, "connection: close"])}${contentOf(plan).replace(/\}[^}]*$/, "")}`,
    { stream: "any", whole: "failed" },
    "end",
  ),
  "chunks without an end": writes(
    (plan) =>
      Buffer.concat([
        Buffer.from(head(200, ["transfer-encoding: chunked", `content-type: ${typeOf(plan)}`])),
        chunk(Buffer.from(contentOf(plan))),
      ]),
    { stream: "any", whole: "failed" },
    "end",
  ),
  "a chunk that is cut": writes(
    (plan) =>
      `${head(200, ["transfer-encoding: chunked", `content-type: ${typeOf(plan)}`])}fffff\r\n${half(contentOf(plan))}`,
    "failed",
    "end",
  ),
  "no answer": { expected: "failed", answer: (socket) => void socket.end() },
  "a reset": { expected: "failed", answer: (socket) => void socket.resetAndDestroy() },
  "closed in the status line": writes(() => "HTTP/1.1 2", "failed", "end"),
  "closed in the head": writes(() => "HTTP/1.1 200 OK\r\ncontent-ty", "failed", "end"),
  "closed behind the head": writes(() => head(200, ["content-length: 100"]), "failed", "end"),
  "reset in the body": writes((plan) => answerOf(plan).subarray(0, 200), "failed", "reset"),
  "closed before the last byte": writes(
    (plan) => answerOf(plan).subarray(0, -1),
    { stream: "any", whole: "failed" },
    "end",
  ),
  "cut in a character": {
    expected: "failed",
    answer: async (socket, plan) => {
      socket.write(head(200, ["transfer-encoding: chunked", `content-type: ${typeOf(plan)}`]));
      socket.write(chunk(cutBytes(plan)));
      await sleep(1);
      socket.end(plan.number % 2 === 0 ? "0\r\n\r\n" : undefined);
    },
  },
  "a stall before the answer": { expected: "failed", answer: () => undefined },
  "a stall in the head": writes(() => "HTTP/1.1 200 OK\r\ncontent-", "failed"),
  "a stall behind the head": stalls(() => ""),
  "a stall in the body": stalls(half),
  "comments for ever": {
    expected: { stream: "failed", whole: "failed" },
    answer: async (socket, plan) => {
      socket.write(head(200, ["transfer-encoding: chunked", "content-type: text/event-stream"]));
      if (plan.stream) socket.write(chunk(Buffer.from(half(contentOf(plan)).replace(/[^\n]*$/, "\n\n"))));
      for (let count = 0; count < 40 && !socket.destroyed; count++) {
        socket.write(chunk(Buffer.from(": ping\n\n")));
        await sleep(50);
      }
      socket.end();
    },
  },
  "a line without an end": {
    expected: "failed",
    answer: async (socket, plan) => {
      socket.write(head(200, ["transfer-encoding: chunked", `content-type: ${typeOf(plan)}`]));
      const piece = chunk(Buffer.from(`${plan.stream ? "" : '{"x":"'}${"data: x".repeat(10_000)}`));
      for (let count = 0; count * 70_000 < limits.answer * 2 && !socket.destroyed; count++) {
        socket.write(piece);
        await sleep(0);
      }
      socket.end();
    },
  },
  "events without an end mark": says((content, plan) => (plan.stream ? half(content) : content), {
    stream: "failed",
    whole: "exact",
  }),
  "a redirect": writes(
    (plan) => answerOf(plan, "", ["location: http://evil.test/?key=sk-proj-9f8e7d6c5b4a39281706"], 302),
    "failed",
  ),
  "a redirect with a body": writes((plan) => answerOf(plan, undefined, ["location: /v1/other"], 307), "failed"),
  "204 with a body": writes((plan) => answerOf(plan, undefined, undefined, 204), "failed", "end"),
  "304 with a body": writes((plan) => answerOf(plan, undefined, undefined, 304), "failed", "end"),
  205: writes((plan) => answerOf(plan, undefined, undefined, 205), "any"),
  201: writes((plan) => answerOf(plan, undefined, undefined, 201), "any"),
  empty: says(() => "", "failed"),
  "white space": says(() => " \n".repeat(50), "failed"),
  null: says(() => "null", "failed"),
  "a number": says(() => "42", "failed"),
  "an empty object": says(() => "{}", "any"),
  "a page": writes((plan) => answerOf(plan, `<html>${told}</html>`, ["content-type: text/html"]), "failed"),
  "an error as a page": writes(
    (plan) => answerOf(plan, `<html>${told}</html>`, ["content-type: text/html"], 502),
    "failed",
  ),
  "an error of the protocol": refuses(500, tellingError),
  "an error of another protocol": refuses(400, (plan) =>
    JSON.stringify(
      families[plan.service === "anthropic-messages" ? "gemini-generate-content" : "anthropic-messages"].error(told),
    ),
  ),
  "an error of nobody": refuses(403, () => JSON.stringify({ detail: [{ msg: told }], [secrets[0]]: 1 })),
  "an error as a text": refuses(429, () => told, [`retry-after: ${secrets[0]}`]),
  "an error of deep JSON": refuses(500, () => `${'{"error":'.repeat(20_000)}1`),
  "an error without a body": refuses(401, () => ""),
  "an error under 200": writes(
    (plan) => answerOf(plan, tellingError(plan), ["content-type: application/json"]),
    "failed",
  ),
  "an error in the stream": {
    expected: "failed",
    answer: (socket, plan) => {
      const { start, delta, failure } = families[plan.service];
      const events = start(plan.mark) + delta(plan.mark, 0, `[${plan.mark}:0]`) + failure.replace("overloaded", told);
      socket.write(answerOf(plan, events, ["content-type: text/event-stream"]));
    },
  },
  "a large answer": says((content) => `${content.slice(0, -1)}${" ".repeat(limits.answer)}${content.slice(-1)}`, {
    stream: "any",
    whole: "failed",
  }),
  "before the request is read": {
    early: true,
    expected: "any",
    answer: (socket, plan) => void socket.end(answerOf(plan)),
  },
  "an error before the request is read": {
    early: true,
    expected: "failed",
    answer: (socket, plan) =>
      void socket.end(answerOf(plan, tellingError(plan), ["content-type: application/json"], 413)),
  },
};
