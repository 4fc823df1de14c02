// What a stream costs within a process, against loops and calls without anything but JSON.
import { createArgumentSnapshot, createReducer, createSseParser } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as geminiGenerateContent } from "@rolecall/core/protocols/gemini-generate-content";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { protocol as openaiResponses } from "@rolecall/core/protocols/openai-responses";
import { comparePairs, cpuOf, spreadOf } from "../../../bench/measure.mjs";
import { chatEvents } from "./upstream.mjs";

/** @typedef {import("../../../bench/measure.mjs").Figure} Figure */

const DELTAS = 1000;

/** What each delta says. */
const TEXT = " token";

/** An event with a name. @param {{ type: string } & Record<string, unknown>} value */
const named = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

/** @param {number} count */
function messagesEvents(count) {
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
  const delta = named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } });
  return [
    named({ type: "message_start", message }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...Array.from({ length: count }, () => delta),
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    named({ type: "message_stop" }),
  ];
}

/** As OpenAI sends them, with the whole response before and behind. @param {number} count */
function responsesEvents(count) {
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const response = {
    id: "resp_1",
    object: "response",
    created_at: 1760000000,
    status: "in_progress",
    model: "m",
    output: /** @type {object[]} */ ([]),
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    usage: /** @type {object | null} */ (null),
  };
  const item = { id: "msg_1", type: "message", status: "in_progress", role: "assistant", content: [] };
  const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
  const text = TEXT.repeat(count);
  const done = { ...part, text };
  const doneItem = { ...item, status: "completed", content: [done] };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: count,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: count + 10,
  };
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.content_part.added", ...place, part },
    ...Array.from({ length: count }, () => ({
      type: "response.output_text.delta",
      ...place,
      delta: TEXT,
      logprobs: [],
      obfuscation: "0123456789",
    })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part: done },
    { type: "response.output_item.done", output_index: 0, item: doneItem },
    { type: "response.completed", response: { ...response, status: "completed", output: [doneItem], usage } },
  ].map(({ type, ...rest }, index) => named({ type, sequence_number: index, ...rest }));
}

/** As Google sends them: each chunk repeats the head and the counts. @param {number} count */
function geminiEvents(count) {
  return Array.from({ length: count }, (_, index) => {
    const content = { parts: [{ text: TEXT }], role: "model" };
    const candidate = index === count - 1 ? { content, finishReason: "STOP", index: 0 } : { content, index: 0 };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: index + 1, totalTokenCount: index + 11 };
    const chunk = { candidates: [candidate], usageMetadata, modelVersion: "m", responseId: "r1" };
    return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
  });
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
  const blank = chunks[0]?.includes("\r\n\r\n") === true ? "\r\n\r\n" : "\n\n";
  let held = "";
  for (const chunk of chunks) {
    held += chunk.toString();
    let start = 0;
    for (let end = held.indexOf(blank); end >= 0; end = held.indexOf(blank, start)) {
      const frame = held.slice(start, end);
      start = end + blank.length;
      const data = frame.slice(frame.indexOf("data: ") + 6);
      if (data !== "[DONE]") read(JSON.parse(data));
    }
    held = held.slice(start);
  }
}

/** How a loop finds the text of a frame. @type {{ readonly [name: string]: (frame: any) => string | undefined }} */
const textOf = {
  Messages: (frame) => frame.delta?.text,
  Chat: (frame) => frame.choices?.[0]?.delta.content,
  Responses: (frame) => (frame.type === "response.output_text.delta" ? frame.delta : undefined),
  Gemini: (frame) => frame.candidates?.[0]?.content.parts[0].text,
};

/** The text that a loop keeps. @param {readonly Buffer[]} chunks @param {(frame: any) => string | undefined} find */
function textByHand(chunks, find) {
  let text = "";
  byHand(chunks, (frame) => {
    text += find(frame) ?? "";
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

/** Name, bound of T10, protocol, and a stream of it. */
const streams = /** @type {const} */ ([
  ["Messages", 1.7, anthropicMessages, pieces(messagesEvents(DELTAS))],
  ["Chat", 2, openaiChat, pieces(chatEvents(DELTAS, TEXT))],
  ["Responses", 2, openaiResponses, pieces(responsesEvents(DELTAS))],
  ["Gemini", 2, geminiGenerateContent, pieces(geminiEvents(DELTAS))],
]);

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
