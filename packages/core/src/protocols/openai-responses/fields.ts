import { usagePointer } from "../../codec/usage.ts";
import type {
  AssistantTurn,
  Form,
  Node,
  Part,
  SystemMessage,
  ToolCallPart,
  ToolResultMessage,
} from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";

const settingNames: { readonly [field: string]: string } = {
  maxTokens: "max_output_tokens",
  topP: "top_p",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  topLogprobs: "top_logprobs",
  logprobs: "include",
  toolChoice: "tool_choice",
  "toolChoice/mode": "tool_choice",
  "toolChoice/names": "tool_choice",
  "toolChoice/subset": "tool_choice/type",
  parallelToolCalls: "parallel_tool_calls",
  streamOptions: "stream_options",
  "reasoning/mode": "reasoning/effort",
  serviceTier: "service_tier",
  speed: "service_tier",
  userId: "safety_identifier",
  "cache/key": "prompt_cache_key",
  "cache/retention": "prompt_cache_retention",
  "cache/mode": "prompt_cache_options/mode",
  "cache/ttl": "prompt_cache_options/ttl",
  cache: "prompt_cache_options",
  previousResponseId: "previous_response_id",
  safety: "moderation",
  responseFormat: "text/format",
  verbosity: "text/verbosity",
};

const usageNames: { readonly [field: string]: string } = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "input_tokens_details/cached_tokens",
  cacheWrite: "input_tokens_details/cache_write_tokens",
  "cacheWriteByTtl/30m": "input_tokens_details/cache_write_tokens_details/ttl_30m_tokens",
  "cacheWriteByTtl/12h": "input_tokens_details/cache_write_tokens_details/ttl_12h_tokens",
  reasoning: "output_tokens_details/reasoning_tokens",
  totalTokens: "total_tokens",
};

/** Of a response. */
const messageNames: { readonly [field: string]: string } = {
  responseId: "id",
  responseModel: "model",
  timestamp: "created_at",
};

const toolNames: { readonly [field: string]: string } = {
  deferLoading: "defer_loading",
  allowedCallers: "allowed_callers",
  outputSchema: "output_schema",
};

const citationNames: { readonly [field: string]: string } = {
  startIndex: "start_index",
  endIndex: "end_index",
  fileId: "file_id",
  sourceIndex: "index",
};

/** Where a field of an IR node stands in a Responses body. */
export const fieldPointer: FieldPointer = (node, field, base) => {
  if (field === "whole") return "";
  if (field.startsWith("state:")) return statePointer(node as Node, Number(field.slice(6)));
  if ("role" in node) return messageField(node as Node & { readonly role: string }, field, base);
  if ("totalTokens" in node) return usagePointer(usageNames, node, field);
  if (!("type" in node)) return settingField(field);
  const { type } = node as { readonly type: string };
  switch (type) {
    case "toolCall":
      return callField(node as ToolCallPart, field);
    case "function":
    case "custom":
    case "namespace":
      return toolNames[field] ?? field;
    case "url":
      return citationNames[field] ?? field;
    case "file":
      return field === "title" ? "filename" : (citationNames[field] ?? field);
    default:
      return partField(node as Part, field, base);
  }
};

function settingField(field: string): string {
  if (field.startsWith("responseFormat/")) return `text/format/${field.slice(15)}`;
  if (field.startsWith("toolChoice/names/")) return `tool_choice/tools/${field.slice(17)}`;
  return settingNames[field] ?? field;
}

function statePointer(node: Node, index: number): string | undefined {
  switch (node.state?.[index]?.kind) {
    case "encrypted":
      return "encrypted_content";
    case "itemId":
      return "id";
    default:
      return undefined;
  }
}

function messageField(node: Node & { readonly role: string }, field: string, base: string): string | undefined {
  const { role } = node;
  if (role === "toolResult") return resultField(node as ToolResultMessage, field);
  if (role === "system") return systemField(node as SystemMessage, field, base);
  if (role !== "assistant") return base === "/input" ? "" : field === "role" ? "role" : field;
  if (!base.startsWith("/input")) {
    if (field === "stopReason" || field === "stopDetail")
      return base.endsWith("/incomplete_details") ? "reason" : stopPointer(node.wire?.form);
    return messageNames[field] ?? field;
  }
  return field === "role" ? turnRole(node as AssistantTurn) : field;
}

/** A turn has no role of its own: that of its first item, or what that item is. */
function turnRole({ content: [first] }: AssistantTurn): string {
  return first?.type === "text" || first?.type === "refusal" ? "role" : "type";
}

/** Where a response says why it ended, or what lacks it. */
function stopPointer(form: Form = {}): string {
  if (form["incomplete_details"] === "reason") return "incomplete_details/reason";
  return typeof form["status"] === "string" ? "" : "status";
}

function resultField(message: ToolResultMessage, field: string): string {
  const item = message.wire?.form?.["item"];
  if (field === "role") return "type";
  if (field === "toolCallId") return item === "local_shell_call_output" ? "id" : "call_id";
  if (field === "toolName") return "name";
  if (field === "value") return "output";
  if (field === "isError") return item === "apply_patch_call_output" ? "status" : "output";
  return field;
}

function systemField(message: SystemMessage, field: string, base: string): string {
  if (base === "/instructions") return "";
  if (field === "effort") return "reasoning/effort";
  if (field === "role") {
    const [first] = message.content;
    return message.effort === undefined && (first?.type !== "opaque" || first.slot !== "item") ? "role" : "type";
  }
  return field;
}

function callField(call: ToolCallPart, field: string): string {
  if (field === "id") return "call_id";
  if (field === "kind") return "type";
  if (field === "arguments") return call.kind === "custom" ? "input" : call.arguments === undefined ? "arguments" : "";
  return field;
}

/** Where the phase of a text of a stream stands, which is elsewhere than the text. */
export const phaseForm = "phaseAt";

function partField(part: Part, field: string, base: string): string | undefined {
  const isString = /\/(?:content|output)$|^\/(?:instructions|input)$/.test(base);
  if (field === "phase") {
    const stated = part.wire?.form?.[phaseForm];
    return typeof stated === "string" ? stated : phasePointer(base, isString);
  }
  if (isString) return field === "type" || field === "text" ? "" : undefined;
  if (field === "cacheBreakpoint") return "prompt_cache_breakpoint";
  if (field === "cacheBreakpoint/ttl") return "prompt_cache_breakpoint/ttl";
  if (part.type === "refusal" && field === "text") return "refusal";
  if (part.type === "image" && field === "source/mediaType") return "image_url";
  if (part.type === "document") {
    if (field === "title") return "filename";
    if (field === "source/mediaType") return part.source.type === "url" ? "file_url" : "file_data";
  }
  if (part.type === "thinking" && field === "thinking") return part.kind === "full" ? "content" : "summary";
  return field;
}

/** The phase is a field of the message that a text stands in. */
function phasePointer(base: string, isString: boolean): string {
  const end = isString ? base.lastIndexOf("/") : base.lastIndexOf("/", base.lastIndexOf("/") - 1);
  return `${base.slice(0, end)}/phase`;
}
