import fc from "fast-check";

/** Texts of which some are spelled like keys, and some need escapes. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "}",
    "a",
    " token",
    ",",
    "content",
    "delta",
    '"',
    "\\",
    "\n",
    "é",
    "\ud83c",
    '":"',
    '"content":"a"',
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

export const chunk = (fields: object) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  ...fields,
});
export const choice = (delta: object, finish: string | null, index = 0) => ({ index, delta, finish_reason: finish });
export const call = (args: string) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] });
export const callStart = {
  tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }],
};

export const chatFrame: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: text.map((content) => chunk({ choices: [choice({ content }, null)] })) },
  text.map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
  text.map((reasoning_content) => chunk({ choices: [choice({ reasoning_content }, null)] })),
  text.map((refusal) => chunk({ choices: [choice({ refusal }, null)] })),
  text.map((content) => chunk({ choices: [choice({ content }, null, 1)] })),
  fc
    .tuple(text, text)
    .map(([content, other]) => chunk({ choices: [choice({ content }, null), choice({ content: other }, null, 1)] })),
  {
    weight: 3,
    arbitrary: fc
      .tuple(text, text)
      .map(([content, obfuscation]) => chunk({ choices: [choice({ content }, null)], obfuscation })),
  },
  fc
    .tuple(text, text)
    .map(([content, extra]) => chunk({ content: extra, choices: [choice({ content, x: extra }, null)] })),
  fc.constant(chunk({ choices: [choice(callStart, null)] })),
  { weight: 3, arbitrary: text.map((args) => chunk({ choices: [choice(call(args), null)] })) },
  fc.constant(chunk({ choices: [choice({}, null)] })),
  fc.constant(chunk({ choices: [choice({}, "stop")] })),
  fc.constant(chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })),
);

const blockIndex = fc.constantFrom(0, 1);
const blockStart = (content: object) =>
  blockIndex.map((index) => ({ type: "content_block_start", index, content_block: content }));
const blockDelta = (key: string, type: string) =>
  fc
    .tuple(blockIndex, text)
    .map(([index, piece]) => ({ type: "content_block_delta", index, delta: { type, [key]: piece } }));

export const messagesFrame: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: blockDelta("text", "text_delta") },
  { weight: 3, arbitrary: blockDelta("partial_json", "input_json_delta") },
  blockDelta("thinking", "thinking_delta"),
  blockDelta("strange", "strange_delta"),
  blockIndex.map((index) => ({
    type: "content_block_delta",
    index,
    delta: {
      type: "citations_delta",
      citation: {
        type: "web_search_result_location",
        url: "https://a.example",
        title: "t",
        cited_text: "c",
        encrypted_index: "e",
      },
    },
  })),
  blockStart({ type: "text", text: "" }),
  blockStart({ type: "thinking", thinking: "", signature: "" }),
  blockStart({ type: "tool_use", id: "t", name: "f", input: {} }),
  blockIndex.map((index) => ({ type: "content_block_stop", index })),
  fc.constant({ type: "ping" }),
);
export const messagesStart = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

export const textStart = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };

/** Counts, some of which are written in more than digits. */
const count = fc.oneof(
  { weight: 6, arbitrary: fc.nat(300) },
  fc.constantFrom<unknown>(0, -1, 1.5, 1e21, 2 ** 53, 1e15, null, "3"),
);

export const geminiFrame: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: text.map((piece) => geminiChunk([{ text: piece }])) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(text, count, count)
      .map(([piece, candidatesTokenCount, totalTokenCount]) =>
        geminiChunk([{ text: piece }], {}, { promptTokenCount: 3, candidatesTokenCount, totalTokenCount }),
      ),
  },
  fc
    .tuple(text, count, count)
    .map(([piece, total, tokenCount]) =>
      geminiChunk(
        [{ text: piece }],
        {},
        { totalTokenCount: total, candidatesTokensDetails: [{ modality: "TEXT", tokenCount }], strange: total },
      ),
    ),
  { weight: 3, arbitrary: text.map((piece) => geminiChunk([{ text: piece, thought: true }])) },
  text.map((piece) => geminiChunk([{ text: piece, thought: true, thoughtSignature: "c2ln" }])),
  fc.tuple(text, text).map(([first, second]) => geminiChunk([{ text: first }, { text: second }])),
  fc.constant(geminiChunk([{ functionCall: { name: "f", args: {} } }])),
  fc.constant(geminiChunk([], { finishReason: "STOP" })),
  text.map((piece) => geminiChunk([{ text: piece }], { finishReason: "STOP" })),
);
export function geminiChunk(parts: readonly object[], more: object = {}, usageMetadata?: object) {
  const candidates = [{ index: 0, content: { role: "model", parts }, ...more }];
  return { candidates, ...(usageMetadata !== undefined && { usageMetadata }), responseId: "r", modelVersion: "m" };
}

export const responsesStart = [
  { type: "response.created", sequence_number: 0, response: { id: "r", object: "response", model: "m", output: [] } },
  {
    type: "response.output_item.added",
    sequence_number: 1,
    output_index: 0,
    item: { id: "i", type: "message", role: "assistant", status: "in_progress", content: [] },
  },
  {
    type: "response.output_item.added",
    output_index: 1,
    item: { id: "f", type: "function_call", call_id: "c", name: "f", arguments: "" },
  },
];
const responsesDelta = (type: string, place: object) =>
  fc.tuple(text, count, text).map(([delta, sequence_number, obfuscation]) => ({
    type,
    ...place,
    sequence_number,
    delta,
    obfuscation,
  }));
export const responsesFrame: fc.Arbitrary<object> = fc.oneof(
  {
    weight: 6,
    arbitrary: responsesDelta("response.output_text.delta", { item_id: "i", output_index: 0, content_index: 0 }),
  },
  responsesDelta("response.output_text.delta", { item_id: "i", output_index: 0, content_index: 0, logprobs: [] }),
  responsesDelta("response.output_text.delta", { item_id: "i", output_index: 0, content_index: 1 }),
  responsesDelta("response.refusal.delta", { item_id: "i", output_index: 0, content_index: 2 }),
  {
    weight: 3,
    arbitrary: responsesDelta("response.function_call_arguments.delta", { item_id: "f", output_index: 1 }),
  },
  text.map((delta) => ({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta })),
  text.map((delta) => ({
    type: "response.output_text.delta",
    output_index: 0,
    content_index: 0,
    delta,
    nested: { sequence_number: 1, delta: "a" },
    sequence_number: 1,
  })),
  text.map((whole) => ({ type: "response.output_text.done", output_index: 0, content_index: 0, text: whole })),
  text.map((whole) => ({ type: "response.function_call_arguments.done", output_index: 1, arguments: whole })),
  text.map((whole) => ({
    type: "response.output_text.done",
    output_index: 0,
    content_index: 0,
    text: whole.repeat(3),
    sequence_number: 1,
  })),
);
