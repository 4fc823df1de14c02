import type { Conversation, ProtocolId } from "../ir/index.ts";
import { refuse } from "./refuse.ts";

/** Fields of a request that name what its service stores, and what to send instead. */
const stored: { readonly [field: string]: string } = {
  conversation: "send its items instead of its id",
  prompt: "send its text instead of its id",
};

/** The only protocol with such an id of its own. */
const keeper: ProtocolId = "openai-responses";

/**
 * Refuses a request whose conversation, or a part of it, only another service has: the model would answer without what was said before. Called
 * before anything else, so that the refusal names the field and not what is missing without it.
 */
export function refuseStored(conversation: Conversation, protocol: ProtocolId): void {
  const { settings, wire } = conversation;
  const isOwn = wire?.protocol === protocol;
  if (settings.previousResponseId !== undefined && (protocol !== keeper || (!isOwn && wire !== undefined))) {
    refuse(
      "previousResponseId",
      settings,
      "previousResponseId",
      "a previous response is stored at its own service alone: send the whole conversation instead of its id",
    );
  }
  if (isOwn) return;
  for (const field in stored) {
    const value = wire?.rest?.[field];
    if (value !== undefined && value !== null)
      refuse(field, conversation, `rest:${field}`, `a ${field} is stored at its own service alone: ${stored[field]}`);
  }
}
