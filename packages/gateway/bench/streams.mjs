// What a stream costs within a process, against loops and calls without anything but JSON.
import { createArgumentSnapshot, createReducer, createSseParser } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { comparePairs, cpuOf, spreadOf } from "../../../bench/measure.mjs";
import { chatEvents } from "./upstream.mjs";

/** @typedef {import("../../../bench/measure.mjs").Figure} Figure */

const DELTAS = 1000;

/** @param {number} count */
function messagesEvents(count) {
  /** @type {(value: { type: string } & Record<string, unknown>) => string} */
  const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage,
  };
  const delta = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " token" } });
  return [
    event({ type: "message_start", message }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...Array.from({ length: count }, () => delta),
    event({ type: "content_block_stop", index: 0 }),
    event({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    event({ type: "message_stop" }),
  ];
}

/** The bytes of a stream in pieces as a socket gives them. @param {readonly string[]} events */
function pieces(events) {
  const bytes = Buffer.from(events.join(""));
  return Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, index) =>
    bytes.subarray(index * 16_384, (index + 1) * 16_384),
  );
}

/** A loop that splits frames and parses each. @param {readonly Buffer[]} chunks @param {(frame: any) => void} read */
function byHand(chunks, read) {
  let held = "";
  for (const chunk of chunks) {
    held += chunk.toString();
    let start = 0;
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n", start)) {
      const frame = held.slice(start, end);
      start = end + 2;
      const data = frame.slice(frame.indexOf("data: ") + 6);
      if (data !== "[DONE]") read(JSON.parse(data));
    }
    held = held.slice(start);
  }
}

/** The text that a loop keeps, of both protocols. @param {readonly Buffer[]} chunks */
function textByHand(chunks) {
  let text = "";
  byHand(chunks, (frame) => {
    text += frame.choices?.[0]?.delta.content ?? frame.delta?.text ?? "";
  });
  return text;
}

/** @param {readonly Buffer[]} chunks @param {typeof openaiChat} protocol */
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
  const chat = pieces(chatEvents(DELTAS));
  const messages = pieces(messagesEvents(DELTAS));
  const wanted = " token".repeat(DELTAS);
  for (const [chunks, protocol] of /** @type {const} */ ([
    [chat, openaiChat],
    [messages, anthropicMessages],
  ])) {
    const [part] = messageOf(chunks, protocol).content;
    if (part?.type !== "text" || part.text !== wanted || textByHand(chunks) !== wanted)
      throw new Error("the streams do not say what they should");
  }
  const readAll = (/** @type {readonly Buffer[]} */ chunks) =>
    byHand(chunks, (frame) => {
      parsed = frame;
    });
  const pairs = [
    ["T10 stream to message, Messages", 1.7, () => messageOf(messages, anthropicMessages), () => textByHand(messages)],
    ["T10 stream to message, Chat", 2, () => messageOf(chat, openaiChat), () => textByHand(chat)],
    ["T11 parser of events, Messages", 1.15, () => parseOnly(messages), () => readAll(messages)],
    ["T11 parser of events, Chat", 1.15, () => parseOnly(chat), () => readAll(chat)],
  ];
  const entries = pairs.map(([name, target, subject, base]) => ({ name, target, subject, base }));
  return comparePairs(/** @type {any[]} */ (entries), { rounds: 15, calls: 40, warmup: 100 }).map(
    ({ pair, ratio, subject }) => ({
      name: pair.name,
      unit: "× by hand",
      target: pair.target,
      spread: ratio,
      note: `${((subject.median / DELTAS) * 1000).toFixed(2)} µs for an event`,
    }),
  );
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
