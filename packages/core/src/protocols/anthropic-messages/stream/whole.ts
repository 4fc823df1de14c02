import type { Encoded, EncodeOptions } from "../../../codec/protocol.ts";
import type { AssistantMessage, Exchange, Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { failureOf } from "../../../stream/failure.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import { encodeResponse } from "../response.ts";
import { errorFrame, frameOf, lastFrameOf } from "./block.ts";

/** The whole stream that gives a message. */
export function encodeStream(
  message: AssistantMessage,
  exchange?: Exchange,
  options?: EncodeOptions,
): Encoded<readonly StreamFrame[]> {
  const { value, losses } = encodeResponse(message, exchange, options);
  const { content, stop_reason = null, stop_sequence = null, stop_details, usage, ...others } = value;
  const head: JsonObject = {
    ...others,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(isJsonObject(usage) && { usage: { ...usage, output_tokens: 0 } }),
  };
  const failure = failureOf(message);
  const delta: JsonObject = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) };
  return {
    value: [
      frameOf({ type: "message_start", message: head }),
      ...(Array.isArray(content) ? content : []).flatMap(blockFrames),
      ...(failure === undefined
        ? [
            lastFrameOf({ type: "message_delta", delta, ...(usage !== undefined && { usage }) }),
            lastFrameOf({ type: "message_stop" }),
          ]
        : [errorFrame(failure)]),
    ],
    // An error says all that a reason to end could not.
    losses: failure === undefined ? losses : losses.filter(({ code }) => code !== "response.error"),
  };
}

function blockFrames(block: Json, index: number): StreamFrame[] {
  if (!isJsonObject(block)) return [];
  const { start, deltas } = piecesOf(block);
  return [
    frameOf({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => frameOf({ type: "content_block_delta", index, delta })),
    frameOf({ type: "content_block_stop", index }),
  ];
}

/** Clients read texts and inputs from deltas alone; all other blocks come whole. */
function piecesOf(block: JsonObject): { readonly start: JsonObject; readonly deltas: readonly JsonObject[] } {
  const { text, thinking, signature, citations, input } = block;
  switch (block["type"]) {
    case "text": {
      const cited = Array.isArray(citations) ? citations : undefined;
      return {
        start: { ...block, text: "", ...(cited !== undefined && { citations: [] }) },
        deltas: [
          { type: "text_delta", text: text ?? "" },
          ...(cited ?? []).map((citation) => ({ type: "citations_delta", citation })),
        ],
      };
    }
    case "thinking":
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking: thinking ?? "" },
          ...(signature === undefined || signature === "" ? [] : [{ type: "signature_delta", signature }]),
        ],
      };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return {
        start: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(input ?? {}) }],
      };
    default:
      return { start: block, deltas: [] };
  }
}
