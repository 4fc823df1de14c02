import type { ProtocolId } from "../../ir/index.ts";
import type { RequestView } from "../request-view.ts";
import type { Rule } from "../rule.ts";
import { anthropicCallRules } from "./anthropic/calls.ts";
import { anthropicContentRules } from "./anthropic/content.ts";
import { anthropicSettingRules } from "./anthropic/settings.ts";
import { anthropicThinkingRules } from "./anthropic/thinking.ts";
import { anthropicTurnRules } from "./anthropic/turns.ts";
import { chatCallRules } from "./chat/calls.ts";
import { chatMessageRules } from "./chat/messages.ts";
import { chatSettingRules } from "./chat/settings.ts";

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
  "openai-responses": [],
  "gemini-generate-content": [],
};
