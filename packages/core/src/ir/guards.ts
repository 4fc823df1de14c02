import { isJsonObject } from "./json.ts";
import type {
  AssistantMessage,
  AssistantTurn,
  Conversation,
  Message,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "./message.ts";
import type { Part, ServerToolCallPart, TextPart, ThinkingPart, ToolCallPart } from "./part.ts";

/** True for a decoded conversation, as against the body of a protocol. */
export function isConversation(value: unknown): value is Conversation {
  return isJsonObject(value) && Array.isArray(value["messages"]) && isJsonObject(value["settings"]);
}

export const isSystem = (message: Message): message is SystemMessage => message.role === "system";
export const isUser = (message: Message): message is UserMessage => message.role === "user";
export const isAssistant = (message: Message): message is AssistantTurn => message.role === "assistant";
export const isToolResult = (message: Message): message is ToolResultMessage => message.role === "toolResult";

/** True for a turn that says who produced it and why it ended, as responses do. */
export function isAssistantMessage(message: Message): message is AssistantMessage {
  return (
    message.role === "assistant" &&
    message.api !== undefined &&
    message.provider !== undefined &&
    message.model !== undefined &&
    message.usage !== undefined &&
    message.stopReason !== undefined &&
    message.timestamp !== undefined
  );
}

export const isText = (part: Part): part is TextPart => part.type === "text";
export const isThinking = (part: Part): part is ThinkingPart => part.type === "thinking";
export const isToolCall = (part: Part): part is ToolCallPart => part.type === "toolCall";
export const isServerToolCall = (part: Part): part is ServerToolCallPart => part.type === "serverToolCall";
