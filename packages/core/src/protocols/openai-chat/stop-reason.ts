import { restoresError } from "../../codec/restore.ts";
import type { AssistantTurn, Part, StopDetail, StopReason } from "../../ir/index.ts";

export interface Stop {
  readonly stopReason: StopReason;
  readonly stopDetail?: StopDetail;
}

/** https://platform.openai.com/docs/api-reference/chat/object, and words of compatible servers. */
const stops: { readonly [raw: string]: Stop } = {
  stop: { stopReason: "stop" },
  end_turn: { stopReason: "stop" },
  eos: { stopReason: "stop" },
  length: { stopReason: "length" },
  max_tokens: { stopReason: "length" },
  model_length: { stopReason: "length", stopDetail: "contextOverflow" },
  tool_calls: { stopReason: "toolUse" },
  function_call: { stopReason: "toolUse" },
  content_filter: { stopReason: "error", stopDetail: "contentFilter" },
  error: { stopReason: "error" },
};

/**
 * Servers say `stop` also where calls stand in the answer; then it waits for their results. A refusal ended, but not with an answer. An
 * unknown reason is kept as it is and makes nothing an error.
 */
export function decodeStop(raw: string | null | undefined, content: readonly Part[]): Stop {
  if (raw === null || raw === undefined) return { stopReason: "pending" };
  const stop = Object.hasOwn(stops, raw) ? (stops[raw] as Stop) : undefined;
  // Whether the answer is whole is not known, so its calls are not run.
  if (stop === undefined) return { stopReason: "stop", stopDetail: "unknown" };
  if (stop.stopReason !== "stop" && stop.stopDetail !== "contentFilter") return stop;
  if (content.some((part) => part.type === "refusal")) return { stopReason: "error", stopDetail: "refusal" };
  return stop.stopReason === "stop" && content.some(isCall) ? { stopReason: "toolUse" } : stop;
}

const isCall = (part: Part): boolean => part.type === "toolCall";

/** The wire's word, and whether it says less than the IR. With `functionCalls` the deprecated word for calls. */
export function encodeStop(
  turn: AssistantTurn,
  functionCalls = false,
): { readonly raw: string | null; readonly exact: boolean } {
  const { stopReason, stopDetail, rawStopReason } = turn;
  if (restoresError(turn, "openai-chat")) return { raw: rawStopReason ?? null, exact: true };
  if (turn.api === "openai-chat" && rawStopReason !== undefined) {
    const own = decodeStop(rawStopReason, turn.content);
    if (own.stopReason === stopReason && own.stopDetail === stopDetail) return { raw: rawStopReason, exact: true };
  }
  // Beside a refusal every other end is read as one.
  const refuses = turn.content.some((part) => part.type === "refusal");
  switch (stopDetail) {
    case "refusal":
      return { raw: "content_filter", exact: false };
    case "contentFilter":
      return { raw: "content_filter", exact: !refuses };
    case "contextOverflow":
      return { raw: "length", exact: false };
    case "malformedToolCall":
      return { raw: "stop", exact: false };
    default:
      break;
  }
  switch (stopReason) {
    case "length":
      return { raw: "length", exact: true };
    case "toolUse":
      return { raw: functionCalls ? "function_call" : "tool_calls", exact: stopDetail === undefined };
    case "pending":
      // A response that is stored and not there yet.
      return turn.api === "openai-responses" ? { raw: "stop", exact: false } : { raw: null, exact: true };
    case "stop":
    case undefined:
      return { raw: "stop", exact: stopDetail === undefined && !refuses };
    default:
      return { raw: "stop", exact: false };
  }
}
