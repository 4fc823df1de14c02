import type { Pointer, ProtocolId } from "@rolecall/core";

/** Where losses of an area stand: at these places of a body or below them. `*` is one key or index; `/**` is anywhere. */
type Places = { readonly [P in ProtocolId]?: readonly Pointer[] };

const chatMessages = ["/messages/*", "/choices/*/message"];
const anthropicBlocks = ["/messages/*/content/*", "/content/*"];

/** By the first word of the code. */
const places: { readonly [area: string]: Places } = {
  part: {
    "openai-chat": ["/messages/*/content/*", "/choices/*/message/content/*"],
    "anthropic-messages": anthropicBlocks,
  },
  text: { "openai-chat": chatMessages, "anthropic-messages": ["/messages/*/content", "/content/*", "/system"] },
  refusal: {
    "openai-chat": ["/messages/*/refusal", "/messages/*/content/*", "/choices/*/message/refusal"],
    "anthropic-messages": ["/stop_details"],
  },
  media: {
    "openai-chat": ["/messages/*/content/*"],
    "anthropic-messages": ["/messages/*/content/*", "/messages/*/content/*/content/*"],
  },
  document: { "openai-chat": ["/messages/*/content/*/file"], "anthropic-messages": ["/messages/*/content/*"] },
  server_tool: { "openai-chat": chatMessages, "anthropic-messages": anthropicBlocks },
  citation: {
    "openai-chat": ["/messages/*/annotations/*", "/choices/*/message/annotations/*"],
    "anthropic-messages": ["/messages/*/content/*/citations/*", "/content/*/citations/*"],
  },
  message: { "openai-chat": ["/messages/*"], "anthropic-messages": ["/messages/*"] },
  instruction: { "openai-chat": ["/messages/*"], "anthropic-messages": ["/system", "/messages/*"] },
  turn: { "openai-chat": chatMessages, "anthropic-messages": ["/messages/*", "/content/*"] },
  tool: {
    "openai-chat": [
      "/tools/*",
      "/functions/*",
      "/response_format",
      ...chatMessages.map((path) => `${path}/tool_calls/*`),
    ],
    "anthropic-messages": ["/tools/*", "/output_config/format", ...anthropicBlocks],
  },
  tool_call: {
    "openai-chat": chatMessages.map((path) => `${path}/tool_calls/*`),
    "anthropic-messages": anthropicBlocks,
  },
  tool_result: { "openai-chat": ["/messages/*"], "anthropic-messages": ["/messages/*"] },
  tool_choice: { "openai-chat": ["/tool_choice", "/tools/*"], "anthropic-messages": ["/tool_choice", "/tools/*"] },
  state: {
    "openai-chat": chatMessages.map((path) => `${path}/reasoning_details`),
    "anthropic-messages": [...anthropicBlocks, "/container"],
  },
  reasoning: {
    "openai-chat": [
      "/reasoning_effort",
      ...["reasoning", "reasoning_content", "reasoning_details"].flatMap((key) =>
        chatMessages.map((path) => `${path}/${key}`),
      ),
    ],
    "anthropic-messages": ["/thinking", "/output_config/effort", ...anthropicBlocks],
  },
  setting: { "openai-chat": ["/*"], "anthropic-messages": ["/*"] },
  cache: {
    "openai-chat": ["/prompt_cache_key", "/prompt_cache_retention", "/messages/*"],
    "anthropic-messages": ["/cache_control", "/system/*", "/tools/*", "/messages/*"],
  },
  format: { "openai-chat": ["/response_format"], "anthropic-messages": ["/output_config/format", "/output_format"] },
  usage: { "openai-chat": ["/usage"], "anthropic-messages": ["/usage"] },
  stop: { "openai-chat": ["/choices/*/finish_reason"], "anthropic-messages": ["/stop_reason", "/stop_sequence"] },
  response: { "openai-chat": ["/created", "/choices/*", "/error"], "anthropic-messages": ["/error"] },
  error: { "openai-chat": ["/body/error"], "anthropic-messages": ["/body/error"] },
  field: { "openai-chat": ["/**"], "anthropic-messages": ["/**"] },
  header: { "anthropic-messages": ["/headers"] },
};

/** The area of a code: what stands before the dot. */
export function areaOf(code: string): string {
  return code.slice(0, code.indexOf("."));
}

/** Where a loss of this code may stand in a body of each protocol, as far as that is known beforehand. */
export function placesOf(code: string): readonly (readonly [ProtocolId, readonly Pointer[]])[] {
  const area = areaOf(code);
  const known: Places = Object.hasOwn(places, area) ? (places[area] ?? {}) : {};
  return Object.entries(known) as [ProtocolId, readonly Pointer[]][];
}
