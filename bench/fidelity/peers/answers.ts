import type { Json, JsonObject, ProtocolId } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import { model } from "../samples.ts";

/** The least answers, for requests whose answers nobody reads. */
export const leastAnswers: { readonly [protocol in ProtocolId]: JsonObject } = {
  "openai-chat": {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1767225600,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  "openai-responses": {
    id: "resp_1",
    object: "response",
    created_at: 1767225600,
    status: "completed",
    model,
    output: [
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Yes.", annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  "anthropic-messages": {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text: "Yes." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  "gemini-generate-content": {
    candidates: [{ content: { role: "model", parts: [{ text: "Yes." }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
};

/** The names of the tools that an answer calls, so that none is unknown. */
export function namesIn(body: Json): string[] {
  if (Array.isArray(body)) return (body as readonly Json[]).flatMap(namesIn);
  if (!isJsonObject(body)) return [];
  const { name } = body;
  return [...(typeof name === "string" ? [name] : []), ...Object.values(body).flatMap(namesIn)];
}
