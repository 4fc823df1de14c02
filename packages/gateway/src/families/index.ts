import type { ProtocolId } from "@rolecall/core";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { Family } from "./family.ts";
import { geminiGenerateContent } from "./gemini-generate-content.ts";
import { openaiChat } from "./openai-chat.ts";

/** The protocols that clients may speak, and the services that are asked. */
const families: { readonly [P in ProtocolId]?: Family } = {
  "openai-chat": openaiChat,
  "anthropic-messages": anthropicMessages,
  "gemini-generate-content": geminiGenerateContent,
};

export const servedProtocols: readonly string[] = Object.keys(families);

/** The family of a protocol that is served. */
export function familyOf(protocol: ProtocolId): Family {
  const family = families[protocol];
  if (family === undefined) throw new Error(`the gateway does not serve ${protocol}`);
  return family;
}
