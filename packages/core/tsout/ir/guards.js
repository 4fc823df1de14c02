import { isJsonObject } from "./json.js";
/** True for a decoded conversation, as against the body of a protocol. */
export function isConversation(value) {
    return isJsonObject(value) && Array.isArray(value["messages"]) && isJsonObject(value["settings"]);
}
export const isSystem = (message) => message.role === "system";
export const isUser = (message) => message.role === "user";
export const isAssistant = (message) => message.role === "assistant";
export const isToolResult = (message) => message.role === "toolResult";
/** True for a turn that says who produced it and why it ended, as responses do. */
export function isAssistantMessage(message) {
    return (message.role === "assistant" &&
        message.api !== undefined &&
        message.provider !== undefined &&
        message.model !== undefined &&
        message.usage !== undefined &&
        message.stopReason !== undefined &&
        message.timestamp !== undefined);
}
export const isText = (part) => part.type === "text";
export const isThinking = (part) => part.type === "thinking";
export const isToolCall = (part) => part.type === "toolCall";
export const isServerToolCall = (part) => part.type === "serverToolCall";
//# sourceMappingURL=guards.js.map