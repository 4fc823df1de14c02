// What a section of the comparison gives: rows, each with a figure for every subject that can do it.

/** @typedef {import("../measure.mjs").Spread} Spread */
/** @typedef {{ subject: string, spread: Spread, note?: string }} Cell what was measured of one subject; the note says it in other units */
/** @typedef {{ name: string, unit: string, cells: Cell[] }} Row */
/** @typedef {{ id: string, title: string, text: string, rows: Row[] }} Section */
/** @typedef {{ rounds: number, has: (peer: string) => boolean, step: (text: string) => void }} Run */

/** A figure that cannot vary. @param {number} value @returns {Spread} */
export const exact = (value) => ({ median: value, minimum: value, maximum: value });

/** @param {number} milliseconds */
export const inMilliseconds = (milliseconds) =>
  `${milliseconds < 1 ? milliseconds.toFixed(3) : milliseconds.toFixed(1)} ms`;
