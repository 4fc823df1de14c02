// Applications merge their roles into an interface of `custom.ts`, which TypeScript allows only of what `export *` passes on.

export { isTranscriptContext, normalizeContext, type TranscriptContext } from "./context.ts";
export * from "./custom.ts";
export type {
  ApiInput,
  ContextAssistant,
  ContextContent,
  ContextInput,
  ContextMessage,
  ContextToolResult,
  ContextUser,
  SignedPartInput,
  UsageInput,
} from "./input.ts";
export { type EffectiveInstruction, effectiveInstructions } from "./instructions.ts";
export {
  createTranscriptReader,
  type ReadTranscriptOptions,
  readTranscript,
  TranscriptError,
  type TranscriptReader,
  writeTranscript,
  writeTranscriptHeader,
  writeTranscriptMessage,
} from "./lines.ts";
export type { Transcript } from "./messages.ts";
export {
  collapseSystemMessages,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getInitialSystemMessage,
  resolveTranscript,
  withoutInitialSystemMessage,
} from "./system.ts";
export {
  type DeclaredTool,
  getCurrentTools,
  getDeclaredTools,
  getToolStateChanges,
  replayTools,
  type ToolStateChanges,
  toolDeclaration,
  toolName,
} from "./tools.ts";
