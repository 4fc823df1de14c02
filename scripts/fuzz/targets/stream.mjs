import { protocolIds } from "../core.mjs";
import { attempt, demand, firstDifference, typed } from "../finding.mjs";

/** @import { Core, Id } from "../core.mjs" */
/** @import { Converter } from "@rolecall/core" */

/**
 * Where a stream is cut into pieces: at every byte where it is short, else at some that depend on its length.
 * @param {Uint8Array} input
 * @returns {Uint8Array[]}
 */
export function piecesOf(input) {
  const pieces = [];
  let size = input.length < 300 ? 0 : input.length % 97;
  for (let start = 0; start < input.length; ) {
    const end = start + 1 + size;
    pieces.push(input.subarray(start, end));
    start = end;
    size = (size * 31 + 7) % 211;
    if (input.length < 300) size = 0;
  }
  return pieces;
}

/**
 * A stream of a protocol, to one that depends on its length: at once and in pieces, and as a whole response.
 * @param {Core} core
 * @param {Id} id
 * @returns {(input: Uint8Array) => Promise<void>}
 */
export function streamTarget({ createConverter, protocols }, id) {
  const converters = protocolIds.map((other) => createConverter(protocols[other], protocols[id]));
  /** @type {(converter: Converter, pieces: readonly Uint8Array[]) => { text: string, losses: string, failure: string }} */
  const convert = (converter, pieces) => {
    const conversion = converter.createStreamConversion();
    let text = "";
    for (const piece of pieces) {
      text += conversion.push(piece);
      if (conversion.over) break;
    }
    if (!conversion.over) text += conversion.finish();
    return { text, losses: JSON.stringify(conversion.losses), failure: JSON.stringify(conversion.failure) ?? "" };
  };
  /** @type {(converter: Converter, pieces: readonly Uint8Array[]) => Promise<string>} */
  const collect = async (converter, pieces) => {
    try {
      return JSON.stringify(await converter.collectStream(pieces));
    } catch (error) {
      return typed(error).message;
    }
  };

  return async (input) => {
    const pieces = piecesOf(input);
    const turn = input.length % protocolIds.length;
    const converter = /** @type {Converter} */ (converters[turn]);
    const whole = attempt(() => convert(converter, [input]));
    const cut = attempt(() => convert(converter, pieces));
    const name = `to ${protocolIds[turn]}`;
    demand(
      cut.error?.message === whole.error?.message,
      "cut",
      () => `${name}: in pieces it is refused for another reason: ${cut.error?.message}, not ${whole.error?.message}`,
    );
    demand(
      cut.value?.text === whole.value?.text,
      "cut",
      () => `${name}: in pieces it gives something else: ${firstDifference(cut.value?.text, whole.value?.text)}`,
    );
    demand(
      cut.value?.losses === whole.value?.losses,
      "cut",
      () => `${name}: in pieces it loses something else: ${firstDifference(cut.value?.losses, whole.value?.losses)}`,
    );
    demand(cut.value?.failure === whole.value?.failure, "cut", () => `${name}: in pieces it fails otherwise`);
    if (input.length % 5 !== 0) return;
    const first = await collect(converter, [input]);
    const second = await collect(converter, pieces);
    demand(
      first === second,
      "cut",
      () => `${name}: collected from pieces it gives something else: ${firstDifference(second, first)}`,
    );
  };
}
