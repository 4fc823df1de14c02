// Numbers that are the same in every run.

/** A sequence of numbers from 0 to 1. @param {number} seed */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of a list. @template T @param {readonly T[]} list @param {number} random from 0 to 1 @returns {T} */
export function pickOf(list, random) {
  return /** @type {T} */ (list[Math.floor(random * list.length)]);
}
