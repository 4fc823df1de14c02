/** @import { Random } from "./random.mjs" */

const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** What the readers of bytes look for. */
const pieces = [
  ...'{}[]":,\\ \n\r\u0000-0',
  "\r\n\r\n",
  "data: ",
  "event: ",
  "\ufeff",
  "null",
  "true",
  "1e400",
  "\\u0000",
  "\\ud800",
  '"type":',
  '"__proto__":',
  "[DONE]",
].map(encode);

/**
 * Bytes of an input with some others in their place, also of a second input.
 * @param {Uint8Array} input
 * @param {Uint8Array} other
 * @param {Random} random
 * @returns {Uint8Array}
 */
export function mutateBytes(input, other, random) {
  let bytes = input;
  for (let left = 1 + random.below(4); left > 0; left--) bytes = change(bytes, other, random);
  return bytes;
}

/** @type {(input: Uint8Array, other: Uint8Array, random: Random) => Uint8Array} */
function change(input, other, random) {
  const at = random.below(input.length + 1);
  const end = Math.min(input.length, at + random.below(1 << random.below(8)));
  switch (random.below(6)) {
    case 0:
      return join(input.subarray(0, at), new Uint8Array(0), input.subarray(end));
    case 1:
      return join(input.subarray(0, at), random.of(pieces), input.subarray(at));
    case 2:
      return join(input.subarray(0, at), Uint8Array.of(random.below(256)), input.subarray(at + 1));
    case 3:
      return join(input.subarray(0, end), input.subarray(at, end), input.subarray(end));
    case 4: {
      const from = random.below(other.length + 1);
      return join(input.subarray(0, at), other.subarray(from, from + random.below(64)), input.subarray(end));
    }
    default:
      return join(input.subarray(0, at), new Uint8Array(0), other.subarray(random.below(other.length + 1)));
  }
}

/** @type {(...parts: readonly Uint8Array[]) => Uint8Array} */
function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
