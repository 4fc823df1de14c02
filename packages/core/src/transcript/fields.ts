import type { DocumentPart, Message, Part, Tool } from "../ir/index.ts";
import type { Shape } from "./shape.ts";

const protocol = ["openai-chat", "openai-responses", "anthropic-messages", "gemini-generate-content"];
/** What every message, part and tool may carry. */
export const nodeShape: Shape = { "wire?": "an object", "state?": "a list", "origin?": "an object" };
export const originShape: Shape = {
  "source?": ["operator", "user", "model", "tool", "retrieval", "file", "summary"],
  "trust?": ["trusted", "untrusted"],
};
export const stateShape: Shape = {
  protocol,
  "provider?": "text",
  "model?": "text",
  kind: ["signature", "encrypted", "itemId", "callId", "reference", "details"],
  value: "anything",
};

const authority = ["system", "developer", "user", "guideline"];
const message: Shape = { "timestamp?": "number" };

/** The fields of each role, beside its content. */
export const messageShapes: { readonly [role in Message["role"]]: Shape } = {
  system: {
    ...message,
    "authority?": authority,
    "lifetime?": ["always", "nextUserTurn", "untilReplaced"],
    "scope?": "text",
    "delegatesTo?": authority,
    "effort?": "text",
  },
  user: { ...message, "name?": "text" },
  assistant: {
    ...message,
    "name?": "text",
    "api?": protocol,
    "provider?": "text",
    "model?": "text",
    "usage?": "an object",
    "stopReason?": ["pending", "stop", "length", "toolUse", "error", "aborted", "deferred"],
    "stopDetail?": [
      "stopSequence",
      "pause",
      "refusal",
      "contentFilter",
      "contextOverflow",
      "compaction",
      "malformedToolCall",
      "unknown",
    ],
    "stopSequence?": "text",
    "rawStopReason?": "text",
    "responseModel?": "text",
    "responseId?": "text",
    "thinkingLevel?": "text",
    "providerThinkingLevel?": "text",
    "errorMessage?": "text",
  },
  toolResult: {
    ...message,
    toolCallId: "text",
    "toolName?": "text",
    "isError?": "true or false",
    "usage?": "an object",
    "cacheBreakpoint?": "an object",
  },
};

const part: Shape = { "cacheBreakpoint?": "an object" };

/** The fields of each kind of part. */
export const partShapes: { readonly [type in Part["type"]]: Shape } = {
  text: { ...part, text: "text", "citations?": "a list", "phase?": ["commentary", "final_answer"] },
  thinking: { ...part, thinking: "text", "kind?": ["full", "summary"], "redacted?": "true or false" },
  toolCall: {
    ...part,
    id: "text",
    name: "text",
    kind: ["function", "custom", "mcp", "computer", "shell", "patch"],
    "arguments?": "an object",
    "argumentsText?": "text",
    "namespace?": "text",
    "argumentsError?": "text",
  },
  image: { ...part, source: "an object", "detail?": ["auto", "low", "high", "original"] },
  audio: { ...part, source: "an object", "transcript?": "text", "expiresAt?": "number" },
  video: { ...part, source: "an object" },
  document: {
    ...part,
    source: "an object",
    "title?": "text",
    "context?": "text",
    "detail?": ["auto", "low", "high"],
    "citations?": "true or false",
  },
  refusal: { ...part, text: "text", "category?": "text" },
  serverToolCall: { ...part, id: "text", name: "text", input: "anything", "server?": "text", "provider?": "text" },
  serverToolResult: { ...part, toolCallId: "text", protocol, value: "an object", "provider?": "text" },
  toolReference: { ...part, name: "text" },
  opaque: { ...part, protocol, slot: ["item", "part", "block"], value: "anything", "provider?": "text" },
};

/** The fields of each kind of media source. */
export const sourceShapes: { readonly [type in DocumentPart["source"]["type"]]: Shape } = {
  base64: { mediaType: "text", data: "text" },
  url: { url: "text", "mediaType?": "text" },
  file: { fileId: "text", "mediaType?": "text" },
  text: { text: "text", mediaType: "text" },
  content: { content: "a list" },
  searchResult: { uri: "text", content: "a list" },
};

const tool: Shape = {
  name: "text",
  "cacheBreakpoint?": "an object",
  "deferLoading?": "true or false",
  "allowedCallers?": "a list",
};

/** The fields of each kind of tool. */
export const toolShapes: { readonly [type in Tool["type"]]: Shape } = {
  function: {
    ...tool,
    "description?": "text",
    "parameters?": "an object",
    "strict?": "true or false",
    "inputExamples?": "a list",
    "outputSchema?": "an object",
  },
  custom: { ...tool, "description?": "text", "format?": "an object" },
  namespace: { ...tool, description: "text", tools: "a list" },
  server: { protocol, "name?": "text", value: "an object" },
};

/** The buckets that a usage states; the last three are stated by few services. */
const counts = ["input", "output", "cacheRead", "cacheWrite", "totalTokens", "cacheWrite1h", "reasoning", "toolPrompt"];

/** Counts may be missing, which says that nobody reported them. */
export const usageShape: Shape = {
  ...Object.fromEntries(counts.map((name) => [`${name}?`, "number"] as const)),
  "cacheWriteByTtl?": "an object",
  "cost?": "an object",
  "unreported?": "a list",
};
export const costShape: Shape = {
  input: "number",
  output: "number",
  cacheRead: "number",
  cacheWrite: "number",
  total: "number",
};
