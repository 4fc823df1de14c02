import { scalarText } from "../codec/table.ts";
import type { Json, JsonObject, ProtocolId } from "../ir/index.ts";
import { isConversation, isJsonObject } from "../ir/index.ts";

const paths: readonly (readonly [RegExp, ProtocolId])[] = [
  [/\/chat\/completions(?:$|[?#])/, "openai-chat"],
  [/\/responses(?:$|[/?#])/, "openai-responses"],
  [/\/messages(?:$|[/?#])/, "anthropic-messages"],
  [/:(?:stream)?generateContent(?:$|[?#])/i, "gemini-generate-content"],
];

const anthropicKeys = [
  "system",
  "stop_sequences",
  "output_config",
  "anthropic_version",
  "anthropic_beta",
  "mcp_servers",
  "top_k",
];
const chatKeys = [
  "max_completion_tokens",
  "reasoning_effort",
  "response_format",
  "stream_options",
  "functions",
  "n",
  "logprobs",
  "presence_penalty",
  "frequency_penalty",
  "parallel_tool_calls",
  "stop",
  "seed",
  "user",
];
const anthropicBlocks = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "image",
  "document",
  "server_tool_use",
]);
const chatParts = new Set(["image_url", "input_audio", "file", "refusal"]);

/**
 * The protocol of a request, of a response or of the first event of a stream. `path` (the URL path of the request) decides where it is given
 * and known. Undefined where the body could be of several protocols. The name of the model tells nothing: any model may be served in any protocol.
 */
export function detectProtocol(body: unknown, path?: string): ProtocolId | undefined {
  for (const [pattern, protocol] of paths) if (path !== undefined && pattern.test(path)) return protocol;
  if (!isJsonObject(body)) return undefined;
  return detectResponse(body) ?? detectRequest(body);
}

function detectResponse(body: JsonObject): ProtocolId | undefined {
  if (Array.isArray(body["choices"])) return "openai-chat";
  if (Array.isArray(body["candidates"]) || isJsonObject(body["promptFeedback"])) return "gemini-generate-content";
  if (body["object"] === "response" || Array.isArray(body["output"])) return "openai-responses";
  if (body["type"] === "message" && body["role"] === "assistant") return "anthropic-messages";
  if (body["type"] === "message_start" && isJsonObject(body["message"])) return "anthropic-messages";
  if (body["type"] === "error" && isJsonObject(body["error"])) return "anthropic-messages";
  return undefined;
}

function detectRequest(body: JsonObject): ProtocolId | undefined {
  if (Array.isArray(body["contents"])) return "gemini-generate-content";
  if (Array.isArray(body["input"]) || typeof body["input"] === "string") return "openai-responses";
  if (!Array.isArray(body["messages"]) || isConversation(body)) return undefined;
  const signs = { chat: 0, anthropic: 0 };
  for (const key of anthropicKeys) if (key in body) signs.anthropic++;
  if (isAnthropicThinking(body["thinking"])) signs.anthropic++;
  for (const key of chatKeys) if (key in body) signs.chat++;
  for (const tool of Array.isArray(body["tools"]) ? (body["tools"] as readonly Json[]) : []) countTool(tool, signs);
  if (
    isJsonObject(body["tool_choice"]) &&
    ["auto", "any", "tool", "none"].includes(scalarText(body["tool_choice"]["type"]))
  )
    signs.anthropic++;
  if (typeof body["tool_choice"] === "string") signs.chat++;
  for (const message of body["messages"] as readonly Json[]) countMessage(message, signs);
  if (signs.chat === signs.anthropic) {
    // Anthropic Messages demands max_tokens of all but the counting of tokens, which has a path of its own.
    return "max_tokens" in body ? undefined : "openai-chat";
  }
  return signs.chat > signs.anthropic ? "openai-chat" : "anthropic-messages";
}

/** Compatible servers take `thinking` as well, but neither modes that decide by themselves nor budgets. */
function isAnthropicThinking(thinking: Json | undefined): boolean {
  if (!isJsonObject(thinking)) return false;
  const { type } = thinking;
  return type === "adaptive" || type === "between_tools" || typeof thinking["budget_tokens"] === "number";
}

interface Signs {
  chat: number;
  anthropic: number;
}

function countTool(tool: Json, signs: Signs): void {
  if (!isJsonObject(tool)) return;
  if ("input_schema" in tool || /_\d{8}$/.test(scalarText(tool["type"]))) signs.anthropic++;
  else if (isJsonObject(tool["function"])) signs.chat++;
}

function countMessage(message: Json, signs: Signs): void {
  if (!isJsonObject(message)) return;
  const { role, content } = message;
  if (role === "developer" || role === "tool" || role === "function" || "tool_calls" in message) signs.chat++;
  else if (role === "system") signs.chat += 0.5;
  for (const part of Array.isArray(content) ? (content as readonly Json[]) : []) {
    const type = isJsonObject(part) ? scalarText(part["type"]) : "";
    if (anthropicBlocks.has(type)) signs.anthropic++;
    if (chatParts.has(type)) signs.chat++;
  }
}
