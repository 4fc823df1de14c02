export { callArguments, callArgumentsText, readArguments } from "./arguments.js";
export { createContent, createConversation, createMessage, createTool, createToolCall, } from "./create.js";
export { isAssistant, isAssistantMessage, isConversation, isServerToolCall, isSystem, isText, isThinking, isToolCall, isToolResult, isUser, } from "./guards.js";
export { escapeSegment, isJsonObject, jsonEqual, pointerSegments, setOwn, unescapeSegment, valueAt, } from "./json.js";
export { effectiveInstructions, instructions, opaqueItems, originOf, textOf, toolCalls, turns, withoutWire, } from "./views.js";
export { visitMessage, visitNodes } from "./walk.js";
//# sourceMappingURL=index.js.map