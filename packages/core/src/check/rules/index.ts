import type { ProtocolId } from "../../ir/index.ts";
import type { RequestView } from "../request-view.ts";
import type { Rule, RuleDefinition } from "../rule.ts";
import { anthropicCallRules } from "./anthropic/calls.ts";
import { anthropicContentRules } from "./anthropic/content.ts";
import { anthropicSettingRules } from "./anthropic/settings.ts";
import { anthropicThinkingRules } from "./anthropic/thinking.ts";
import { anthropicTurnRules } from "./anthropic/turns.ts";
import { chatCallRules } from "./chat/calls.ts";
import { chatMessageRules } from "./chat/messages.ts";
import { chatSettingRules } from "./chat/settings.ts";
import { boundPrefix, conversationRules, refusal } from "./conversation.ts";
import { geminiContentRules } from "./gemini/contents.ts";
import { geminiSettingRules } from "./gemini/settings.ts";
import { responsesItemRules } from "./responses/items.ts";
import { responsesReplayRules } from "./responses/replay.ts";
import { responsesSettingRules } from "./responses/settings.ts";

/** The rules for request bodies of each protocol, in the order in which findings are given. */
export const requestRules: { readonly [protocol in ProtocolId]: readonly Rule<RequestView>[] } = {
  "openai-chat": [...chatMessageRules, ...chatCallRules, ...chatSettingRules],
  "anthropic-messages": [
    ...anthropicTurnRules,
    ...anthropicCallRules,
    ...anthropicContentRules,
    ...anthropicThinkingRules,
    ...anthropicSettingRules,
  ],
  "openai-responses": [...responsesItemRules, ...responsesReplayRules, ...responsesSettingRules],
  "gemini-generate-content": [...geminiContentRules, ...geminiSettingRules],
};

/** The protocols whose requests can be checked; a rule needs no codec. */
export const lintedProtocols: readonly ProtocolId[] = Object.keys(requestRules) as ProtocolId[];

const definitionOf = ({ check: _check, ...definition }: Rule<never>): RuleDefinition => definition;

/** Every rule for request bodies by protocol, and those for conversations, without how they are checked. */
export const lintRules: { readonly [kind: string]: readonly RuleDefinition[] } = {
  ...Object.fromEntries(Object.entries(requestRules).map(([protocol, rules]) => [protocol, rules.map(definitionOf)])),
  conversation: [...conversationRules.map(definitionOf), refusal, boundPrefix],
};

/** What a service demands and no single request shows, with the place that keeps to it. */
export const uncheckedRules: readonly { readonly id: string; readonly description: string; readonly where: string }[] =
  [
    {
      id: "X3",
      description: "No opaque state leaves its issuer.",
      where: "the encoders keep to it, and a conversion reports it",
    },
    {
      id: "R16",
      description: "A stream has its events in the order and with the fields that the vendor's client demands.",
      where: "the encoders of streams; the vendor's client reads each of them in the tests",
    },
    { id: "X5", description: "Each loss is reported once, with its place.", where: "`rolecall audit` measures it" },
    {
      id: "X7",
      description: "A body that comes back to its own protocol is the same value.",
      where: "`rolecall audit` measures it",
    },
  ];
