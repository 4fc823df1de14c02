export { callArguments, callArgumentsText, readArguments } from "./arguments.ts";
export {
  type AssistantInput,
  type CallInput,
  type ContentInput,
  createContent,
  createConversation,
  createMessage,
  createPart,
  createTool,
  createToolCall,
  type ImageInput,
  type MessageInput,
  type PartInput,
  type SystemInput,
  type ToolInput,
  type ToolResultInput,
  type UserInput,
} from "./create.ts";
export {
  isAssistant,
  isAssistantMessage,
  isConversation,
  isServerToolCall,
  isSystem,
  isText,
  isThinking,
  isToolCall,
  isToolResult,
  isUser,
} from "./guards.ts";
export {
  escapeSegment,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonEqual,
  type Pointer,
  pointerSegments,
  setOwn,
  unescapeSegment,
  valueAt,
} from "./json.ts";
export type { Converted, Loss, LossEffect, LossKind, LossSeverity, LossStage } from "./loss.ts";
export type {
  AssistantMessage,
  AssistantTurn,
  Authority,
  Conversation,
  Lifetime,
  Message,
  StopDetail,
  StopReason,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "./message.ts";
export type {
  Api,
  CacheBreakpoint,
  Form,
  Node,
  OpaqueState,
  Origin,
  ProtocolId,
  ProviderId,
  Rest,
  WireForm,
} from "./node.ts";
export type {
  AudioPart,
  Citation,
  DocumentPart,
  ImageContent,
  ImagePart,
  MediaSource,
  OpaquePart,
  Part,
  RefusalPart,
  ServerToolCallPart,
  ServerToolResultPart,
  SystemPart,
  TextContent,
  TextPart,
  ThinkingContent,
  ThinkingPart,
  ToolCall,
  ToolCallPart,
  ToolReferencePart,
  VideoPart,
} from "./part.ts";
export { signatureFields } from "./part.ts";
export type { Exchange, Profile } from "./profile.ts";
export type { CacheSettings, Reasoning, ResponseFormat, Settings, ToolChoice } from "./settings.ts";
export type { CustomTool, FunctionTool, NamespaceTool, ServerTool, Tool, ToolReference } from "./tool.ts";
export type { Cost, Usage } from "./usage.ts";
export {
  instructions,
  type OpaqueItem,
  opaqueItems,
  originOf,
  type ToolCallView,
  textOf,
  toolCalls,
  turns,
  withoutWire,
} from "./views.ts";
export { type NodeVisitor, visitMessage, visitNodes, visitOwnNodes } from "./walk.ts";
