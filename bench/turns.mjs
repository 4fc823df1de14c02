// The turns of an agent that sends its whole history each time: what a conversion costs that knows the request before.
import { createConverter, HistoryCache } from "@rolecall/core";
import { cpuOf, spreadOf } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Figure} Figure */
/** @typedef {import("@rolecall/core").Protocol} Protocol */

/** @param {any} item */
const isOfModel = ({ role, type }) =>
  role === "assistant" || role === "model" || type === "reasoning" || type === "function_call";

/**
 * The bodies of the last turns of a conversation, each with the history of the one before it and what came since.
 * @param {Protocol} protocol
 * @param {string} text the last of them
 * @param {number} turns at most
 * @returns {any[]}
 */
export function turnsOf({ history: { key } }, text, turns) {
  const body = JSON.parse(text);
  /** @type {any[]} */
  const items = body[key];
  const ends = items.flatMap((item, index) => {
    const next = items[index + 1];
    return isOfModel(item) || (next !== undefined && !isOfModel(next)) ? [] : [index + 1];
  });
  return ends.slice(-turns).map((end) => ({ ...body, [key]: items.slice(0, end) }));
}

/**
 * CPU time of a turn as a multiple of writing the same body as bytes: what is known of the turn before, `JSON.stringify` and `Buffer.from` write
 * again. The result is one list of bytes, whose room alone is a third of it, or the pieces that it is sent in.
 * @param {readonly { readonly from: Protocol, readonly to: Protocol, readonly text: string }[]} ways
 * @returns {Figure[]}
 */
export function turnFigures(ways) {
  return ways.flatMap(({ from, to, text }) => {
    const converter = createConverter(from, to);
    const bodies = turnsOf(from, text, 24).map((body) => new Uint8Array(Buffer.from(JSON.stringify(body))));
    const written = bodies.map((body) => JSON.parse(Buffer.from(converter.convertRequest(body).value).toString()));
    const toBytes = (/** @type {Uint8Array} */ body, /** @type {HistoryCache} */ cache) =>
      converter.convertRequest(body, { cache });
    const toPieces = (/** @type {Uint8Array} */ body, /** @type {HistoryCache} */ cache) => {
      const history = cache.read(body, from);
      if (history === undefined) throw new Error(`${from.id}: a body that is not kept`);
      return history.pieces(converter.convertRequest(history.value, { cache, history, inexact: [] }).value);
    };
    return /** @type {const} */ ([
      ["", toBytes],
      [", in pieces", toPieces],
    ]).map(([how, turn]) => turnFigure(`${from.id} → ${to.id}${how}`, bodies, written, turn));
  });
}

/**
 * @param {string} way
 * @param {readonly Uint8Array[]} bodies
 * @param {readonly unknown[]} written
 * @param {(body: Uint8Array, cache: HistoryCache) => unknown} turn
 * @returns {Figure}
 */
function turnFigure(way, bodies, written, turn) {
  const last = /** @type {Uint8Array} */ (bodies.at(-1));
  const converse = (/** @type {(convert: () => void, index: number) => void} */ watch) => {
    const cache = new HistoryCache();
    turn(/** @type {Uint8Array} */ (bodies[0]), cache);
    for (let index = 1; index < bodies.length; index++)
      watch(() => turn(/** @type {Uint8Array} */ (bodies[index]), cache), index);
    if (cache.continued !== bodies.length - 1) throw new Error(`${way}: a turn did not go on`);
  };
  // What runs once in a turn is compiled late.
  for (let round = 0; round < 40; round++) converse((convert) => convert());
  const samples = Array.from({ length: 15 }, () => {
    const sum = { subject: 0, base: 0 };
    converse((convert, index) => {
      sum.subject += cpuOf(convert) / (bodies.length - 1);
      sum.base += cpuOf(() => Buffer.from(JSON.stringify(written[index]))) / (bodies.length - 1);
    });
    return sum;
  });
  const of = (/** @type {"subject" | "base"} */ side) => spreadOf(samples.map((item) => item[side])).median.toFixed(2);
  return {
    name: `turn N+1 ${way}`,
    unit: "× JSON",
    target: 0.15,
    spread: spreadOf(samples.map(({ subject, base }) => subject / base)),
    note: `${of("subject")} ms for a body of ${(last.length / 1e6).toFixed(2)} MB, stringify and bytes ${of("base")} ms`,
  };
}
