import type { JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { claudeVersion } from "../../../protocols/anthropic-messages/profile.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, messagesOf, partsOf } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const liveAnswers = "https://github.com/workglow-dev/libs/issues/746";
const extendedThinking = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";

/** Manual thinking with a budget, where it is on. */
function manualThinking({ body: { thinking } }: RequestView): JsonObject | undefined {
  return isJsonObject(thinking) && thinking["type"] === "enabled" ? thinking : undefined;
}

const isThinking = (block: Placed | undefined): boolean =>
  block?.object["type"] === "thinking" || block?.object["type"] === "redacted_thinking";

/** The last turn of the assistant, where only results of its calls follow: the service goes on with it. */
function openTurn(request: RequestView): Placed | undefined {
  const messages = messagesOf(request).filter(({ object }) => object["role"] !== "system");
  const index = messages.findLastIndex(({ object }) => object["role"] === "assistant");
  const after = messages.slice(index + 1).flatMap(partsOf);
  const isAnswered = after.length > 0 && after.some(({ object }) => object["type"] === "tool_result");
  return index >= 0 && isAnswered ? messages[index] : undefined;
}

/** Reasoning, and what excludes it. */
export const anthropicThinkingRules: readonly Rule<RequestView>[] = [
  {
    id: "A8a",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, ThinkingBlockParam.signature",
    description: "A `thinking` block has its signature.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request).flatMap(partsOf)) {
        const { type, signature } = object;
        if (type === "thinking" && (typeof signature !== "string" || signature === ""))
          flag(
            path,
            "thinking without its signature is refused: send the block as the service gave it, or leave it out",
          );
      }
    },
  },
  {
    id: "A8b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/mastra-ai/mastra/issues/7799",
    description: "While manual thinking is on, the turn whose results follow at the end begins with its thinking.",
    check: (request, flag) => {
      const turn = manualThinking(request) === undefined ? undefined : openTurn(request);
      if (turn === undefined) return;
      const blocks = partsOf(turn);
      const calls = blocks.some(({ object }) => object["type"] === "tool_use");
      if (calls && !isThinking(blocks[0]))
        flag(`${turn.path}/content/0`, "put the thinking of this turn before its calls, or turn thinking off");
    },
  },
  {
    id: "A10a",
    severity: "error",
    evidence: "issue",
    source: liveAnswers,
    description: "While manual thinking is on, `tool_choice` forces no tool.",
    check: (request, flag) => {
      const choice = request.body["tool_choice"];
      const isForced = isJsonObject(choice) && (choice["type"] === "any" || choice["type"] === "tool");
      if (isForced && manualThinking(request) !== undefined)
        flag("/tool_choice/type", "thinking and a forced tool exclude each other: choose auto, or turn thinking off");
    },
  },
  {
    id: "A10b",
    severity: "error",
    evidence: "issue",
    source: `${liveAnswers}; https://github.com/mnfst/modelparams.dev/issues/214`,
    description: "While manual or adaptive thinking is on, `temperature` is absent or 1.",
    check: (request, flag) => {
      const { temperature, thinking } = request.body;
      const thinks = isJsonObject(thinking) && (thinking["type"] === "enabled" || thinking["type"] === "adaptive");
      if (isStated(temperature) && temperature !== 1 && thinks)
        flag("/temperature", "thinking takes the temperature 1 only: leave it out");
    },
  },
  {
    id: "A10c",
    severity: "error",
    evidence: "issue",
    source: `${liveAnswers}; @anthropic-ai/sdk 1.14.0, ThinkingConfigEnabled.budget_tokens`,
    description: "The budget of manual thinking is 1,024 tokens at least.",
    check: (request, flag) => {
      const budget = manualThinking(request)?.["budget_tokens"];
      if (typeof budget === "number" && budget < 1024) flag("/thinking/budget_tokens", "give 1,024 tokens or more");
    },
  },
  {
    id: "A10d",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, ThinkingConfigEnabled.budget_tokens; not with interleaved thinking",
    description: "The budget of manual thinking is less than `max_tokens`, unless thinking is interleaved.",
    check: (request, flag) => {
      const budget = manualThinking(request)?.["budget_tokens"];
      const maximum = request.body["max_tokens"];
      const interleaves = request.profile.betas?.some((beta) => beta.startsWith("interleaved-thinking")) === true;
      if (typeof budget === "number" && typeof maximum === "number" && budget >= maximum && !interleaves)
        flag("/thinking/budget_tokens", "leave room for the answer: a smaller budget, or a larger max_tokens");
    },
  },
  {
    id: "A10e",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/earendil-works/pi/issues/3297; https://github.com/openclaw/openclaw/issues/87801",
    description: "Claude 4.7 and later take no manual thinking.",
    check: (request, flag) => {
      const version = claudeVersion(request.profile.model);
      if (manualThinking(request) !== undefined && version !== undefined && version >= 407)
        flag("/thinking/type", "this model takes adaptive thinking only: set the type to adaptive and state an effort");
    },
  },
  {
    id: "A10f",
    severity: "error",
    evidence: "documentation",
    source: extendedThinking,
    description: "Manual thinking states its budget.",
    check: (request, flag) => {
      const thinking = manualThinking(request);
      if (thinking !== undefined && typeof thinking["budget_tokens"] !== "number")
        flag("/thinking", "state budget_tokens, 1,024 or more");
    },
  },
];
