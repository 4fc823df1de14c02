import type { KnownKeys } from "../../codec/ledger.ts";
import { knownKeys } from "../../codec/ledger.ts";

/**
 * Field names of Responses that the IR has a word for, as the SDK types spell them (`openai` 7.59.0; read 2026-11).
 * https://platform.openai.com/docs/api-reference/responses and https://www.openresponses.org
 */
export const requestKeys: KnownKeys = knownKeys(
  "model",
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_output_tokens",
  "stream",
  "stream_options",
  "temperature",
  "top_p",
  "presence_penalty",
  "frequency_penalty",
  "top_logprobs",
  "include",
  "reasoning",
  "text",
  "service_tier",
  "metadata",
  "safety_identifier",
  "user",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "store",
  "previous_response_id",
  "moderation",
);

export const messageKeys: KnownKeys = knownKeys("type", "role", "content", "id", "status");
export const outputMessageKeys: KnownKeys = knownKeys("type", "role", "content", "id", "status", "phase");
export const reasoningKeys: KnownKeys = knownKeys("type", "id", "status", "summary", "content", "encrypted_content");

export const toolsItemKeys: KnownKeys = knownKeys("type", "role", "tools", "id", "status");
export const configurationKeys: KnownKeys = knownKeys("type", "id", "reasoning");
export const effortKeys: KnownKeys = knownKeys("effort");

export const textKeys: KnownKeys = knownKeys("type", "text", "prompt_cache_breakpoint");
export const outputTextKeys: KnownKeys = knownKeys("type", "text", "annotations");
export const refusalKeys: KnownKeys = knownKeys("type", "refusal");
export const imageKeys: KnownKeys = knownKeys("type", "image_url", "file_id", "detail", "prompt_cache_breakpoint");
export const fileKeys: KnownKeys = knownKeys(
  "type",
  "file_data",
  "file_id",
  "file_url",
  "filename",
  "detail",
  "prompt_cache_breakpoint",
);
export const markKeys: KnownKeys = knownKeys("mode", "ttl");

export const functionKeys: KnownKeys = knownKeys(
  "type",
  "name",
  "description",
  "parameters",
  "strict",
  "defer_loading",
  "allowed_callers",
  "output_schema",
);
export const customKeys: KnownKeys = knownKeys(
  "type",
  "name",
  "description",
  "format",
  "defer_loading",
  "allowed_callers",
);
export const namespaceKeys: KnownKeys = knownKeys("type", "name", "description", "tools");

export const responseKeys: KnownKeys = knownKeys(
  "id",
  "object",
  "created_at",
  "status",
  "incomplete_details",
  "model",
  "output",
  "usage",
);
/** What a response says again of its request, and what follows from the rest of it. */
export const echoKeys: KnownKeys = knownKeys(
  "background",
  "billing",
  "completed_at",
  "conversation",
  "frequency_penalty",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "output_text",
  "parallel_tool_calls",
  "presence_penalty",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
  "user",
);
export const usageKeys: KnownKeys = knownKeys(
  "input_tokens",
  "input_tokens_details",
  "output_tokens",
  "output_tokens_details",
  "total_tokens",
);
