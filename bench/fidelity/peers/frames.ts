import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";

/** An answer as the stream in which its service would have said it: nothing is added and nothing left out. */
export function framesOfAnswer(protocol: ProtocolId, answer: Json): readonly Json[] {
  if (!isJsonObject(answer)) return [];
  switch (protocol) {
    case "openai-chat":
      return chatFrames(answer);
    case "openai-responses":
      return responsesFrames(answer);
    case "anthropic-messages":
      return messagesFrames(answer);
    case "gemini-generate-content":
      return [answer];
  }
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const objects = (value: Json | undefined): readonly JsonObject[] => list(value).filter(isJsonObject);

function chatFrames({ choices, usage, ...rest }: JsonObject): Json[] {
  const base = { ...rest, object: "chat.completion.chunk" };
  const frames = objects(choices).flatMap(({ message, finish_reason, ...choice }): Json[] => {
    const { tool_calls, ...said } = isJsonObject(message) ? message : {};
    const calls = objects(tool_calls).map((call, index) => ({ index, ...call }));
    const delta = { ...said, ...(calls.length > 0 && { tool_calls: calls }) };
    const end = { ...choice, delta: {}, finish_reason: finish_reason ?? null };
    return [
      { ...base, choices: [{ ...choice, delta, finish_reason: null }] } as Json,
      { ...base, choices: [end] } as Json,
    ];
  });
  return usage === undefined ? frames : [...frames, { ...base, choices: [], usage }];
}

function responsesFrames(answer: JsonObject): Json[] {
  const { output, usage: _usage, ...begun } = answer;
  const items = objects(output).flatMap((item, output_index): Json[] => [
    { type: "response.output_item.added", output_index, item: emptied(item) },
    ...pieces(item, output_index),
    { type: "response.output_item.done", output_index, item },
  ]);
  const end = ["failed", "incomplete"].find((status) => status === answer["status"]) ?? "completed";
  const created = { type: "response.created", response: { ...begun, status: "in_progress", output: [] } };
  return [created, ...items, { type: `response.${end}`, response: answer }].map((frame, sequence_number) => ({
    ...(frame as JsonObject),
    sequence_number,
  }));
}

/** An item before anything of it was said. */
function emptied(item: JsonObject): JsonObject {
  const begun = { ...item, ...(item["status"] !== undefined && { status: "in_progress" }) };
  if (Array.isArray(item["content"])) Object.assign(begun, { content: [] });
  if (Array.isArray(item["summary"])) Object.assign(begun, { summary: [] });
  return typeof item["arguments"] === "string" ? { ...begun, arguments: "" } : begun;
}

function pieces(item: JsonObject, output_index: number): Json[] {
  const at = { item_id: item["id"] ?? "", output_index };
  const given = item["arguments"];
  const calls =
    typeof given === "string" ? [{ type: "response.function_call_arguments.delta", ...at, delta: given }] : [];
  const summary = objects(item["summary"]).flatMap((part, summary_index): Json[] => [
    { type: "response.reasoning_summary_part.added", ...at, summary_index, part: { ...part, text: "" } },
    { type: "response.reasoning_summary_text.delta", ...at, summary_index, delta: part["text"] ?? "" },
    { type: "response.reasoning_summary_part.done", ...at, summary_index, part },
  ]);
  const contents = objects(item["content"]).flatMap((part, content_index): Json[] => {
    const word = part["type"] === "refusal" ? "refusal" : "output_text";
    const text = part["text"] ?? part["refusal"] ?? "";
    const begun = word === "refusal" ? { ...part, refusal: "" } : { ...part, text: "", annotations: [] };
    return [
      { type: "response.content_part.added", ...at, content_index, part: begun },
      { type: `response.${word}.delta`, ...at, content_index, delta: text },
      { type: "response.content_part.done", ...at, content_index, part },
    ];
  });
  return [...calls, ...summary, ...contents];
}

function messagesFrames({ content, stop_reason, stop_sequence, usage, ...rest }: JsonObject): Json[] {
  const message = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage: usage ?? {} };
  const blocks = objects(content).flatMap((block, index): Json[] => {
    const { text, thinking, signature, input, citations, ...kind } = block;
    const isText = block["type"] === "text";
    const begun = {
      ...kind,
      ...(text !== undefined && { text: "" }),
      ...(thinking !== undefined && { thinking: "" }),
      ...(signature !== undefined && { signature: "" }),
      ...(input !== undefined && { input: {} }),
      ...(citations !== undefined && (isText ? { citations: [] } : { citations })),
    };
    const deltas = [
      ...(isText ? list(citations).map((citation) => ({ type: "citations_delta", citation })) : []),
      ...(text === undefined ? [] : [{ type: "text_delta", text }]),
      ...(thinking === undefined ? [] : [{ type: "thinking_delta", thinking }]),
      ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
      ...(input === undefined ? [] : [{ type: "input_json_delta", partial_json: JSON.stringify(input) }]),
    ];
    return [
      { type: "content_block_start", index, content_block: begun as Json },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta: delta as Json })),
      { type: "content_block_stop", index },
    ];
  });
  const end = { stop_reason: stop_reason ?? null, stop_sequence: stop_sequence ?? null };
  return [
    { type: "message_start", message: message as Json },
    ...blocks,
    { type: "message_delta", delta: end, usage: usage ?? {} },
    { type: "message_stop" },
  ];
}
