/**
 * Numbers from 0 up to and without 1, the same for the same seed (xorshift, 32 bits).
 * @param {number} seed
 */
export function createRandom(seed) {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
