import type { ProtocolId } from "../ir/index.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { Endpoint } from "./endpoint.ts";
import { geminiGenerateContent } from "./gemini-generate-content.ts";
import { openaiChat, openaiResponses } from "./openai.ts";

export type { Endpoint, ModelEntry, ModelListing, UrlTarget } from "./endpoint.ts";
export { checkUrlTarget } from "./gemini-generate-content.ts";

/** Where the services of each protocol are asked. */
export const endpoints: { readonly [P in ProtocolId]: Endpoint } = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "gemini-generate-content": geminiGenerateContent,
};
