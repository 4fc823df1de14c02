import { demand, firstDifference } from "../finding.mjs";
import { piecesOf } from "./stream.mjs";

/** @import { Core } from "../core.mjs" */

/**
 * What the bytes say by the standard, read at once: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @param {Uint8Array} input
 */
function reference(input) {
  const lines = new TextDecoder().decode(input).split(/\r\n|\r|\n/);
  /** @type {object[]} */
  const frames = [];
  /** @type {string[]} */
  let data = [];
  let event = "";
  let id = "";
  const dispatch = (/** @type {boolean} */ cut) => {
    if (data.length > 0)
      frames.push({
        ...(event !== "" && { event }),
        data: data.join("\n"),
        ...(id !== "" && { id }),
        ...(cut && { cut }),
      });
    data = [];
    event = "";
  };
  for (const [index, line] of lines.entries()) {
    if (line === "" && index < lines.length - 1) dispatch(false);
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "data" && line !== "") data.push(value);
    if (field === "event") event = value;
    if (field === "id" && !value.includes("\0")) id = value;
  }
  dispatch(true);
  return frames;
}

/**
 * The parser of server-sent events and that of lists: the same frames for any cut, those of the standard, and frames that are written read the same.
 * @param {Core} core
 * @returns {(input: Uint8Array) => void}
 */
export function checkSse({ createFrameParser, createSseParser, writeSse }) {
  /** @type {(parser: import("@rolecall/core").FrameParser, pieces: readonly Uint8Array[]) => { frames: any[], said: string }} */
  const parse = (parser, pieces) => {
    const frames = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.finish()];
    return { frames, said: JSON.stringify([frames, parser.stray, parser.rest]) };
  };
  return (input) => {
    const pieces = piecesOf(input);
    const { frames, said } = parse(createSseParser(), [input]);
    const cut = parse(createSseParser(), pieces);
    demand(cut.said === said, "cut", () => `in pieces: ${firstDifference(cut.said, said)}`);
    const bare = JSON.stringify(frames.map(({ damaged: _, ...frame }) => frame));
    const expected = JSON.stringify(reference(input));
    demand(bare === expected, "standard", () => `not what the standard says: ${firstDifference(bare, expected)}`);
    const first = parse(createFrameParser(), [input]).said;
    const second = parse(createFrameParser(), pieces).said;
    demand(first === second, "cut", () => `as list or events in pieces: ${firstDifference(second, first)}`);
    for (const { event, data } of frames) {
      if (/[\r\n]/.test(event ?? "")) continue;
      const [read] = createSseParser().push(writeSse({ ...(event !== undefined && { event }), data }));
      demand(read?.data === data && read?.event === event, "write", () => "a frame that is written reads otherwise");
    }
  };
}
