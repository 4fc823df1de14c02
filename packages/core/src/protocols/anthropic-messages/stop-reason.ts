import { restoresError } from "../../codec/restore.ts";
import type { AssistantTurn, StopDetail, StopReason } from "../../ir/index.ts";
import { isToolCall } from "../../ir/index.ts";

export interface Stop {
  readonly stopReason: StopReason;
  readonly stopDetail?: StopDetail;
}

/** https://platform.claude.com/docs/en/api/handling-stop-reasons */
const stops: { readonly [raw: string]: Stop } = {
  end_turn: { stopReason: "stop" },
  max_tokens: { stopReason: "length" },
  stop_sequence: { stopReason: "stop", stopDetail: "stopSequence" },
  tool_use: { stopReason: "toolUse" },
  pause_turn: { stopReason: "stop", stopDetail: "pause" },
  refusal: { stopReason: "error", stopDetail: "refusal" },
  model_context_window_exceeded: { stopReason: "length", stopDetail: "contextOverflow" },
  compaction: { stopReason: "stop", stopDetail: "compaction" },
};

/**
 * An answer with calls waits for their results, also where the service says that it ended. An unknown reason ends the answer and is kept as
 * it is; it makes nothing an error.
 */
export function decodeStop(raw: string | null | undefined, hasCalls: boolean): Stop {
  if (raw === null || raw === undefined) return { stopReason: "pending" };
  if (raw === "end_turn" && hasCalls) return { stopReason: "toolUse" };
  return Object.hasOwn(stops, raw) ? (stops[raw] as Stop) : { stopReason: "stop", stopDetail: "unknown" };
}

/** The wire's word, and whether it says less than the IR. */
export function encodeStop(turn: AssistantTurn): { readonly raw: string | null; readonly exact: boolean } {
  const { stopReason, stopDetail, rawStopReason } = turn;
  if (restoresError(turn, "anthropic-messages")) return { raw: rawStopReason ?? null, exact: true };
  if (turn.api === "anthropic-messages" && rawStopReason !== undefined) {
    const own = decodeStop(rawStopReason, turn.content.some(isToolCall));
    if (own.stopReason === stopReason && own.stopDetail === stopDetail) return { raw: rawStopReason, exact: true };
  }
  switch (stopDetail) {
    case "stopSequence":
      return { raw: "stop_sequence", exact: true };
    case "pause":
      return { raw: "pause_turn", exact: true };
    case "refusal":
      return { raw: "refusal", exact: true };
    case "contentFilter":
      return { raw: "refusal", exact: false };
    case "contextOverflow":
      return { raw: "model_context_window_exceeded", exact: true };
    case "compaction":
      return { raw: "compaction", exact: true };
    case "malformedToolCall":
      return { raw: "end_turn", exact: false };
    default:
      break;
  }
  switch (stopReason) {
    case "length":
      return { raw: "max_tokens", exact: true };
    case "toolUse":
      return { raw: "tool_use", exact: true };
    case "pending":
      return { raw: null, exact: true };
    case "stop":
    case undefined:
      return { raw: "end_turn", exact: stopDetail === undefined };
    default:
      return { raw: "end_turn", exact: false };
  }
}
