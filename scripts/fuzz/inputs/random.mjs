/** Numbers by chance that are the same for the same seed: an input is made again from the seed of its run and its number. */
export class Random {
  /**
   * @param {number} seed
   * @param {number} index
   */
  constructor(seed, index) {
    this.state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
    this.below(2);
    this.below(2);
  }

  /**
   * A whole number from 0, below the limit.
   * @param {number} limit
   * @returns {number}
   */
  below(limit) {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /**
   * One of a list that is not empty.
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  of(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }
}
