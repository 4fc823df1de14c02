import type { AssistantMessage, Usage } from "../../ir/index.ts";
import { billedCost, estimateCost } from "../cost.ts";
import type { ChatModel } from "../model.ts";

/** Counts with what they cost, as far as that is known. */
export function priced(usage: Usage, model: ChatModel): Usage {
  const cost = billedCost(model.api, usage) ?? estimateCost(model.cost, usage);
  return cost === undefined ? usage : { ...usage, cost };
}

/** The message of a service in the terms of whoever asked: who was asked for which model, and at what cost. */
export function ownMessage(message: AssistantMessage, provider: string, model: ChatModel): AssistantMessage {
  const told = message.responseModel ?? (message.model === "unknown" ? undefined : message.model);
  return {
    ...message,
    provider,
    model: model.id,
    ...(told !== undefined && { responseModel: told }),
    usage: priced(message.usage, model),
  };
}

/** The words of Responses for an answer that is still being made. */
const unfinished: ReadonlySet<string> = new Set(["queued", "in_progress"]);

/**
 * An answer that came whole, but with no reason for its end: one that its service makes in the background is deferred; of any other its content says
 * how it ended.
 */
export function settled(message: AssistantMessage): AssistantMessage {
  if (message.stopReason !== "pending") return message;
  const { api, rawStopReason = "", content } = message;
  if (api === "openai-responses" && unfinished.has(rawStopReason)) return { ...message, stopReason: "deferred" };
  return { ...message, stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop" };
}
