// Requests that say twice, oddly or not at all where they end, with a further request in what one reading takes for a body.
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, headOf, lengthOf, requestOf, smuggledMark } from "./exchange.mjs";

/** @typedef {import("./client-tricks.mjs").Trick} Trick */
/** @typedef {import("./exchange.mjs").Plan} Plan */

/** A whole request that no service may get. @param {Plan} plan @param {string} host */
const smuggled = (plan, host) => requestOf({ ...plan, mark: smuggledMark(plan) }, host).toString();

/** @param {string} text */
const chunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/**
 * Headers that contradict each other; the body is an empty chunked one with a request behind it, and as a whole as long as LENGTH says.
 * @param {...string} lines @returns {Trick}
 */
const contradicts = (...lines) => ({
  expected: "refused",
  methods: ["POST", "POST"],
  most: 1,
  send: (connection, plan, host) => {
    const body = `0\r\n\r\n${smuggled(plan, host)}`;
    const length = String(Buffer.byteLength(body));
    return connection.write(
      headOf(
        plan,
        host,
        lines.map((line) => line.replace("LENGTH", length)),
      ) + body,
    );
  },
});

/** A length that is none. @param {string} length @returns {Trick} */
const lengths = (length) => ({
  expected: "refused",
  methods: ["POST", "POST"],
  most: 1,
  send: (connection, plan, host) =>
    connection.write(headOf(plan, host, [`content-length: ${length}`]) + smuggled(plan, host)),
});

/** A chunked body. @param {(body: string) => string} make @param {readonly string[]} [more] @returns {Trick} */
const chunks = (make, more = []) => ({
  expected: "exact",
  isPlain: true,
  send: (connection, plan, host) =>
    connection.write(headOf(plan, host, ["transfer-encoding: chunked", ...more]) + make(bodyOf(plan))),
});

/** The same where it is none, with a request behind it. @param {(body: string) => string} make @returns {Trick} */
const badChunks = (make) => ({
  expected: "refused",
  methods: ["POST", "POST"],
  most: 1,
  send: (connection, plan, host) =>
    connection.write(headOf(plan, host, ["transfer-encoding: chunked"]) + make(bodyOf(plan)) + smuggled(plan, host)),
});

/** A request that is changed as a text. @param {(text: string) => string} change @param {import("./exchange.mjs").Expected} [expected] @returns {Trick} */
const changes = (change, expected = "refused") => ({
  expected,
  most: 1,
  send: (connection, plan, host) =>
    connection.write(Buffer.from(change(requestOf(plan, host).toString("latin1")), "latin1")),
});

/** Bytes that are no request of HTTP/1.1. @param {string} bytes @returns {Trick} */
const isNone = (bytes) => ({
  expected: "refused",
  send: (connection) => connection.write(Buffer.from(bytes, "latin1")),
});

/** @type {{ readonly [name: string]: Trick }} */
export const framingTricks = {
  "a length and chunks": contradicts("content-length: LENGTH", "transfer-encoding: chunked"),
  "chunks and a length": contradicts("transfer-encoding: chunked", "content-length: LENGTH"),
  "chunks and a short length": contradicts("transfer-encoding: chunked", "content-length: 5"),
  "two lengths": contradicts("content-length: LENGTH", "content-length: 5"),
  "the same length twice": contradicts("content-length: 5", "content-length: 5"),
  "a list of lengths": contradicts("content-length: 5, 5"),
  "an unknown coding": contradicts("transfer-encoding: xchunked", "content-length: LENGTH"),
  "an unknown coding alone": contradicts("transfer-encoding: xchunked"),
  "chunked, then identity": contradicts("transfer-encoding: chunked, identity"),
  "two codings": contradicts("transfer-encoding: chunked", "transfer-encoding: identity"),
  "identity with a length": contradicts("transfer-encoding: identity", "content-length: LENGTH"),
  "a vertical tab before chunked": contradicts("transfer-encoding: \x0bchunked", "content-length: LENGTH"),
  "quoted chunked": contradicts('transfer-encoding: "chunked"', "content-length: LENGTH"),
  "a space before the colon": contradicts("transfer-encoding : chunked", "content-length: LENGTH"),
  "a tab before the colon": contradicts("transfer-encoding\t: chunked", "content-length: LENGTH"),
  "a folded coding": contradicts("transfer-encoding:\r\n chunked", "content-length: LENGTH"),
  "a folded header": contradicts("x-folded: a\r\n transfer-encoding: chunked", "content-length: LENGTH\r\n 5"),
  "a bare LF in a header": contradicts("x: y\ntransfer-encoding: chunked", "content-length: LENGTH"),
  "a bare CR in a header": contradicts("x: y\rtransfer-encoding: chunked", "content-length: LENGTH"),
  "a null in a header": contradicts("x: y\0", "transfer-encoding: chunked", "content-length: LENGTH"),
  "a null in a name": contradicts("transfer\0-encoding: chunked", "content-length: LENGTH"),
  "a header without a colon": contradicts("transfer-encoding chunked", "content-length: LENGTH"),
  "a header without a name": contradicts(": chunked", "content-length: LENGTH"),
  "a length with a sign": lengths("+5"),
  "a negative length": lengths("-5"),
  "a hexadecimal length": lengths("0x5"),
  "a length of many digits": lengths("99999999999999999999999"),
  "a length with a fraction": lengths("5.0"),
  "an empty length": lengths(""),
  "a length of words": lengths("five"),
  "a chunked body": chunks((body) => `${chunk(body.slice(0, 20))}${chunk(body.slice(20))}0\r\n\r\n`),
  "a chunk for each character": chunks((body) => `${[...body].map(chunk).join("")}0\r\n\r\n`),
  "extensions of chunks": chunks((body) => `${chunk(body).replace("\r\n", ';name=value;x="y;z"\r\n')}0;last\r\n\r\n`),
  trailers: chunks((body) => `${chunk(body)}0\r\nx-trailer: 1\r\n\r\n`),
  "trailers that are none": chunks(
    (body) => `${chunk(body)}0\r\nauthorization: Bearer evil\r\nhost: evil.test\r\n\r\n`,
    ["trailer: host"],
  ),
  CHUNKED: {
    ...chunks((body) => `${chunk(body)}0\r\n\r\n`, []),
    send: (connection, plan, host) =>
      connection.write(`${headOf(plan, host, ["Transfer-Encoding: CHUNKED"])}${chunk(bodyOf(plan))}0\r\n\r\n`),
  },
  "a chunk of no size": badChunks((body) => `zz\r\n${body}\r\n0\r\n\r\n`),
  "a chunk of negative size": badChunks((body) => `-1\r\n${body}\r\n0\r\n\r\n`),
  "a chunk of a huge size": badChunks((body) => `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
  "a chunk with 0x": badChunks((body) => `0x${chunk(body)}0\r\n\r\n`),
  "a chunk without an end": badChunks((body) => `${Buffer.byteLength(body).toString(16)}\r\n${body}0\r\n\r\n`),
  "a chunk that is longer": badChunks(
    (body) => `${(Buffer.byteLength(body) - 4).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ),
  "an extension with a line end": badChunks((body) => chunk(body).replace("\r\n", ";x\n\r\n")),
  "a chunk with a bare LF": badChunks((body) => `${Buffer.byteLength(body).toString(16)}\n${body}\n0\n\n`),
  "a long extension": badChunks((body) => chunk(body).replace("\r\n", `;${"x".repeat(40_000)}\r\n`)),
  "a body that is longer than its length": {
    expected: "exact",
    isPlain: true,
    methods: ["POST", "POST"],
    most: 2,
    send: (connection, plan, host) =>
      connection.write(Buffer.concat([requestOf(plan, host), Buffer.from('"more": 1}')])),
  },
  "a body that is shorter than its length": {
    expected: "any",
    gone: true,
    send: async (connection, plan, host) => {
      await connection.write(requestOf(plan, host, bodyOf(plan), []).subarray(0, -3));
      await sleep(10);
      connection.end();
    },
  },
  "chunks without an end": {
    expected: "any",
    gone: true,
    send: async (connection, plan, host) => {
      await connection.write(headOf(plan, host, ["transfer-encoding: chunked"]) + chunk(bodyOf(plan)));
      await sleep(10);
      connection.end();
    },
  },
  "lines with LF alone": changes((text) => text.replaceAll("\r\n", "\n"), "any"),
  "lines with CR alone": { ...changes((text) => text.replaceAll("\r\n", "\r")), gone: true, expected: "any" },
  "HTTP/1.0": {
    expected: "exact",
    isPlain: true,
    send: (connection, plan, host) =>
      connection.write(headOf(plan, host, [lengthOf(bodyOf(plan))], { version: "HTTP/1.0" }) + bodyOf(plan)),
  },
  "HTTP/1.0 with chunks": {
    expected: "any",
    most: 1,
    send: (connection, plan, host) =>
      connection.write(
        `${headOf(plan, host, ["transfer-encoding: chunked"], { version: "HTTP/1.0" })}${chunk(bodyOf(plan))}0\r\n\r\n`,
      ),
  },
  "HTTP/1.2": changes((text) => text.replace("HTTP/1.1", "HTTP/1.2")),
  "HTTP/9.9": changes((text) => text.replace("HTTP/1.1", "HTTP/9.9")),
  "HTTP/2.0": changes((text) => text.replace("HTTP/1.1", "HTTP/2.0"), "any"),
  "a version in small letters": changes((text) => text.replace("HTTP/1.1", "http/1.1")),
  "a method that is none": changes((text) => text.replace("POST", "POSTX")),
  "a method in small letters": changes((text) => text.replace("POST", "post")),
  "two spaces": changes((text) => text.replace("POST ", "POST  "), "any"),
  "a request of HTTP/2": isNone("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"),
  "a start of TLS": isNone("\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03".padEnd(200, "\x7f")),
  "an answer": isNone("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  bytes: isNone(Array.from({ length: 300 }, (_, at) => String.fromCharCode((at * 7919) & 255)).join("")),
};
