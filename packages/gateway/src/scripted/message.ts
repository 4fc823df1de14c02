import type { AssistantMessage, Conversation, Part, ProtocolId, Usage } from "@rolecall/core";
import { estimateText, estimateTokens } from "../routes/estimate.ts";
import type { ScriptedAnswer } from "./rules.ts";
import { answerByRules } from "./rules.ts";

/** The name under which the scripted model is listed, and which its answers state. */
export const scriptedModel = "scripted";

/** The scripted model's turn. It ends early where the request allows fewer tokens. */
export function scriptedMessage(
  conversation: Conversation,
  body: Parameters<typeof estimateTokens>[0],
  protocol: ProtocolId,
  id: string,
): AssistantMessage {
  const answer = answerByRules(conversation);
  const limit = conversation.settings.maxTokens ?? Number.POSITIVE_INFINITY;
  const whole =
    estimateText(answer.text) + (answer.type === "call" ? estimateText(JSON.stringify(answer.arguments)) : 0);
  const cut = whole > limit;
  const input = estimateTokens(body);
  const output = Math.min(whole, limit);
  const usage: Usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output };
  return {
    role: "assistant",
    api: protocol,
    provider: "rolecall",
    model: scriptedModel,
    responseModel: scriptedModel,
    responseId: `scripted_${id}`,
    content: contentOf(answer, cut ? limit : undefined, id),
    usage,
    stopReason: cut ? "length" : answer.type === "call" ? "toolUse" : "stop",
    // Whole seconds, as Chat tells it.
    timestamp: Math.floor(Date.now() / 1000) * 1000,
  };
}

function contentOf(answer: ScriptedAnswer, limit: number | undefined, id: string): Part[] {
  const text = limit === undefined ? answer.text : answer.text.slice(0, limit * 3);
  const parts: Part[] = text === "" ? [] : [{ type: "text", text }];
  if (answer.type === "call" && limit === undefined) {
    parts.push({
      type: "toolCall",
      kind: "function",
      id: `call_${id}`,
      name: answer.name,
      arguments: answer.arguments,
    });
  }
  return parts;
}
