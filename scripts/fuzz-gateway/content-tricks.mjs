// Answers of services whose coding, or what they say, is odd.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { families } from "../traffic/protocols.mjs";
import { limits, secrets } from "./exchange.mjs";
import {
  answerOf,
  bombs,
  contentOf,
  half,
  refuses,
  says,
  tellingError,
  told,
  typeOf,
  writeChunks,
  writes,
} from "./service-answers.mjs";

/** @typedef {import("./service-answers.mjs").ServiceTrick} ServiceTrick */

/** @type {{ readonly [name: string]: ServiceTrick }} */
export const contentTricks = {
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
};
