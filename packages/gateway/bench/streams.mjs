// What a stream costs within a process, against loops and calls without anything but JSON.
import { createArgumentSnapshot, createReducer, createSseParser } from "@rolecall/core";
import { byHand, DELTAS, streams, TEXT, textOf } from "../../../bench/event-streams.mjs";
import { comparePairs, cpuOf, spreadOf } from "../../../bench/measure.mjs";

/** @typedef {import("../../../bench/measure.mjs").Figure} Figure */

/** The text that a loop keeps. @param {readonly Buffer[]} chunks @param {(frame: any) => string | undefined} find */
function textByHand(chunks, find) {
  let text = "";
  byHand(chunks, (frame) => {
    text += find(frame) ?? "";
  });
  return text;
}

/** @param {readonly Buffer[]} chunks @param {import("@rolecall/core").Protocol} protocol */
function messageOf(chunks, protocol) {
  const parser = createSseParser();
  const decoder = protocol.createStreamDecoder();
  const reducer = createReducer(protocol.id);
  for (const chunk of chunks)
    for (const frame of parser.push(chunk)) for (const event of decoder.push(frame)) reducer.push(event);
  for (const event of decoder.finish()) reducer.push(event);
  return reducer.message();
}

/** @param {readonly Buffer[]} chunks */
function parseOnly(chunks) {
  const parser = createSseParser();
  for (const chunk of chunks)
    for (const { data } of parser.push(chunk)) if (data !== "[DONE]") parsed = JSON.parse(data);
}
/** Kept, so that no compiler leaves the work out. @type {unknown} */
export let parsed;

/** @returns {Figure[]} */
export function streamFigures() {
  const wanted = TEXT.repeat(DELTAS);
  const pairs = streams.flatMap(([name, target, protocol, chunks]) => {
    const find = /** @type {(frame: any) => string | undefined} */ (textOf[name]);
    const [part] = messageOf(chunks, protocol).content;
    if (part?.type !== "text" || part.text !== wanted || textByHand(chunks, find) !== wanted)
      throw new Error(`the stream of ${name} does not say what it should`);
    const readAll = () =>
      byHand(chunks, (frame) => {
        parsed = frame;
      });
    return [
      {
        name: `T10 stream to message, ${name}`,
        target,
        subject: () => messageOf(chunks, protocol),
        base: () => textByHand(chunks, find),
      },
      { name: `T11 parser of events, ${name}`, target: 1.15, subject: () => parseOnly(chunks), base: readAll },
    ];
  });
  return comparePairs(pairs, { rounds: 15, calls: 40, warmup: 100 }).map(({ pair, ratio, subject }) => ({
    name: pair.name,
    unit: "× by hand",
    target: pair.target,
    spread: ratio,
    note: `${((subject.median / DELTAS) * 1000).toFixed(2)} µs for an event`,
  }));
}

/** Argument text of about so many bytes: one long string, or many short ones. */
const argumentTexts = {
  "one string": (/** @type {number} */ size) =>
    JSON.stringify({ path: "src/a.ts", content: 'const value = parse(input, "x"); // note\n'.repeat(size / 44) }),
  "a list of objects": (/** @type {number} */ size) =>
    JSON.stringify({
      edits: Array.from({ length: size / 60 }, (_, line) => ({ line, text: 'return "x";', dry: false, by: null })),
    }),
};
const PIECE = 24;

/** The best object so far after each piece. @param {string} text */
function snapshots(text) {
  const snapshot = createArgumentSnapshot();
  for (let start = 0; start < text.length; start += PIECE) parsed = snapshot.push(text.slice(start, start + PIECE));
  if (!snapshot.complete) throw new Error("the arguments are not complete");
}

/** @returns {Figure[]} */
export function argumentFigures() {
  return Object.entries(argumentTexts).flatMap(([shape, make]) => {
    const [half, whole] = [make(100_000), make(200_000)];
    for (let round = 0; round < 20; round++) snapshots(half);
    const rounds = Array.from({ length: 15 }, () => ({
      json: cpuOf(() => JSON.parse(whole), 20),
      half: cpuOf(() => snapshots(half), 4),
      whole: cpuOf(() => snapshots(whole), 4),
    }));
    const time = spreadOf(rounds.map((round) => round.whole)).median;
    return [
      {
        name: `T12 arguments, ${shape}, 200 KB`,
        unit: "× JSON.parse",
        target: 12,
        spread: spreadOf(rounds.map((round) => round.whole / round.json)),
        note: `${time.toFixed(1)} ms, an object after each ${PIECE} bytes`,
      },
      {
        name: `T12 arguments, ${shape}, 100 to 200 KB`,
        unit: "× time",
        target: 2.5,
        spread: spreadOf(rounds.map((round) => round.whole / round.half)),
        note: "growth",
      },
    ];
  });
}
