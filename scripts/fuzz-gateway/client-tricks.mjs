// How clients send a request: as they should, oddly, or with intent.
import { setTimeout as sleep } from "node:timers/promises";
import { families } from "../traffic/protocols.mjs";
import { bodyTricks } from "./body-tricks.mjs";
import { bodyOf, headOf, lengthOf, requestOf } from "./exchange.mjs";
import { framingTricks } from "./framing-tricks.mjs";

/** @typedef {import("./exchange.mjs").Plan} Plan */
/**
 * One connection to the gateway. What is written after it closed goes nowhere.
 * @typedef {object} Connection
 * @property {(bytes: string | Buffer) => Promise<void>} write
 * @property {() => void} end sends no more, and still reads
 * @property {() => void} destroy
 * @property {() => number} received how many bytes came
 */
/**
 * @typedef {object} Trick
 * @property {import("./exchange.mjs").Expected} expected
 * @property {string[]} [methods] of the requests that it sends; one POST unless stated
 * @property {number} [most] how many answers there may be, if not as many as requests
 * @property {boolean} [gone] the client is gone, or stops in the middle: no answer can be expected
 * @property {boolean} [isPlain] the request is read as it was meant
 * @property {(connection: Connection, plan: Plan, host: string) => Promise<void>} send
 */

/** In pieces, with a pause between them. @param {Connection} connection @param {Buffer} bytes @param {number} count */
async function writeSlowly(connection, bytes, count) {
  const size = Math.ceil(bytes.length / count);
  for (let start = 0; start < bytes.length; start += size) {
    await connection.write(bytes.subarray(start, start + size));
    await sleep(1);
  }
}

/** @param {(connection: Connection, plan: Plan, host: string) => Promise<void>} send @param {Partial<Trick>} [more] @returns {Trick} */
const exact = (send, more = {}) => ({ expected: "exact", isPlain: true, send, ...more });
/** @param {(connection: Connection, plan: Plan, host: string) => Promise<void>} send @returns {Trick} */
const leaves = (send) => ({ expected: "any", gone: true, send });

/** Other methods and targets: what no protocol has, and must not reach a service. @param {string} method @param {string} [target] @param {readonly string[]} [more] @returns {Trick} */
const asks = (method, target, more = []) => ({
  expected: "refused",
  methods: [method],
  send: async (connection, plan, host) => {
    const path = families[plan.client].path(plan.mark, plan.stream);
    const line = { method, target: (target ?? path).replace("PATH", path) };
    if (method !== "POST") await connection.write(headOf(plan, host, more, line));
    else await connection.write(headOf(plan, host, [lengthOf(bodyOf(plan)), ...more], line) + bodyOf(plan));
  },
});

const countPaths = {
  "openai-chat": "/v1/responses/input_tokens",
  "openai-responses": "/v1/responses/input_tokens",
  "anthropic-messages": "/v1/messages/count_tokens",
  "gemini-generate-content": "/v1beta/models/MODEL:countTokens",
};

/** @type {{ readonly [name: string]: Trick }} */
export const clientTricks = {
  plain: exact((connection, plan, host) => connection.write(requestOf(plan, host))),
  "a body in small pieces": exact((connection, plan, host) =>
    connection
      .write(headOf(plan, host, [lengthOf(bodyOf(plan))]))
      .then(() => writeSlowly(connection, Buffer.from(bodyOf(plan)), 40)),
  ),
  "a head in small pieces": exact((connection, plan, host) => writeSlowly(connection, requestOf(plan, host), 60)),
  "empty lines before it": exact((connection, plan, host) =>
    connection.write(Buffer.concat([Buffer.from("\r\n\r\n"), requestOf(plan, host)])),
  ),
  "expect: 100-continue": exact(async (connection, plan, host) => {
    await connection.write(headOf(plan, host, [lengthOf(bodyOf(plan)), "expect: 100-continue"]));
    for (let wait = 0; wait < 200 && connection.received() === 0; wait++) await sleep(2);
    await connection.write(bodyOf(plan));
  }),
  "another expectation": exact((connection, plan, host) =>
    connection.write(requestOf(plan, host, bodyOf(plan), ["expect: a miracle"])),
  ),
  "an absolute target": exact((connection, plan, host) => {
    const target = `http://${host}${families[plan.client].path(plan.mark, plan.stream)}`;
    return connection.write(headOf(plan, host, [lengthOf(bodyOf(plan))], { target }) + bodyOf(plan));
  }),
  "an absolute target elsewhere": asks("POST", "http://evil.test/v1/messages"),
  "an absolute target with a name and a password": asks("POST", "http://user:secret@evil.testPATH"),
  "an upgrade": exact((connection, plan, host) =>
    connection.write(requestOf(plan, host, bodyOf(plan), ["connection: upgrade", "upgrade: websocket"])),
  ),
  "an upgrade to HTTP/2": exact((connection, plan, host) =>
    connection.write(
      requestOf(plan, host, bodyOf(plan), [
        "connection: Upgrade, HTTP2-Settings",
        "upgrade: h2c",
        "http2-settings: AAMAAABkAAQAAP__",
      ]),
    ),
  ),
  "a WebSocket": asks("GET", "/v1/responses", [
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
  ]),
  HEAD: asks("HEAD"),
  GET: asks("GET", "/v1/chat/completions"),
  OPTIONS: asks("OPTIONS"),
  "OPTIONS *": asks("OPTIONS", "*"),
  TRACE: asks("TRACE"),
  PUT: asks("PUT"),
  CONNECT: asks("CONNECT", "127.0.0.1:22"),
  PROPFIND: asks("PROPFIND"),
  "two slashes": asks("POST", "/PATH"),
  "dots in the path": asks("POST", "/v1/../..PATH/../x"),
  "encoded dots": asks("POST", "/v1/%2e%2e/%2e%2e/messages"),
  "an encoded path": asks("POST", "/%76%31/messages"),
  "a path with a null": asks("POST", "/v1/messages%00"),
  "a path of garbage": asks("POST", "/%ff%fe/%/..%2f"),
  "a path that is none": asks("POST", "v1/messages"),
  "bytes in the path": asks("POST", "/v1/messagés"),
  "a list of models": {
    expected: "any",
    methods: ["GET"],
    send: (connection, plan, host) =>
      connection.write(
        headOf(plan, host, plan.client === "anthropic-messages" ? ["anthropic-version: 2023-06-01"] : [], {
          method: "GET",
          target: plan.client === "gemini-generate-content" ? "/v1beta/models" : "/v1/models",
        }),
      ),
  },
  "a count of tokens": {
    expected: "any",
    send: (connection, plan, host) => {
      const target = countPaths[plan.client].replace("MODEL", plan.mark);
      return connection.write(headOf(plan, host, [lengthOf(bodyOf(plan))], { target }) + bodyOf(plan));
    },
  },
  "no host": {
    expected: "refused",
    send: (connection, plan, host) =>
      connection.write(
        requestOf(plan, host)
          .toString("latin1")
          .replace(/host: [^\r]*\r\n/, ""),
      ),
  },
  "two hosts": {
    expected: "any",
    send: (connection, plan, host) => connection.write(requestOf(plan, host, bodyOf(plan), ["host: evil.test"])),
  },
  "another host": { expected: "refused", send: (connection, plan) => connection.write(requestOf(plan, "evil.test")) },
  "three on one connection": exact(
    (connection, plan, host) =>
      connection.write(Buffer.concat([requestOf(plan, host), requestOf(plan, host), requestOf(plan, host)])),
    { methods: ["POST", "POST", "POST"] },
  ),
  "garbage behind it": exact(
    (connection, plan, host) =>
      connection.write(Buffer.concat([requestOf(plan, host), Buffer.from("\0\x01GARBAGE / / /\r\n\r\n")])),
    { methods: ["POST", "POST"], most: 2 },
  ),
  "garbage a moment later": exact(
    async (connection, plan, host) => {
      await connection.write(requestOf(plan, host));
      await sleep(1);
      await connection.write("GARBAGE\r\n\r\n");
    },
    { methods: ["POST", "POST"], most: 2 },
  ),
  "gone in its head": leaves(async (connection, plan, host) => {
    await connection.write(headOf(plan, host).slice(0, 40));
    connection.destroy();
  }),
  "gone behind its head": leaves(async (connection, plan, host) => {
    await connection.write(headOf(plan, host, [lengthOf(bodyOf(plan))]));
    connection.destroy();
  }),
  "gone in its body": leaves(async (connection, plan, host) => {
    await connection.write(headOf(plan, host, [lengthOf(bodyOf(plan))]) + bodyOf(plan).slice(0, 30));
    await sleep(2);
    connection.destroy();
  }),
  "gone before the answer": leaves(async (connection, plan, host) => {
    await connection.write(requestOf(plan, host));
    await sleep(plan.number % 4);
    connection.destroy();
  }),
  "gone in the answer": leaves(async (connection, plan, host) => {
    await connection.write(requestOf(plan, host));
    for (let wait = 0; wait < 100 && connection.received() === 0; wait++) await sleep(1);
    connection.destroy();
  }),
  "half closed in its head": leaves(async (connection, plan, host) => {
    await connection.write(headOf(plan, host).slice(0, 40));
    connection.end();
  }),
  "half closed in its body": leaves(async (connection, plan, host) => {
    await connection.write(headOf(plan, host, [lengthOf(bodyOf(plan))]) + bodyOf(plan).slice(0, 30));
    connection.end();
  }),
  "half closed behind it": leaves(async (connection, plan, host) => {
    await connection.write(requestOf(plan, host));
    connection.end();
  }),
  "nothing at all": leaves(async (connection) => {
    await sleep(20);
    connection.end();
  }),
  ...bodyTricks,
  ...framingTricks,
};
