export { collapseSystemMessages, getCurrentSystemMessage, getCurrentSystemPrompt, resolveTranscript, } from "./system.js";
export { getCurrentTools, replayTools, toolName } from "./tools.js";
//# sourceMappingURL=index.js.map