import type { KnownKeys } from "../../codec/ledger.ts";
import { knownKeys } from "../../codec/ledger.ts";

/**
 * Field names of the Messages API, as its SDK types spell them (`@anthropic-ai/sdk` 1.14.0 and 0.137.0; read 2026-11).
 * https://platform.claude.com/docs/en/api/messages
 */
export const requestKeys: KnownKeys = knownKeys(
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "max_tokens",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "thinking",
  "output_config",
  "output_format",
  "metadata",
  "service_tier",
  "speed",
  "cache_control",
);

export const messageKeys: KnownKeys = knownKeys("role", "content");
export const systemMessageKeys: KnownKeys = knownKeys("role", "content", "clear_at", "output_config");

export const textKeys: KnownKeys = knownKeys("type", "text", "cache_control", "citations");
export const imageKeys: KnownKeys = knownKeys("type", "source", "cache_control");
export const documentKeys: KnownKeys = knownKeys("type", "source", "cache_control", "citations", "context", "title");
export const searchResultKeys: KnownKeys = knownKeys(
  "type",
  "content",
  "source",
  "title",
  "cache_control",
  "citations",
);
export const thinkingKeys: KnownKeys = knownKeys("type", "thinking", "signature");
export const redactedThinkingKeys: KnownKeys = knownKeys("type", "data");
export const toolUseKeys: KnownKeys = knownKeys("type", "id", "name", "input", "cache_control", "caller");
export const serverToolUseKeys: KnownKeys = knownKeys(
  "type",
  "id",
  "name",
  "input",
  "server_name",
  "cache_control",
  "caller",
);
export const toolResultKeys: KnownKeys = knownKeys("type", "tool_use_id", "content", "is_error", "cache_control");
export const toolReferenceKeys: KnownKeys = knownKeys("type", "tool_name", "cache_control");
export const toolChangeKeys: KnownKeys = knownKeys("type", "tool");
export const markedChangeKeys: KnownKeys = knownKeys("type", "tool", "cache_control");
export const namedReferenceKeys: KnownKeys = knownKeys("type", "name");

export const toolKeys: KnownKeys = knownKeys(
  "type",
  "name",
  "description",
  "input_schema",
  "cache_control",
  "strict",
  "defer_loading",
  "input_examples",
  "allowed_callers",
);

export const cacheControlKeys: KnownKeys = knownKeys("type", "ttl");

export const responseKeys: KnownKeys = knownKeys(
  "id",
  "type",
  "role",
  "model",
  "content",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "usage",
);
export const stopDetailsKeys: KnownKeys = knownKeys("type", "category", "explanation");
export const usageKeys: KnownKeys = knownKeys(
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "output_tokens_details",
);

/** Image types that the API accepts. */
export const imageTypes: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
