import { scalarText } from "../../codec/table.ts";
import type { Node, ServerTool, ThinkingPart, ToolCallPart, WireForm } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { snakeOfWire, spellPointer } from "./spelling.ts";

const protocol = "gemini-generate-content";

const settingNames: { readonly [field: string]: string } = {
  maxTokens: "generationConfig/maxOutputTokens",
  temperature: "generationConfig/temperature",
  topP: "generationConfig/topP",
  topK: "generationConfig/topK",
  n: "generationConfig/candidateCount",
  seed: "generationConfig/seed",
  stopSequences: "generationConfig/stopSequences",
  presencePenalty: "generationConfig/presencePenalty",
  frequencyPenalty: "generationConfig/frequencyPenalty",
  logprobs: "generationConfig/responseLogprobs",
  topLogprobs: "generationConfig/logprobs",
  modalities: "generationConfig/responseModalities",
  responseFormat: "generationConfig/responseMimeType",
  "responseFormat/type": "generationConfig/responseMimeType",
  toolChoice: "toolConfig/functionCallingConfig",
  "toolChoice/mode": "toolConfig/functionCallingConfig/mode",
  "toolChoice/names": "toolConfig/functionCallingConfig/allowedFunctionNames",
  "toolChoice/subset": "toolConfig/functionCallingConfig/allowedFunctionNames",
  "reasoning/effort": "generationConfig/thinkingConfig/thinkingLevel",
  "reasoning/mode": "generationConfig/thinkingConfig/thinkingBudget",
  "reasoning/budget": "generationConfig/thinkingConfig/thinkingBudget",
  "reasoning/includeThoughts": "generationConfig/thinkingConfig/includeThoughts",
  metadata: "labels",
  safety: "safetySettings",
  "cache/content": "cachedContent",
};

const usageNames: { readonly [field: string]: string } = {
  input: "promptTokenCount",
  output: "candidatesTokenCount",
  cacheRead: "cachedContentTokenCount",
  reasoning: "thoughtsTokenCount",
  toolPrompt: "toolUsePromptTokenCount",
  totalTokens: "totalTokenCount",
};

/** Where a field of an IR node stands in a body of generateContent. */
export const fieldPointer: FieldPointer = (node, field, base) => {
  if ("totalTokens" in node) return usageNames[field];
  if ("role" in node) return spelled(node, messageField(node as Node & { readonly role: string }, field, base));
  if (!("type" in node)) return settingField(field);
  if (field.startsWith("state:")) return spelled(node, statePointer(base));
  return spelled(node, partField(node as Node & { readonly type: string }, field, base));
};

function spelled(node: object, pointer: string | undefined): string | undefined {
  if (pointer === undefined || pointer.startsWith("/")) return pointer;
  return spellPointer(snakeOfWire((node as Node).wire), pointer);
}

const signaturePlace = /\/thought_?[sS]ignature$/;

/** A signature stands on its part, whatever that holds. */
function statePointer(base: string): string {
  return signaturePlace.test(base) ? "" : "thoughtSignature";
}

function settingField(field: string): string {
  const found = settingNames[field];
  if (found !== undefined) return found;
  if (field.startsWith("stopSequences/")) return `generationConfig/${field}`;
  if (field.startsWith("toolChoice/names/"))
    return `toolConfig/functionCallingConfig/allowedFunctionNames/${field.slice(17)}`;
  if (field.startsWith("responseFormat/schema")) return `generationConfig/responseJsonSchema${field.slice(21)}`;
  return field;
}

/** Of a response; the first candidate is the message itself. */
const messageNames: { readonly [field: string]: string } = {
  responseId: "responseId",
  responseModel: "modelVersion",
  timestamp: "createTime",
  usage: "usageMetadata",
};

const resultNames: { readonly [field: string]: string } = {
  toolCallId: "functionResponse/id",
  toolName: "functionResponse/name",
  value: "functionResponse/response",
  isError: "functionResponse/response/error",
  role: "functionResponse",
  type: "functionResponse",
};

/** The position of the answer among the candidates, where it is not the first. */
export const primaryForm = "candidates/primary";
/** Marks an answer that was blocked before it began. */
export const blockedForm = "blocked";

function messageField(message: Node & { readonly role: string }, field: string, base: string): string {
  const form = message.wire?.protocol === protocol ? message.wire.form : undefined;
  if (message.role === "toolResult") {
    if (field === "toolCallId" && form?.["id"] === "omitted") return "functionResponse";
    return resultNames[field] ?? field;
  }
  if (message.role === "system") return field === "role" ? "" : field;
  if (field === "role") {
    const role = message.wire?.group?.form?.["role"];
    return role === undefined && /(?:^|\/)contents(?:\/\d+)?$/.test(base) ? "role" : "";
  }
  if (message.role !== "assistant") return field;
  if (field !== "stopReason" && field !== "stopDetail") return messageNames[field] ?? field;
  if (form?.[blockedForm] === true) return "promptFeedback/blockReason";
  const candidate = base === "" ? `candidates/${scalarText(form?.[primaryForm] ?? 0)}/` : "";
  if (form?.[`${candidate}finishReason`] === "omitted") return `${candidate}finishReason`;
  if (Array.isArray(form?.["candidates"]) || form?.["candidates"] === "omitted") return "candidates";
  return base.endsWith("/promptFeedback") ? "blockReason" : `${candidate}finishReason`;
}

const partNames: { readonly [type: string]: { readonly [field: string]: string } } = {
  text: { type: "text" },
  thinking: { type: "text", thinking: "text", whole: "text" },
  toolCall: {
    type: "functionCall",
    kind: "functionCall",
    id: "functionCall/id",
    name: "functionCall/name",
    arguments: "functionCall/args",
  },
  serverToolCall: { type: "" },
  serverToolResult: { type: "" },
};

function partField(node: Node & { readonly type: string }, field: string, base: string): string {
  const form = node.wire?.protocol === protocol ? node.wire.form : undefined;
  switch (node.type) {
    case "text":
    case "refusal":
      // A text of a result, of a reason to end or of a bare instruction has no keys of its own.
      return isInString(base) ? "" : (partNames["text"]?.[field] ?? field);
    case "thinking":
      return form?.["text"] === "omitted" || signaturePlace.test(base) ? "" : thinkingField(node, field, form);
    case "toolCall":
      return callField(node as ToolCallPart, field);
    case "image":
    case "audio":
    case "video":
    case "document":
      return mediaField(node as Node & { readonly source?: { readonly type: string } }, field);
    case "function":
      return toolField(node, field);
    case "server":
      return field === "type" && (node as ServerTool).value["type"] === undefined ? "" : field;
    case "url":
      return citationField(node, field);
    default:
      return partNames[node.type]?.[field] ?? field;
  }
}

/** Of a thought without a text, that it is one is all that it says. */
function thinkingField(node: Node, field: string, form: WireForm["form"]): string {
  const name = partNames["thinking"]?.[field] ?? field;
  const isEmpty = form?.["text"] === undefined && (node as ThinkingPart).thinking === "";
  return name === "text" && isEmpty ? "thought" : name;
}

const isInString = (base: string): boolean =>
  /\/(?:functionResponse|function_response)\/response\/(?:output|error)$|\/finishMessage$|^\/system_?[iI]nstruction$/.test(
    base,
  );

function callField(call: ToolCallPart, field: string): string {
  const form = call.wire?.protocol === protocol ? call.wire.form : undefined;
  const isArguments = field === "arguments" || field.startsWith("arguments/");
  const hasArguments = form?.["functionCall/args"] !== "absent" && form?.["function_call/args"] !== "absent";
  if ((field === "id" && form?.["id"] === "omitted") || (isArguments && !hasArguments)) return "functionCall";
  return partNames["toolCall"]?.[field] ?? field;
}

function mediaField(part: Node & { readonly source?: { readonly type: string } }, field: string): string {
  const key = part.source?.type === "base64" ? "inlineData" : "fileData";
  if (field === "type" || field === "source") return key;
  if (field === "source/mediaType") return `${key}/mimeType`;
  if (field === "title") return `${key}/displayName`;
  return field === "detail" ? "mediaResolution/level" : field;
}

function toolField(tool: Node, field: string): string {
  const form = tool.wire?.protocol === protocol ? tool.wire.form : undefined;
  if (field === "type") return "name";
  if (field === "parameters" || field.startsWith("parameters/")) {
    const key = form?.["parameters:dialect"] === undefined ? "parametersJsonSchema" : "parameters";
    return key + field.slice(10);
  }
  if (field === "outputSchema") return form?.["response:dialect"] === undefined ? "responseJsonSchema" : "response";
  return field;
}

/** What is cited stands apart from the place that cites it. */
function citationField(citation: Node, field: string): string {
  const chunk = citation.wire?.form?.["chunk"];
  if ((field === "url" || field === "title") && typeof chunk === "string")
    return `${chunk}/${field === "url" ? "uri" : "title"}`;
  const segment = citation.wire?.form?.["segment"];
  // A segment repeats its text, and may leave out that it begins at the start.
  if ((field === "startIndex" || field === "endIndex") && typeof segment === "string") return segment;
  return field === "type" ? "" : field;
}
