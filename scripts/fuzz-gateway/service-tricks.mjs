// How services answer: as they should, oddly, or with intent.
import { setTimeout as sleep } from "node:timers/promises";
import { contentTricks } from "./content-tricks.mjs";
import { limits, secrets } from "./exchange.mjs";
import {
  answerOf,
  chunk,
  contentOf,
  cutBytes,
  half,
  head,
  injected,
  stalls,
  tellingError,
  typeOf,
  writeChunks,
  writes,
} from "./service-answers.mjs";

/** @typedef {import("./service-answers.mjs").ServiceTrick} ServiceTrick */

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
  "two answers": writes(
    (plan) => Buffer.concat([answerOf(plan), answerOf({ ...plan, mark: "fz-0-z" })]),
    "exact",
    "end",
  ),
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
      socket.end(plan.number % 2 === 0 ? "0\r\n\r\n" : "");
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
  ...contentTricks,
};
