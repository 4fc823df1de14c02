import type { AssistantTurn, Conversation, Usage } from "../../ir/index.ts";
import { getCurrentTools, toolName } from "../../transcript/index.ts";
import { repeated } from "../request-view.ts";
import type { Rule, RuleDefinition } from "../rule.ts";

/** The calls of a conversation with their places. */
function callsOf({ messages }: Conversation) {
  return messages.flatMap((message, index) =>
    message.role !== "assistant"
      ? []
      : message.content.flatMap((part, place) =>
          part.type === "toolCall" ? [{ call: part, turn: message, path: `/messages/${index}/content/${place}` }] : [],
        ),
  );
}

/** Why the calls of an answer must not run: it is not whole. */
function isCut({ stopReason, stopDetail }: AssistantTurn): boolean {
  return stopReason === "length" || stopReason === "error" || stopReason === "aborted" || stopDetail === "pause";
}

/** True for counts that cannot all be true. What a service did not report is not compared. */
function contradicts(usage: Usage): boolean {
  const { input, cacheRead, cacheWrite, output, reasoning = 0, totalTokens, unreported = [] } = usage;
  if (unreported.length > 0) return false;
  return totalTokens !== input + cacheRead + cacheWrite + output || reasoning > output;
}

/** What holds of a conversation whatever protocol it goes to. */
export const conversationRules: readonly Rule<Conversation>[] = [
  {
    id: "X1",
    severity: "warning",
    evidence: "issue",
    source: "https://github.com/danny-avila/LibreChat/issues/13162",
    description: "Names of tools are unique. Only the first of a name is sent.",
    check: ({ messages }, flag) => {
      const places = new Map<object, string>();
      messages.forEach((message, index) => {
        if (message.role !== "system") return;
        for (const [place, tool] of (message.toolsAdded ?? []).entries())
          places.set(tool, `/messages/${index}/toolsAdded/${place}`);
      });
      const own = getCurrentTools(messages).filter((tool) => tool.type !== "server");
      for (const tool of repeated(own, toolName))
        flag(`${places.get(tool) ?? ""}/name`, "an earlier tool has this name: leave one of them out");
    },
  },
  {
    id: "X2",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/anthropics/claude-code/issues/20901",
    description: "No two calls have the same id.",
    check: (conversation, flag) => {
      for (const { path } of repeated(callsOf(conversation), ({ call }) => call.id))
        flag(`${path}/id`, "an earlier call has this id: give call and result another");
    },
  },
  {
    id: "X4",
    severity: "warning",
    evidence: "sdk",
    source: "@anthropic-ai/sdk 1.14.0: arguments that were cut read as an empty object",
    description: "No tool is run from an answer that was cut, failed or paused.",
    check: (conversation, flag) => {
      const answered = new Map<string, string>();
      conversation.messages.forEach((message, index) => {
        if (message.role === "toolResult") answered.set(message.toolCallId, `/messages/${index}`);
      });
      for (const { call, turn } of callsOf(conversation)) {
        const path = isCut(turn) ? answered.get(call.id) : undefined;
        if (path !== undefined) flag(path, "its call comes from an answer that is not whole: ask for the answer again");
      }
    },
  },
  {
    id: "X6",
    severity: "warning",
    evidence: "types",
    source: "Usage of the representation",
    description: "Counts of tokens add up, and reasoning is a part of the output.",
    check: ({ messages }, flag) => {
      messages.forEach((message, index) => {
        if (message.role === "assistant" && message.usage !== undefined && contradicts(message.usage))
          flag(`/messages/${index}/usage`, "the counts contradict each other: take them as the service gave them");
      });
    },
  },
];

/** What encoding itself refuses; the place is known where the error has one. */
export const refusal: RuleDefinition = {
  id: "X8",
  severity: "error",
  evidence: "types",
  source: "the encoder of the protocol, whose sources stand in its wire.ts and profile.ts",
  description: "The protocol can say what the conversation asks for.",
};

/** What a switch of models can break. */
export const boundPrefix: RuleDefinition = {
  id: "A9",
  severity: "warning",
  evidence: "documentation",
  source: "https://platform.claude.com/docs, preserved thinking and prefix checks",
  description: "Signed reasoning goes back to the model that gave it, behind what came before it then.",
};
