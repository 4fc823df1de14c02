import { unreportedUsage } from "../../codec/usage.ts";
import type { AssistantMessage, ProtocolId } from "../../ir/index.ts";

/** The head of a stream whose source had none: every stream begins with one. */
export function emptyHead(api: ProtocolId): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api,
    provider: "unknown",
    model: "unknown",
    usage: unreportedUsage,
    stopReason: "pending",
    timestamp: 0,
  };
}
