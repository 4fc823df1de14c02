export {
  collapseSystemMessages,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  resolveTranscript,
} from "./system.ts";
export { type DeclaredTool, getCurrentTools, replayTools, toolName } from "./tools.ts";
