// Conversions from text to text, against reading and writing the same text.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConverter } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as geminiGenerateContent } from "@rolecall/core/protocols/gemini-generate-content";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { protocol as openaiResponses } from "@rolecall/core/protocols/openai-responses";
import { conversation } from "./conversation.mjs";
import { convertByHand } from "./hand-converter.mjs";
import { comparePairs, spreadOf, unsteppedCpuOf } from "./measure.mjs";
import { turnFigures } from "./turns.mjs";

/** @typedef {import("./measure.mjs").Figure} Figure */
/** @typedef {import("./conversation.mjs").ProtocolName} ProtocolName */

const protocols = [anthropicMessages, openaiChat, openaiResponses, geminiGenerateContent];
/** Protocols of which conversations of any length can be made; for the others they are converted. */
const written = [anthropicMessages, openaiChat];
const directions = protocols.flatMap((from) => protocols.map((to) => ({ from, to, name: `${from.id} → ${to.id}` })));
/** Each protocol once as the source and once as the target, and those that are most used in all ways. */
const grown = directions.filter(
  ({ from, to }) =>
    (written.includes(from) && written.includes(to)) ||
    (from !== to && !written.includes(from) && !written.includes(to)),
);

/** Megabytes of UTF-8. @param {string} text */
const megabytes = (text) => Buffer.byteLength(text) / 1e6;

/**
 * The conversation of 200 messages and 60 tools: that of the corpus where there is one, else our own.
 * @param {ProtocolName} protocol
 * @param {string | undefined} corpus
 */
function text(protocol, corpus) {
  if (corpus === undefined) return made(protocol, 10);
  return readFileSync(join(corpus, "bench", `conversation.${protocol}.json`), "utf8").trim();
}

/**
 * @param {string} id
 * @param {number} size
 */
function made(id, size) {
  const own = written.find((protocol) => protocol.id === id);
  const target = protocols.find((protocol) => protocol.id === id);
  const source = conversation(/** @type {ProtocolName} */ (own?.id ?? "anthropic-messages"), size);
  if (own !== undefined || target === undefined) return source;
  return createConverter(anthropicMessages, target).convertRequest(source).value;
}

/**
 * What reading and writing the same text takes. Gemini has arguments and results as objects, which elsewhere are texts: between the two they are
 * read or written once more.
 * @param {string} source
 * @param {string} from
 * @param {string} to
 */
function floor(source, from, to) {
  const body = JSON.parse(source);
  const isNested = (/** @type {string} */ id) => id !== "gemini-generate-content" && id !== "anthropic-messages";
  if (from === "gemini-generate-content" && isNested(to)) {
    for (const { parts } of body.contents)
      for (const { functionCall, functionResponse } of parts) {
        if (functionCall !== undefined) functionCall.args = JSON.stringify(functionCall.args);
        if (functionResponse !== undefined) functionResponse.response = JSON.stringify(functionResponse.response);
      }
  }
  return JSON.stringify(body);
}

/**
 * CPU time of a conversion as a multiple of `JSON.stringify(JSON.parse(text))`; what a converter written by hand takes, for comparison.
 * @param {string | undefined} corpus
 * @returns {Figure[]}
 */
export function conversionFigures(corpus) {
  const texts = new Map(protocols.map(({ id }) => [id, text(/** @type {ProtocolName} */ (id), corpus)]));
  const of = (/** @type {string} */ id) => /** @type {string} */ (texts.get(/** @type {ProtocolName} */ (id)));
  const pairs = directions.map(({ from, to, name }) => {
    const source = of(from.id);
    const converter = createConverter(from, to);
    return {
      name: `convert ${name}`,
      target: from === to ? 1.3 : 1.5,
      size: megabytes(source),
      losses: converter.convertRequest(source).losses.length,
      subject: () => converter.convertRequest(source),
      base: () => floor(source, from.id, to.id),
    };
  });
  const source = of(anthropicMessages.id);
  const byHand = {
    name: "by hand anthropic-messages → openai-chat",
    target: undefined,
    size: megabytes(source),
    losses: undefined,
    subject: () => JSON.stringify(convertByHand(JSON.parse(source))),
    base: () => JSON.stringify(JSON.parse(source)),
  };
  // What runs once in a conversion is compiled late, the later the more else the machine has to do.
  return comparePairs([...pairs, byHand], { rounds: 15, calls: 24, warmup: 200 }).map(
    ({ pair, ratio, subject, base }) => {
      const report = pair.losses === undefined ? "no report" : `${pair.losses} losses`;
      const times = `${subject.median.toFixed(1)} ms for ${pair.size.toFixed(2)} MB, JSON alone ${base.median.toFixed(1)} ms`;
      return { name: pair.name, unit: "× JSON", target: pair.target, spread: ratio, note: `${times}; ${report}` };
    },
  );
}

/**
 * The turns of an agent in each way across.
 * @param {string | undefined} corpus
 */
export function acrossTurns(corpus) {
  const across = directions.filter(({ from, to }) => from !== to);
  return turnFigures(
    across.map(({ from, to }) => ({ from, to, text: text(/** @type {ProtocolName} */ (from.id), corpus) })),
  );
}

/**
 * How the time for one byte grows when the conversation becomes ten times as long, as a multiple of how that of JSON alone grows: the
 * garbage collector makes long texts dearer for both.
 * @returns {Figure[]}
 */
export function growthFigures() {
  const sizes = [
    { size: 1, calls: 40 },
    { size: 10, calls: 6 },
    { size: 100, calls: 1 },
  ];
  return grown.flatMap(({ from, to, name }) => {
    const converter = createConverter(from, to);
    const steps = sizes.map(({ size, calls }) => {
      const source = made(from.id, size);
      const subject = () => converter.convertRequest(source);
      const base = () => JSON.stringify(JSON.parse(source));
      return { calls, bytes: Buffer.byteLength(source), subject, base };
    });
    const rounds = Array.from({ length: 16 }, () =>
      steps.map(({ calls, bytes, subject, base }) => ({
        subject: unsteppedCpuOf(subject, calls) / bytes,
        base: unsteppedCpuOf(base, calls) / bytes,
      })),
    ).slice(1);
    return [1, 2].map((step) => {
      const growth = rounds.map((round) => {
        const [less, more] = /** @type {[typeof round[number], typeof round[number]]} */ ([
          round[step - 1],
          round[step],
        ]);
        return { subject: more.subject / less.subject, base: more.base / less.base };
      });
      const own = spreadOf(growth.map(({ subject }) => subject)).median.toFixed(2);
      const json = spreadOf(growth.map(({ base }) => base)).median.toFixed(2);
      const megabytesOf = (/** @type {number} */ index) => `${((steps[index]?.bytes ?? 0) / 1e6).toFixed(2)} MB`;
      return {
        name: `growth ${name}, ${megabytesOf(step - 1)} to ${megabytesOf(step)}`,
        unit: "× JSON",
        target: 1.2,
        spread: spreadOf(growth.map(({ subject, base }) => subject / base)),
        note: `time for a byte ×${own}, JSON alone ×${json}`,
      };
    });
  });
}
