// What happens to each stream of a soak test. Client and service work it out from the stream's number, so that both know.

/** @typedef {"openai-chat" | "anthropic-messages"} Protocol */
/**
 * @typedef {object} Plan
 * @property {number} number of the stream; each of its deltas says it
 * @property {Protocol} client what the client speaks
 * @property {Protocol} service what the service speaks
 * @property {number} deltas how many the whole answer has
 * @property {number} pause milliseconds between two of them
 * @property {"complete" | "cancel" | "cut" | "unfinished" | "failure"} end the client goes away; the service breaks the connection, ends
 * without an end marker, or reports an error
 * @property {number} after how many deltas that happens
 * @property {boolean} slow the client stops to read for a while, and the service sends much at once
 */

/** A sequence of numbers from 0 to 1 that is the same in every run. @param {number} seed */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const protocols = /** @type {const} */ (["openai-chat", "anthropic-messages"]);

/** @param {number} random @returns {Plan["end"]} */
function endOf(random) {
  if (random < 0.25) return "cancel";
  if (random < 0.4) return "cut";
  if (random < 0.45) return "unfinished";
  return random < 0.5 ? "failure" : "complete";
}

/** @param {number} number @returns {Plan} */
export function planOf(number) {
  const random = createRandom(number * 7919 + 1);
  const pick = () => /** @type {Protocol} */ (protocols[Math.floor(random() * 2)]);
  const deltas = 10 + Math.floor(random() * 30);
  return {
    number,
    client: pick(),
    service: pick(),
    deltas,
    pause: 40 + Math.floor(random() * 120),
    end: endOf(random()),
    after: Math.floor(random() * deltas),
    slow: random() < 0.05,
  };
}

/** What a delta says: whose it is and which. Streams of slow clients have long ones. @param {Plan} plan @param {number} index */
export function deltaText({ number, slow }, index) {
  return `[${number}:${index}]${slow ? "lorem ipsum dolor ".repeat(400) : ""}`;
}
