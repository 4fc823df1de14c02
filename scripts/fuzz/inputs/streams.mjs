// Streams as servers never write them: changed frames, and frames that are written, cut and damaged as the grammar of server-sent events allows
// or does not.
import { mutate, mutateText, writeJson } from "./mutate.mjs";

/** @import { Json } from "@rolecall/core" */
/** @import { Random } from "./random.mjs" */
/** @typedef {{ event?: string, data: Json }} Frame */

/**
 * The frames of the text of a stream, of the usual kind.
 * @param {string} text
 * @returns {Frame[]}
 */
export function framesOf(text) {
  return text
    .split(/(?:\r\n|\r|\n){2}/)
    .filter((block) => /^data:/m.test(block))
    .map((block) => {
      const event = /^event: ?(.*)$/m.exec(block)?.[1];
      const data = [...block.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n");
      return { ...(event !== undefined && { event }), data: jsonOf(data) };
    });
}

/** @param {string} text @returns {Json} */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const lineEnds = ["\n", "\r", "\r\n"];
const fieldLines = [
  ": a comment",
  ":",
  "id: 1",
  "id: \u0000",
  "id",
  "retry: 3000",
  "retry: x",
  "event",
  "event: ",
  "event: error",
  "data",
  "data:",
  "data: [DONE]",
  "data: {}",
  "data: null",
  'data: {"error":{"message":"m","type":"server_error"}}',
  "other: field",
  '{"error":{"code":500,"message":"m"}}',
  "\u0000",
  "\ufeffdata: {}",
];

/**
 * The text of a stream of some frames, changed.
 * @param {Json} seed its frames
 * @param {() => Json} other
 * @param {Random} random
 * @returns {string}
 */
export function mutateStream(seed, other, random) {
  const frames = /** @type {Frame[]} */ ([.../** @type {any} */ (seed)]);
  for (let left = 1 + random.below(3); left > 0; left--) changeFrames(frames, other, random);
  if (random.below(12) === 0) return writeList(frames, random);
  return writeOddly(frames, random);
}

/**
 * @param {Frame[]} frames
 * @param {() => Json} other
 * @param {Random} random
 */
function changeFrames(frames, other, random) {
  const at = random.below(frames.length + 1);
  const frame = frames[at];
  switch (random.below(8)) {
    case 0:
      frames.splice(at, 1);
      return;
    case 1:
      if (frame !== undefined) frames.splice(random.below(frames.length + 1), 0, frame);
      return;
    case 2: {
      const second = random.below(frames.length + 1);
      if (frame !== undefined && frames[second] !== undefined) {
        frames[at] = /** @type {Frame} */ (frames[second]);
        frames[second] = frame;
      }
      return;
    }
    case 3: {
      const grafts = /** @type {any} */ (other());
      if (!Array.isArray(grafts)) frames.splice(at, 0, { data: grafts });
      else frames.splice(at, 0, ...grafts.slice(0, 1 + random.below(4)).filter((graft) => graft?.data !== undefined));
      return;
    }
    default:
      if (frame === undefined) return;
      frames[at] = { ...frame, data: mutate(frame.data, other, random) };
  }
}

/**
 * Frames as a server writes them.
 * @param {readonly Frame[]} frames
 * @returns {string}
 */
export function writeFrames(frames) {
  const lines = (/** @type {Frame} */ { event, data }) =>
    `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : writeJson(data)}\n\n`;
  return frames.map(lines).join("");
}

/**
 * @param {readonly Frame[]} frames
 * @param {Random} random
 */
function writeOddly(frames, random) {
  const isPlain = random.below(2) === 0;
  const end = isPlain ? "\n" : random.of(lineEnds);
  let text = isPlain ? "" : random.of(["", "", "\ufeff", end, ": begun\n\n"]);
  for (const { event, data } of frames) {
    if (typeof event === "string" && (isPlain || random.below(10) > 0)) text += `event: ${event}${end}`;
    let json = typeof data === "string" ? data : writeJson(data);
    if (!isPlain && random.below(10) === 0) json = mutateText(json, random);
    if (!isPlain && random.below(6) === 0) text += `${random.of(fieldLines)}${end}`;
    // Line ends between tokens are white space of JSON, and make several lines of data.
    if (!isPlain && random.below(8) === 0) json = json.replaceAll(',"', `,${end}"`);
    text += `${json
      .split(/\r\n|\r|\n/)
      .map((line) => `data:${isPlain || random.below(9) > 0 ? " " : ""}${line}`)
      .join(end)}${end}`;
    if (!isPlain && random.below(20) === 0) continue;
    text += isPlain ? end : random.of([end, end, end, end, "\n", "\r\n", end + end]);
  }
  return !isPlain && random.below(4) === 0 ? text.slice(0, random.below(text.length + 1)) : text;
}

/**
 * @param {readonly Frame[]} frames
 * @param {Random} random
 */
function writeList(frames, random) {
  const text = `[${frames.map(({ data }) => writeJson(data)).join(random.of([",", ",\r\n", " , "]))}]`;
  return random.below(2) === 0 ? text : mutateText(text, random);
}

/**
 * Bytes of a text, damaged now and then.
 * @param {string} text
 * @param {Random} random
 * @returns {Uint8Array}
 */
export function writeBytes(text, random) {
  const bytes = new TextEncoder().encode(text);
  if (random.below(6) === 0)
    for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--)
      bytes[random.below(bytes.length)] = random.of([0, 10, 13, 0x80, 0xc0, 0xe2, 0xed, 0xf0, 0xf8, 0xff]);
  return bytes;
}
