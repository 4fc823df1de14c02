import { usagePointer } from "../../codec/usage.ts";
import type { Node, OpaqueState, ServerTool, SystemMessage, Tool, ToolResultMessage } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";

/** Words of the IR whose wire key is another. */
const names: { readonly [field: string]: string } = {
  cacheBreakpoint: "cache_control",
  arguments: "input",
  isError: "is_error",
  toolCallId: "tool_use_id",
  parameters: "input_schema",
  deferLoading: "defer_loading",
  inputExamples: "input_examples",
  allowedCallers: "allowed_callers",
  lifetime: "clear_at",
  effort: "output_config/effort",
};

const settingNames: { readonly [field: string]: string } = {
  maxTokens: "max_tokens",
  topP: "top_p",
  topK: "top_k",
  stopSequences: "stop_sequences",
  toolChoice: "tool_choice",
  "toolChoice/mode": "tool_choice/type",
  "toolChoice/names": "tool_choice/name",
  parallelToolCalls: "tool_choice/disable_parallel_tool_use",
  "reasoning/mode": "thinking/type",
  "reasoning/budget": "thinking/budget_tokens",
  "reasoning/display": "thinking/display",
  "reasoning/effort": "output_config/effort",
  serviceTier: "service_tier",
  userId: "metadata/user_id",
  cache: "cache_control",
  "cache/mode": "cache_control/type",
  "cache/breakpoint": "cache_control",
  "cache/breakpoint/ttl": "cache_control/ttl",
};

const usageNames: { readonly [field: string]: string } = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheWrite: "cache_creation_input_tokens",
  "cacheWriteByTtl/5m": "cache_creation/ephemeral_5m_input_tokens",
  "cacheWriteByTtl/1h": "cache_creation/ephemeral_1h_input_tokens",
  reasoning: "output_tokens_details/thinking_tokens",
};

const citationNames: { readonly [field: string]: string } = {
  citedText: "cited_text",
  sourceIndex: "document_index",
  url: "url",
  title: "title",
};

/** Of a response. */
const messageNames: { readonly [field: string]: string } = {
  responseId: "id",
  responseModel: "model",
  stopReason: "stop_reason",
  stopDetail: "stop_reason",
  rawStopReason: "stop_reason",
  stopSequence: "stop_sequence",
};

const stateNames: { readonly [kind: string]: string } = {
  signature: "signature",
  encrypted: "data",
  reference: "encrypted_index",
};

/** Where a field of an IR node stands in a Messages body. */
export const fieldPointer: FieldPointer = (node, field, base) => {
  if (field === "whole") return "";
  if (field.startsWith("state:")) return statePointer((node as Node).state?.[Number(field.slice(6))]);
  if (field === "role") return rolePointer(base);
  if ((field === "type" || field === "text") && isInString(node, base)) return "";
  if ("role" in node) return messageField(node as SystemMessage | ToolResultMessage, field);
  if ("totalTokens" in node) return usagePointer(usageNames, node, field);
  if (!("type" in node)) return settingField(field) ?? names[field] ?? field;
  if ("citedText" in node) return citationNames[field] ?? field;
  // Most declarations of functions have no type; their name says what they are.
  if ((node as Tool).type === "function" && field === "type")
    return (node as Tool).wire?.form?.["type"] === undefined ? "name" : "type";
  if ((node as Tool).type === "server" && field === "type")
    return (node as ServerTool).value["type"] === undefined ? "" : "type";
  if ((node as Tool).type === "function" && field.startsWith("parameters/")) return `input_schema${field.slice(10)}`;
  if (field.startsWith("source/")) return field === "source/mediaType" ? "source/media_type" : field;
  const [head = "", ...rest] = field.split("/");
  return [names[head] ?? head, ...rest].join("/");
};

function statePointer(state: OpaqueState | undefined): string | undefined {
  return state === undefined ? undefined : stateNames[state.kind];
}

/** The role of a whole message, or the type of the block where the node is one block of a message. */
function rolePointer(base: string): string {
  return /\/content\/\d+$/.test(base) ? "type" : base === "/system" ? "" : "role";
}

/** A text part that was the string content of its message has no keys of its own. */
function isInString(node: object, base: string): boolean {
  return !("role" in node) && (base.endsWith("/content") || base === "/system");
}

function settingField(field: string): string | undefined {
  const found = settingNames[field];
  if (found !== undefined) return found;
  if (field.startsWith("stopSequences/")) return `stop_sequences/${field.slice(14)}`;
  if (field.startsWith("responseFormat/schema")) return `output_config/format/schema${field.slice(21)}`;
  if (field === "responseFormat") return "output_config/format";
  if (field === "responseFormat/type") return "output_config/format/type";
  return undefined;
}

function messageField(
  message: SystemMessage | ToolResultMessage | { readonly role: string },
  field: string,
): string | undefined {
  if (message.role === "assistant") return messageNames[field] ?? field;
  if (field === "cacheBreakpoint/ttl") return "cache_control/ttl";
  return names[field] ?? field;
}
