import { knownKeys } from "../../codec/ledger.js";
/**
 * Field names of Chat Completions, as the SDK types spell them (`openai` 7.59.0; read 2026-11), and the extensions of compatible servers
 * that the IR has a word for. https://platform.openai.com/docs/api-reference/chat
 */
export const requestKeys = knownKeys("model", "messages", "tools", "functions", "tool_choice", "function_call", "parallel_tool_calls", "max_tokens", "max_completion_tokens", "stream", "stream_options", "temperature", "top_p", "top_k", "min_p", "stop", "seed", "n", "presence_penalty", "frequency_penalty", "logit_bias", "logprobs", "top_logprobs", "reasoning_effort", "response_format", "service_tier", "metadata", "user", "safety_identifier", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "store", "modalities", "audio", "verbosity", "prediction", "web_search_options", "moderation");
export const systemKeys = knownKeys("role", "content");
export const userKeys = knownKeys("role", "content", "name");
export const assistantKeys = knownKeys("role", "content", "name", "refusal", "audio", "tool_calls", "function_call", "annotations", "reasoning_content", "reasoning", "reasoning_details");
export const audioReferenceKeys = knownKeys("id");
export const audioAnswerKeys = knownKeys("id", "data", "transcript", "expires_at");
export const toolMessageKeys = knownKeys("role", "content", "tool_call_id", "name");
export const functionMessageKeys = knownKeys("role", "content", "name");
export const textKeys = knownKeys("type", "text", "prompt_cache_breakpoint", "cache_control");
export const refusalKeys = knownKeys("type", "refusal");
export const imageKeys = knownKeys("type", "image_url", "prompt_cache_breakpoint", "cache_control");
export const imageUrlKeys = knownKeys("url", "detail");
export const audioKeys = knownKeys("type", "input_audio", "prompt_cache_breakpoint", "cache_control");
export const inputAudioKeys = knownKeys("data", "format");
export const fileKeys = knownKeys("type", "file", "prompt_cache_breakpoint", "cache_control");
export const fileInnerKeys = knownKeys("file_data", "file_id", "filename");
export const toolCallKeys = knownKeys("id", "type", "function", "custom");
export const functionCallKeys = knownKeys("name", "arguments");
export const customCallKeys = knownKeys("name", "input");
export const toolKeys = knownKeys("type", "function", "custom", "cache_control");
export const functionKeys = knownKeys("name", "description", "parameters", "strict");
export const customKeys = knownKeys("name", "description", "format");
export const markKeys = knownKeys("mode", "ttl");
export const cacheControlKeys = knownKeys("type", "ttl");
export const responseKeys = knownKeys("id", "object", "created", "model", "choices", "usage");
export const choiceKeys = knownKeys("index", "finish_reason", "message");
export const usageKeys = knownKeys("prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "completion_tokens_details");
//# sourceMappingURL=wire.js.map