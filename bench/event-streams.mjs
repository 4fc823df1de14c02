// Streams of 1,000 deltas in each protocol, and loops that read them with nothing but JSON.
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as geminiGenerateContent } from "@rolecall/core/protocols/gemini-generate-content";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { protocol as openaiResponses } from "@rolecall/core/protocols/openai-responses";
import { chatEvents } from "../packages/gateway/bench/upstream.mjs";

export const DELTAS = 1000;

/** What each delta says. */
export const TEXT = " token";

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

/**
 * A loop that splits frames and parses each, as its bytes come.
 * @param {string} blank what stands between two frames
 * @param {(frame: any) => void} read
 * @returns {(chunk: string) => void}
 */
export function createHandLoop(blank, read) {
  let held = "";
  return (chunk) => {
    held += chunk;
    let start = 0;
    for (let end = held.indexOf(blank); end >= 0; end = held.indexOf(blank, start)) {
      const frame = held.slice(start, end);
      start = end + blank.length;
      const data = frame.slice(frame.indexOf("data: ") + 6);
      if (data !== "[DONE]") read(JSON.parse(data));
    }
    held = held.slice(start);
  };
}

/** @param {readonly Buffer[]} chunks */
export const blankOf = (chunks) => (chunks[0]?.includes("\r\n\r\n") === true ? "\r\n\r\n" : "\n\n");

/** @param {readonly Buffer[]} chunks @param {(frame: any) => void} read */
export function byHand(chunks, read) {
  const push = createHandLoop(blankOf(chunks), read);
  for (const chunk of chunks) push(chunk.toString());
}

/** How a loop finds the text of a frame. @type {{ readonly [name: string]: (frame: any) => string | undefined }} */
export const textOf = {
  Messages: (frame) => frame.delta?.text,
  Chat: (frame) => frame.choices?.[0]?.delta.content,
  Responses: (frame) => (frame.type === "response.output_text.delta" ? frame.delta : undefined),
  Gemini: (frame) => frame.candidates?.[0]?.content.parts[0].text,
};

/** Name, bound of what its decoding may cost, protocol, and a stream of it. */
export const streams = /** @type {const} */ ([
  ["Messages", 1.7, anthropicMessages, pieces(messagesEvents(DELTAS))],
  ["Chat", 2, openaiChat, pieces(chatEvents(DELTAS, TEXT))],
  ["Responses", 2, openaiResponses, pieces(responsesEvents(DELTAS))],
  ["Gemini", 2, geminiGenerateContent, pieces(geminiEvents(DELTAS))],
]);
