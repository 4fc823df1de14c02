// What requests and answers of each protocol look like, for scripts that play clients and services.

/** @typedef {"openai-chat" | "openai-responses" | "anthropic-messages" | "gemini-generate-content"} Protocol */
/**
 * @typedef {object} Family
 * @property {(origin: string) => string} base what the gateway is told to ask
 * @property {(model: string, stream: boolean) => string} path where clients ask
 * @property {(model: string, text: string, stream: boolean) => object} body
 * @property {(id: string, text: string) => object} whole an answer of the service
 * @property {(id: string) => string} start of a stream of the service
 * @property {(id: string, index: number, text: string) => string} delta
 * @property {(id: string, texts: readonly string[]) => string} end behind these deltas
 * @property {string} failure an error within a stream
 * @property {(message: string) => object} error the envelope of an error
 * @property {(error: any) => boolean} isError whether a body is such an envelope
 * @property {(body: any) => string | undefined} textOf of an answer that a client got
 * @property {(frame: any) => string | undefined} deltaOf of a frame that a client got
 * @property {(frame: any) => boolean} isEnd whether a frame says that the stream is complete
 */

/** @param {object} value */
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;
/** @param {{ type: string } & Record<string, unknown>} value */
const named = (value) => `event: ${value.type}\n${data(value)}`;

/** @param {string} id @param {object} delta @param {string | null} [finish] */
function chatChunk(id, delta, finish = null) {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return data({ id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: 1, model: "m", choices });
}

const chatUsage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

/** @param {string} id @param {string} status @param {readonly object[]} output @param {object | null} usage */
const responseOf = (id, status, output, usage) => ({
  id: `resp_${id}`,
  object: "response",
  created_at: 1,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: "m",
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  usage,
});
const responsesUsage = {
  input_tokens: 3,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 7,
};
/** @param {string} id @param {string} status @param {readonly object[]} content */
const messageOf = (id, status, content) => ({ id: `msg_${id}`, type: "message", status, role: "assistant", content });
/** @param {string} text */
const outputText = (text) => ({ type: "output_text", text, annotations: [], logprobs: [] });

/** @param {string} id @param {readonly object[]} content @param {string | null} stop */
const anthropicMessage = (id, content, stop) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model: "m",
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
});

/** @param {string} id @param {string} text @param {string} [finish] */
const candidatesOf = (id, text, finish) => ({
  candidates: [
    { content: { parts: [{ text }], role: "model" }, ...(finish !== undefined && { finishReason: finish }), index: 0 },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
  modelVersion: "m",
  responseId: `resp_${id}`,
});

/** @param {unknown} error */
const isNamedError = (error) => typeof error === "object" && error !== null && "message" in error;

/** @type {{ readonly [protocol in Protocol]: Family }} */
export const families = {
  "openai-chat": {
    base: (origin) => `${origin}/v1`,
    path: () => "/v1/chat/completions",
    body: (model, text, stream) => ({ model, messages: [{ role: "user", content: text }], stream }),
    whole: (id, text) => ({
      id: `chatcmpl-${id}`,
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: text, refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: chatUsage,
    }),
    start: (id) => chatChunk(id, { role: "assistant", content: "" }),
    delta: (id, _index, text) => chatChunk(id, { content: text }),
    end: (id) => `${chatChunk(id, {}, "stop")}data: [DONE]\n\n`,
    failure: data({ error: { message: "overloaded", type: "server_error", code: null, param: null } }),
    error: (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
    isError: (body) => isNamedError(body?.error),
    textOf: (body) => body.choices?.[0]?.message?.content,
    deltaOf: (frame) => frame.choices?.[0]?.delta?.content ?? undefined,
    isEnd: (frame) => typeof frame.choices?.[0]?.finish_reason === "string",
  },
  "openai-responses": {
    base: (origin) => `${origin}/v1`,
    path: () => "/v1/responses",
    body: (model, text, stream) => ({ model, input: text, stream, store: false }),
    whole: (id, text) => responseOf(id, "completed", [messageOf(id, "completed", [outputText(text)])], responsesUsage),
    start: (id) =>
      [
        { type: "response.created", response: responseOf(id, "in_progress", [], null) },
        { type: "response.in_progress", response: responseOf(id, "in_progress", [], null) },
        { type: "response.output_item.added", output_index: 0, item: messageOf(id, "in_progress", []) },
        {
          type: "response.content_part.added",
          item_id: `msg_${id}`,
          output_index: 0,
          content_index: 0,
          part: outputText(""),
        },
      ]
        .map(({ type, ...rest }, index) => named({ type, sequence_number: index, ...rest }))
        .join(""),
    delta: (id, index, text) =>
      named({
        type: "response.output_text.delta",
        sequence_number: 4 + index,
        item_id: `msg_${id}`,
        output_index: 0,
        content_index: 0,
        delta: text,
        logprobs: [],
      }),
    end: (id, texts) => {
      const text = texts.join("");
      const item = messageOf(id, "completed", [outputText(text)]);
      const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 };
      return [
        { type: "response.output_text.done", ...place, text, logprobs: [] },
        { type: "response.content_part.done", ...place, part: outputText(text) },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: responseOf(id, "completed", [item], responsesUsage) },
      ]
        .map(({ type, ...rest }, index) => named({ type, sequence_number: 4 + texts.length + index, ...rest }))
        .join("");
    },
    failure: named({ type: "error", code: "server_error", message: "overloaded", param: null, sequence_number: 9 }),
    error: (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
    isError: (body) => isNamedError(body?.error),
    textOf: (body) => body.output?.find((/** @type {any} */ item) => item.type === "message")?.content?.[0]?.text,
    deltaOf: (frame) => (frame.type === "response.output_text.delta" ? frame.delta : undefined),
    isEnd: (frame) => frame.type === "response.completed" || frame.type === "response.incomplete",
  },
  "anthropic-messages": {
    base: (origin) => origin,
    path: () => "/v1/messages",
    body: (model, text, stream) => ({ model, max_tokens: 100, messages: [{ role: "user", content: text }], stream }),
    whole: (id, text) => anthropicMessage(id, [{ type: "text", text }], "end_turn"),
    start: (id) =>
      named({ type: "message_start", message: anthropicMessage(id, [], null) }) +
      named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    delta: (_id, _index, text) => named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    end: () =>
      named({ type: "content_block_stop", index: 0 }) +
      named({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 9 },
      }) +
      named({ type: "message_stop" }),
    failure: named({ type: "error", error: { type: "overloaded_error", message: "overloaded" } }),
    error: (message) => ({ type: "error", error: { type: "api_error", message }, request_id: "req_1" }),
    isError: (body) => body?.type === "error" && isNamedError(body.error),
    textOf: (body) => body.content?.[0]?.text,
    deltaOf: (frame) => (frame.type === "content_block_delta" ? frame.delta?.text : undefined),
    isEnd: (frame) => frame.type === "message_stop",
  },
  "gemini-generate-content": {
    base: (origin) => origin,
    path: (model, stream) => `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (_model, text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    whole: (id, text) => candidatesOf(id, text, "STOP"),
    start: () => "",
    delta: (id, _index, text) => data(candidatesOf(id, text)),
    end: (id) => data(candidatesOf(id, "", "STOP")),
    failure: data({ error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } }),
    error: (message) => ({ error: { code: 500, message, status: "INTERNAL" } }),
    isError: (body) => isNamedError(body?.error) && typeof body.error.code === "number",
    textOf: (body) => body.candidates?.[0]?.content?.parts?.[0]?.text,
    deltaOf: (frame) => frame.candidates?.[0]?.content?.parts?.[0]?.text,
    isEnd: (frame) => typeof frame.candidates?.[0]?.finishReason === "string",
  },
};

export const protocols = /** @type {readonly Protocol[]} */ (Object.keys(families));

/** The events of a whole stream. @param {Protocol} protocol @param {string} id @param {readonly string[]} texts */
export function eventsOf(protocol, id, texts) {
  const { start, delta, end } = families[protocol];
  return [start(id), ...texts.map((text, index) => delta(id, index, text)), end(id, texts)].join("");
}

/** Whether a frame of a stream tells of a failure. @param {any} frame */
export function isFailure(frame) {
  return (
    (frame.error !== undefined && frame.error !== null) || frame.type === "error" || frame.type === "response.failed"
  );
}

/**
 * Reads the frames of whole events; a bare line behind them, as Google's services write their errors, is one as well. Throws for what is no JSON.
 * @param {string} text @returns {any[]}
 */
export function framesOf(text) {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/);
    const said = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
    const bare = lines.find((line) => line.startsWith("{"));
    const found = said.length > 0 ? said.join("\n") : bare;
    return found === undefined || found === "[DONE]" ? [] : [JSON.parse(found)];
  });
}
