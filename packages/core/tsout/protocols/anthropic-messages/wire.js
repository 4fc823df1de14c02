import { knownKeys } from "../../codec/ledger.js";
/**
 * Field names of the Messages API, as its SDK types spell them (`@anthropic-ai/sdk` 1.14.0 and 0.137.0; read 2026-11).
 * https://platform.claude.com/docs/en/api/messages
 */
export const requestKeys = knownKeys("model", "messages", "system", "tools", "tool_choice", "max_tokens", "stream", "temperature", "top_p", "top_k", "stop_sequences", "thinking", "output_config", "output_format", "metadata", "service_tier", "speed", "cache_control");
export const messageKeys = knownKeys("role", "content");
export const systemMessageKeys = knownKeys("role", "content", "clear_at", "output_config");
export const textKeys = knownKeys("type", "text", "cache_control", "citations");
export const imageKeys = knownKeys("type", "source", "cache_control");
export const documentKeys = knownKeys("type", "source", "cache_control", "citations", "context", "title");
export const searchResultKeys = knownKeys("type", "content", "source", "title", "cache_control", "citations");
export const thinkingKeys = knownKeys("type", "thinking", "signature");
export const redactedThinkingKeys = knownKeys("type", "data");
export const toolUseKeys = knownKeys("type", "id", "name", "input", "cache_control", "caller");
export const serverToolUseKeys = knownKeys("type", "id", "name", "input", "server_name", "cache_control", "caller");
export const toolResultKeys = knownKeys("type", "tool_use_id", "content", "is_error", "cache_control");
export const toolReferenceKeys = knownKeys("type", "tool_name", "cache_control");
export const toolChangeKeys = knownKeys("type", "tool");
export const markedChangeKeys = knownKeys("type", "tool", "cache_control");
export const namedReferenceKeys = knownKeys("type", "name");
export const toolKeys = knownKeys("type", "name", "description", "input_schema", "cache_control", "strict", "defer_loading", "input_examples", "allowed_callers");
export const cacheControlKeys = knownKeys("type", "ttl");
export const responseKeys = knownKeys("id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "stop_details", "usage");
export const stopDetailsKeys = knownKeys("type", "category", "explanation");
export const usageKeys = knownKeys("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation", "output_tokens_details");
/** Image types that the API accepts. */
export const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"];
//# sourceMappingURL=wire.js.map