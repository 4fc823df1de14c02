import type { KnownKeys } from "../../codec/ledger.ts";
import { knownKeys } from "../../codec/ledger.ts";

/**
 * Field names of Chat Completions, as the SDK types spell them (`openai` 7.59.0; read 2026-11), and the extensions of compatible servers
 * that the IR has a word for. https://platform.openai.com/docs/api-reference/chat
 */
export const requestKeys: KnownKeys = knownKeys(
  "model",
  "messages",
  "tools",
  "functions",
  "tool_choice",
  "function_call",
  "parallel_tool_calls",
  "max_tokens",
  "max_completion_tokens",
  "stream",
  "stream_options",
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "stop",
  "seed",
  "random_seed",
  "n",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "reasoning_effort",
  "response_format",
  "service_tier",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "store",
  "modalities",
  "audio",
  "verbosity",
  "prediction",
  "web_search_options",
  "moderation",
);

export const systemKeys: KnownKeys = knownKeys("role", "content");
export const userKeys: KnownKeys = knownKeys("role", "content", "name");
export const assistantKeys: KnownKeys = knownKeys(
  "role",
  "content",
  "name",
  "refusal",
  "audio",
  "tool_calls",
  "function_call",
  "annotations",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
);
export const audioReferenceKeys: KnownKeys = knownKeys("id");
export const audioAnswerKeys: KnownKeys = knownKeys("id", "data", "transcript", "expires_at");
export const toolMessageKeys: KnownKeys = knownKeys("role", "content", "tool_call_id", "name");
export const functionMessageKeys: KnownKeys = knownKeys("role", "content", "name");

export const textKeys: KnownKeys = knownKeys("type", "text", "prompt_cache_breakpoint", "cache_control");
export const refusalKeys: KnownKeys = knownKeys("type", "refusal");
export const imageKeys: KnownKeys = knownKeys("type", "image_url", "prompt_cache_breakpoint", "cache_control");
export const imageUrlKeys: KnownKeys = knownKeys("url", "detail");
export const audioKeys: KnownKeys = knownKeys("type", "input_audio", "prompt_cache_breakpoint", "cache_control");
export const inputAudioKeys: KnownKeys = knownKeys("data", "format");
export const fileKeys: KnownKeys = knownKeys("type", "file", "prompt_cache_breakpoint", "cache_control");
export const fileInnerKeys: KnownKeys = knownKeys("file_data", "file_id", "filename");

export const toolCallKeys: KnownKeys = knownKeys("id", "type", "function", "custom");
export const functionCallKeys: KnownKeys = knownKeys("name", "arguments");
export const customCallKeys: KnownKeys = knownKeys("name", "input");

export const toolKeys: KnownKeys = knownKeys("type", "function", "custom", "cache_control");
export const functionKeys: KnownKeys = knownKeys("name", "description", "parameters", "strict");
export const customKeys: KnownKeys = knownKeys("name", "description", "format");

export const markKeys: KnownKeys = knownKeys("mode", "ttl");
export const cacheControlKeys: KnownKeys = knownKeys("type", "ttl");

export const responseKeys: KnownKeys = knownKeys("id", "object", "created", "model", "choices", "usage");
export const choiceKeys: KnownKeys = knownKeys("index", "finish_reason", "message");
export const usageKeys: KnownKeys = knownKeys(
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
);
