import type {
  AssistantMessage,
  AssistantTurn,
  CallInput,
  ImageInput,
  Part,
  SystemInput,
  TextPart,
  ThinkingPart,
  ToolInput,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "../ir/index.ts";

/** Names that other software has for the protocols, by which a message may say how its model was asked. */
export type ApiInput = NonNullable<AssistantTurn["api"]> | "openai-completions" | "google-generative-ai";
/** Counts that a service does not report may be left out. */
export type UsageInput = Partial<Usage>;

/**
 * Parts with what a service signed, in one string. It becomes `state` where the message says by its `api` whose it is and the string is what that
 * protocol writes; else it stays what it is, and goes to no model, which is reported.
 */
export type SignedPartInput =
  | (TextPart & { readonly textSignature?: string })
  | (ThinkingPart & { readonly thinkingSignature?: string })
  | (CallInput & { readonly thoughtSignature?: string });

/** The content of a message that is loosely spelled. */
export type ContextContent = string | readonly (string | Part | SignedPartInput | ImageInput)[];

export interface ContextUser extends Omit<UserMessage, "content"> {
  readonly content: ContextContent;
}
export interface ContextAssistant extends Omit<AssistantTurn, "content" | "api" | "usage" | "alternatives"> {
  readonly content: ContextContent;
  readonly api?: ApiInput;
  readonly usage?: UsageInput;
  readonly alternatives?: readonly (AssistantMessage | ContextAssistant)[];
}
export interface ContextToolResult extends Omit<ToolResultMessage, "content" | "isError" | "usage"> {
  readonly content: ContextContent;
  readonly isError?: boolean;
  readonly usage?: UsageInput;
}
/** The loose spellings of a message. */
export type ContextMessage = SystemInput | ContextUser | ContextAssistant | ContextToolResult;

/** A conversation whose instructions and tools may stand beside its messages. */
export interface ContextInput {
  readonly systemPrompt?: string;
  readonly messages: readonly ContextMessage[];
  readonly tools?: readonly ToolInput[];
}
