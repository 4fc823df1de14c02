// What happens to each exchange of a soak test. Client and service work it out from its number, so that both know.
import { protocols } from "../traffic/protocols.mjs";
import { createRandom, pickOf } from "../traffic/random.mjs";

/** @typedef {import("../traffic/protocols.mjs").Protocol} Protocol */
/**
 * @typedef {object} Plan
 * @property {number} number of the exchange; each of its texts says it
 * @property {Protocol} client what the client speaks
 * @property {Protocol} service what the service speaks
 * @property {boolean} stream otherwise the answer comes as a whole
 * @property {number} deltas how many the whole answer has
 * @property {number} pause milliseconds between two of them
 * @property {"complete" | "cancel" | "cut" | "unfinished" | "failure" | "stall"} end the client goes away; the service breaks the connection, ends
 * without an end marker, reports an error, or says nothing more
 * @property {number} after how many deltas that happens
 * @property {boolean} slow the client stops to read for a while, and the service sends much at once
 * @property {boolean} large the request has 700 KB
 */

/** @param {number} random @returns {Plan["end"]} */
function endOf(random) {
  if (random < 0.2) return "cancel";
  if (random < 0.35) return "cut";
  if (random < 0.4) return "unfinished";
  if (random < 0.42) return "stall";
  return random < 0.47 ? "failure" : "complete";
}

/** @param {number} number @returns {Plan} */
export function planOf(number) {
  const random = createRandom(number * 7919 + 1);
  const client = pickOf(protocols, random());
  const service = pickOf(protocols, random());
  const stream = random() < 0.7;
  const deltas = 10 + Math.floor(random() * 30);
  const end = endOf(random());
  return {
    number,
    client,
    service,
    stream,
    deltas,
    pause: 20 + Math.floor(random() * 140) * Number(random() < 0.8),
    // An answer that is no stream ends as it should, or breaks off.
    end: stream || end === "cancel" || end === "cut" || end === "stall" ? end : "complete",
    after: Math.floor(random() * deltas),
    slow: stream && random() < 0.05,
    large: random() < 0.02,
  };
}

/** What a delta says: whose it is and which. Streams of slow clients have long ones. @param {Plan} plan @param {number} index */
export function deltaText({ number, slow }, index) {
  return `[${number}:${index}]${slow ? "lorem ipsum dolor ".repeat(400) : ""}`;
}

const filling = 'some "text" of a file\n'.repeat(30_000);

/** What the client asks. @param {Plan} plan */
export function questionOf({ number, large }) {
  return `exchange ${number}.${large ? filling : ""}`;
}
