import { scalarText } from "../../codec/table.ts";
import { usagePointer } from "../../codec/usage.ts";
import type { Form, Node, ToolCallPart } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { signaturePointer } from "./parts/reasoning.ts";

const settingNames: { readonly [field: string]: string } = {
  maxTokens: "max_completion_tokens",
  topP: "top_p",
  topK: "top_k",
  minP: "min_p",
  stopSequences: "stop",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  logitBias: "logit_bias",
  topLogprobs: "top_logprobs",
  toolChoice: "tool_choice",
  "toolChoice/mode": "tool_choice",
  "toolChoice/names": "tool_choice",
  "toolChoice/subset": "tool_choice/type",
  parallelToolCalls: "parallel_tool_calls",
  streamOptions: "stream_options",
  "reasoning/mode": "reasoning_effort",
  "reasoning/effort": "reasoning_effort",
  serviceTier: "service_tier",
  speed: "service_tier",
  userId: "safety_identifier",
  "cache/key": "prompt_cache_key",
  "cache/retention": "prompt_cache_retention",
  "cache/mode": "prompt_cache_options/mode",
  cache: "prompt_cache_options",
  "cache/ttl": "prompt_cache_options/ttl",
  webSearch: "web_search_options",
  safety: "moderation",
  responseFormat: "response_format",
  "responseFormat/type": "response_format/type",
};

const usageNames: { readonly [field: string]: string } = {
  input: "prompt_tokens",
  output: "completion_tokens",
  cacheRead: "prompt_tokens_details/cached_tokens",
  cacheWrite: "prompt_tokens_details/cache_write_tokens",
  reasoning: "completion_tokens_details/reasoning_tokens",
  totalTokens: "total_tokens",
};

/** Of a response; the first candidate is the message itself. */
const messageNames: { readonly [field: string]: string } = {
  responseId: "id",
  responseModel: "model",
  timestamp: "created",
};

const callNames: { readonly [field: string]: string } = { name: "function/name", arguments: "function/arguments" };
const functionNames: { readonly [field: string]: string } = {
  name: "function/name",
  description: "function/description",
  strict: "function/strict",
  cacheBreakpoint: "cache_control",
};

/** Where a field of an IR node stands in a Chat body. */
export const fieldPointer: FieldPointer = (node, field, base) => {
  if (field === "whole") return "";
  if ("role" in node) return messageField(node, field, base);
  if ("totalTokens" in node) return usagePointer(usageNames, node, field);
  if (!("type" in node)) return settingField(field);
  const { type } = node as { readonly type: string };
  if (field.startsWith("state:")) return statePointer(node as Node, Number(field.slice(6)), base);
  switch (type) {
    case "toolCall":
      return callField(node as ToolCallPart, field);
    case "function":
    case "custom":
      return toolField(node as Node & { readonly type: string }, field);
    case "url":
      return citationField(field);
    default:
      return partField(node as Node, type, field, base);
  }
};

function messageField(node: object, field: string, base: string): string | undefined {
  const { role } = node as { readonly role: string };
  if (role === "toolResult") {
    if (field === "toolCallId") return "tool_call_id";
    if (field === "toolName") return "name";
    return field;
  }
  if (role !== "assistant") return field;
  const isAnswer = !base.startsWith("/messages/");
  if (!isAnswer) return field;
  if (field === "stopReason" || field === "stopDetail") return stopPointer((node as Node).wire?.form, base);
  // Where a reason would stand that is missing.
  if (field === "rawStopReason") return `${choicePointer((node as Node).wire?.form, base)}finish_reason`;
  return messageNames[field] ?? field;
}

/** The position of the answer among the choices, where it is not the first. */
export const primaryForm = "choices/primary";

/** Where the reason stands, or what lacks it: the choice, or the list of choices. */
function stopPointer(form: Form = {}, base: string): string {
  if (Array.isArray(form["choices"])) return "choices";
  const choice = choicePointer(form, base);
  return form[`${choice}finish_reason`] === "omitted" ? choice.slice(0, -1) : `${choice}finish_reason`;
}

/** The choice of a message, with a slash behind it. */
const choicePointer = (form: Form = {}, base: string): string =>
  base === "" ? `choices/${scalarText(form[primaryForm] ?? 0)}/` : "";

function settingField(field: string): string | undefined {
  if (field.startsWith("toolChoice/names/")) return `tool_choice/allowed_tools/tools/${field.slice(17)}`;
  if (field.startsWith("responseFormat/") && field !== "responseFormat/type")
    return `response_format/json_schema/${field.slice(15)}`;
  if (field.startsWith("stopSequences/")) return `stop/${field.slice(14)}`;
  return settingNames[field] ?? field;
}

function statePointer(node: Node, index: number, base: string): string | undefined {
  const kind = node.state?.[index]?.kind;
  if (kind === "itemId") return "id";
  if (kind !== "details" && kind !== "signature") return undefined;
  const place = kind === "details" ? "reasoning_details" : signaturePointer(node, index);
  if ("type" in node && node.type === "toolCall") return place;
  // Reasoning without a text stands where its state does.
  const pointer = `${messageOf(base)}/${place}`;
  return pointer === base ? "" : pointer;
}

/** The place of the message that reasoning stands in. */
function messageOf(base: string): string {
  return base.slice(
    0,
    base.search(/\/(?:reasoning(?:_content|_details)?|(?:extra_content\/google\/)?thought_signature)$/),
  );
}

function callField(call: ToolCallPart, field: string): string {
  if (call.wire?.form?.["function_call"] === true) return field;
  if (call.kind === "custom") return field === "name" ? "custom/name" : field === "arguments" ? "custom/input" : field;
  return callNames[field] ?? field;
}

function toolField(tool: Node & { readonly type: string }, field: string): string {
  if (tool.wire?.form?.["functions"] === true) return field === "type" ? "name" : field;
  if (field === "type" && tool.wire?.form?.["type"] === "omitted") return "function";
  if (tool.type === "custom") return field === "type" ? "type" : `custom/${field}`;
  if (field.startsWith("parameters")) return `function/${field}`;
  return functionNames[field] ?? field;
}

function citationField(field: string): string {
  const names: { readonly [field: string]: string } = {
    startIndex: "url_citation/start_index",
    endIndex: "url_citation/end_index",
  };
  return names[field] ?? (field === "type" ? "type" : `url_citation/${field}`);
}

function partField(part: Node, type: string, field: string, base: string): string | undefined {
  if (field === "repeated") return `${base.slice(0, base.lastIndexOf("/"))}/${String(part.wire?.form?.["repeated"])}`;
  const inString =
    base.endsWith("/content") ||
    base.endsWith("/refusal") ||
    base.endsWith("/reasoning_content") ||
    base.endsWith("/reasoning");
  if (type === "thinking" && field === "type") return "";
  if (inString) return field === "type" || field === "text" ? "" : undefined;
  if (type === "refusal" && field === "text") return "refusal";
  if (field === "cacheBreakpoint")
    return part.wire?.form?.["mark"] === "cache_control" ? "cache_control" : "prompt_cache_breakpoint";
  if (field === "cacheBreakpoint/ttl")
    return `${part.wire?.form?.["mark"] === "cache_control" ? "cache_control" : "prompt_cache_breakpoint"}/ttl`;
  if (type === "image") {
    if (field === "detail") return "image_url/detail";
    if (field === "source/mediaType")
      return part.wire?.form?.["image_url"] === "string" ? "image_url" : "image_url/url";
  }
  if (type === "audio" && field === "expiresAt") return "expires_at";
  if (type === "document" && field === "title") return "file/filename";
  if (type === "document" && field === "source/mediaType") return "file/file_data";
  return field;
}
