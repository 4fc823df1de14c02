import type { ProtocolId } from "@rolecall/core";
import type { Call } from "./sink.ts";

/** Which family a call belongs to, for the envelope of an error and the shape of a list. */
export function familyOf(call: Call): ProtocolId {
  if (call.path.startsWith("/v1/messages")) return "anthropic-messages";
  if (call.path.startsWith("/v1/chat/")) return "openai-chat";
  return call.headers["anthropic-version"] !== undefined || call.headers["x-api-key"] !== undefined
    ? "anthropic-messages"
    : "openai-chat";
}
