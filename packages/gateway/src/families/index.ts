import type { ProtocolId } from "@rolecall/core";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { Family } from "./family.ts";
import { geminiGenerateContent } from "./gemini-generate-content.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

/** The protocols that clients may speak, and the services that are asked. */
const families: { readonly [P in ProtocolId]: Family } = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "gemini-generate-content": geminiGenerateContent,
};

/** The family of a protocol. */
export function familyOf(protocol: ProtocolId): Family {
  return families[protocol];
}
