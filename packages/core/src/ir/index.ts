export { callArguments, callArgumentsText, readArguments } from "./arguments.ts";
export {
  type AssistantInput,
  type ContentInput,
  createContent,
  createConversation,
  createMessage,
  createTool,
  createToolCall,
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
export type { CacheBreakpoint, Form, Node, OpaqueState, Origin, ProtocolId, Rest, WireForm } from "./node.ts";
export type {
  AudioPart,
  Citation,
  DocumentPart,
  ImagePart,
  MediaSource,
  OpaquePart,
  Part,
  RefusalPart,
  ServerToolCallPart,
  ServerToolResultPart,
  SystemPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolReferencePart,
  VideoPart,
} from "./part.ts";
export type { Exchange, Profile } from "./profile.ts";
export type { CacheSettings, Reasoning, ResponseFormat, Settings, ToolChoice } from "./settings.ts";
export type { CustomTool, FunctionTool, NamespaceTool, ServerTool, Tool, ToolReference } from "./tool.ts";
export type { Cost, Usage } from "./usage.ts";
export {
  type EffectiveInstruction,
  effectiveInstructions,
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
