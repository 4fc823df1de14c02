// Requests of which the bodies and the heads are odd, too large, or something else than they say.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { bodyOf, headOf, lengthOf, limits, requestOf } from "./exchange.mjs";

/** @typedef {import("./client-tricks.mjs").Trick} Trick */
/** @typedef {import("./exchange.mjs").Plan} Plan */

const bomb = gzipSync(Buffer.alloc(64 << 20), { level: 9 });

/** A body in place of the plain one. @param {(body: string, plan: Plan) => string | Buffer} make @param {readonly string[]} [more] @returns {Trick} */
const sends = (make, more = []) => ({
  expected: "refused",
  send: (connection, plan, host) => connection.write(requestOf(plan, host, make(bodyOf(plan), plan), more)),
});

/** The same where it is a matter of the protocol what comes of it. @param {Trick} trick @returns {Trick} */
const any = (trick) => ({ ...trick, expected: "any" });
/** The same where the wrong may stand behind all that the gateway reads. @param {Trick} trick @returns {Trick} */
const unread = (trick) => ({ ...trick, expected: "unread" });
/** The same where it is all right. @param {Trick} trick @returns {Trick} */
const exact = (trick) => ({ ...trick, expected: "exact", isPlain: true });

/** @type {{ readonly [name: string]: Trick }} */
export const bodyTricks = {
  "a mark of its encoding": any(sends((body) => `\ufeff${body}`)),
  "white space around it": exact(sends((body) => ` \r\n\t${body}\n\n`)),
  "a large body": exact(sends((body) => body + " ".repeat(200_000))),
  "no body": sends(() => ""),
  "no JSON": sends(() => "<html>"),
  "half of the JSON": unread(sends((body) => body.slice(0, body.length >> 1))),
  "two values": unread(sends((body) => body + body)),
  "a list": sends((body) => `[${body}]`),
  "invalid UTF-8": any(sends((body) => Buffer.from(body.replace("ask ", "ask \xff\xfe\xc3"), "latin1"))),
  "a surrogate alone": any(sends((body) => body.replace("ask ", "ask \\ud800"))),
  "a null in a text": any(sends((body) => body.replace("ask ", "ask \\u0000"))),
  "deep JSON": any(sends((body) => `${body.slice(0, -1)},"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)),
  "deep JSON without an end": unread(sends((body) => `${body.slice(0, -1)},"x":${'{"a":'.repeat(40_000)}`)),
  "many keys": any(
    sends((body) => `${body.slice(0, -1)},${Array.from({ length: 5000 }, (_, at) => `"x${at}":${at}`).join(",")}}`),
  ),
  "keys of JavaScript": any(sends((body) => `${body.slice(0, -1)},"__proto__":{"x":1},"constructor":{"prototype":1}}`)),
  "a long number": any(sends((body) => `${body.slice(0, -1)},"seed":${"9".repeat(4000)}}`)),
  "UTF-16": unread(sends((body) => Buffer.from(body, "utf16le"))),
  "a gzip body": sends((body) => gzipSync(body), ["content-encoding: gzip"]),
  "a deflate body": sends((body) => deflateSync(body), ["content-encoding: deflate"]),
  "a br body": sends((body) => brotliCompressSync(body), ["content-encoding: br"]),
  "a zstd body": sends((body) => body, ["content-encoding: zstd"]),
  "a bomb": sends(() => bomb, ["content-encoding: gzip"]),
  "a bomb in a bomb": sends(() => gzipSync(bomb), ["content-encoding: gzip, gzip"]),
  "a cut gzip body": sends((body) => gzipSync(body).subarray(0, 30), ["content-encoding: gzip"]),
  "a body that is no gzip": sends((body) => body, ["content-encoding: gzip"]),
  "a gzip body that says nothing": sends((body) => gzipSync(body)),
  "a coding of many": sends((body) => body, [`content-encoding: ${Array(200).fill("identity").join(",")}`]),
  "the coding identity": exact(sends((body) => body, ["content-encoding: identity"])),
  "another type": {
    expected: "refused",
    send: (connection, plan, host) =>
      connection.write(requestOf(plan, host).toString("latin1").replace("application/json", "text/plain")),
  },
  "a body beyond the limit": {
    expected: "refused",
    send: (connection, plan, host) => connection.write(requestOf(plan, host, Buffer.alloc(limits.body * 2, 0x20))),
  },
  "chunks beyond the limit": {
    expected: "refused",
    send: async (connection, plan, host) => {
      await connection.write(headOf(plan, host, ["transfer-encoding: chunked"]));
      for (let count = 0; count < 12; count++) await connection.write(`8000\r\n${" ".repeat(0x8000)}\r\n`);
    },
  },
  "a length beyond the limit, and no body": {
    expected: "refused",
    send: (connection, plan, host) => connection.write(headOf(plan, host, ["content-length: 99999999"])),
  },
  "a large head": {
    expected: "refused",
    send: (connection, plan, host) =>
      connection.write(requestOf(plan, host, bodyOf(plan), [`x-large: ${"x".repeat(limits.headers + 1000)}`])),
  },
  "a head of many lines": {
    expected: "any",
    send: (connection, plan, host) =>
      connection.write(
        requestOf(
          plan,
          host,
          bodyOf(plan),
          Array.from({ length: 1500 }, (_, at) => `x${at}: y`),
        ),
      ),
  },
  "a head of too many lines": {
    expected: "refused",
    send: (connection, plan, host) =>
      connection.write(
        requestOf(
          plan,
          host,
          bodyOf(plan),
          Array.from({ length: 6000 }, (_, at) => `x${at}: y`),
        ),
      ),
  },
  "a long target": {
    expected: "refused",
    send: (connection, plan, host) =>
      connection.write(
        headOf(plan, host, [lengthOf(bodyOf(plan))], { target: `/v1/${"x".repeat(limits.headers + 1000)}` }) +
          bodyOf(plan),
      ),
  },
};
