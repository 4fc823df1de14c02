import { restoresError } from "../../codec/restore.ts";
import { entryOf } from "../../codec/table.ts";
import type { AssistantTurn, StopDetail, StopReason } from "../../ir/index.ts";
import { isToolCall } from "../../ir/index.ts";

const protocol = "gemini-generate-content";

export interface Stop {
  readonly stopReason: StopReason;
  readonly stopDetail?: StopDetail;
}

const failed: Stop = { stopReason: "error" };
const filtered: Stop = { stopReason: "error", stopDetail: "contentFilter" };
const refused: Stop = { stopReason: "error", stopDetail: "refusal" };
const malformed: Stop = { stopReason: "error", stopDetail: "malformedToolCall" };
const paused: Stop = { stopReason: "stop", stopDetail: "pause" };

/** A whole answer that does not say why it ended. */
export const unstated: Stop = { stopReason: "stop", stopDetail: "unknown" };

/** https://ai.google.dev/api/generate-content#FinishReason */
const stops: { readonly [raw: string]: Stop } = {
  STOP: { stopReason: "stop" },
  MAX_TOKENS: { stopReason: "length" },
  SAFETY: filtered,
  RECITATION: filtered,
  LANGUAGE: filtered,
  IMAGE_SAFETY: filtered,
  IMAGE_PROHIBITED_CONTENT: filtered,
  IMAGE_RECITATION: filtered,
  MODEL_ARMOR: filtered,
  PUP_LIMITED_DISABLED: filtered,
  PROHIBITED_CONTENT: refused,
  SPII: refused,
  BLOCKLIST: refused,
  ESCALATION: refused,
  MALFORMED_FUNCTION_CALL: malformed,
  UNEXPECTED_TOOL_CALL: malformed,
  TOO_MANY_TOOL_CALLS: paused,
  CONTINUATION: paused,
  FINISH_REASON_UNSPECIFIED: failed,
  OTHER: failed,
  NO_IMAGE: failed,
  IMAGE_OTHER: failed,
  MALFORMED_RESPONSE: failed,
  MISSING_THOUGHT_SIGNATURE: failed,
};

/**
 * An answer with calls waits for their results, for which the API has no word of its own. An unknown reason ends the answer and is kept as it
 * is; it makes nothing an error.
 */
export function decodeStop(raw: string | null | undefined, hasCalls: boolean): Stop {
  if (raw === null || raw === undefined) return { stopReason: "pending" };
  if (raw === "STOP" && hasCalls) return { stopReason: "toolUse" };
  return entryOf(stops, raw) ?? { stopReason: "stop", stopDetail: "unknown" };
}

/** https://ai.google.dev/api/generate-content#BlockReason */
const blockReasons: ReadonlySet<string> = new Set([
  ...["BLOCKED_REASON_UNSPECIFIED", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"],
  ...["MODEL_ARMOR", "JAILBREAK"],
]);

/** Why a prompt got no answer at all. */
export function decodeBlock(raw: string): Stop {
  return blockReasons.has(raw) ? filtered : { stopReason: "error", stopDetail: "unknown" };
}

/** The wire's word, and whether it says less than the IR. */
export function encodeStop(turn: AssistantTurn): { readonly raw: string | null; readonly exact: boolean } {
  const { stopReason, stopDetail, rawStopReason } = turn;
  if (restoresError(turn, protocol)) return { raw: rawStopReason ?? null, exact: true };
  const hasCalls = turn.content.some(isToolCall);
  if (turn.api === protocol && rawStopReason !== undefined) {
    const own = decodeStop(rawStopReason, hasCalls);
    if (own.stopReason === stopReason && own.stopDetail === stopDetail) return { raw: rawStopReason, exact: true };
  }
  switch (stopDetail) {
    case "refusal":
      return { raw: "PROHIBITED_CONTENT", exact: true };
    case "contentFilter":
      return { raw: "SAFETY", exact: true };
    case "contextOverflow":
      return { raw: "MAX_TOKENS", exact: false };
    case "malformedToolCall":
      return { raw: "MALFORMED_FUNCTION_CALL", exact: true };
    case "pause":
    case "compaction":
      return { raw: "STOP", exact: false };
    default:
      break;
  }
  switch (stopReason) {
    case "length":
      return { raw: "MAX_TOKENS", exact: true };
    case "toolUse":
      return { raw: "STOP", exact: hasCalls && stopDetail === undefined };
    case "pending":
      return { raw: null, exact: true };
    case "error":
      return { raw: "OTHER", exact: stopDetail === undefined };
    case "stop":
    case undefined:
      return { raw: "STOP", exact: stopDetail === undefined && !hasCalls };
    default:
      return { raw: "STOP", exact: false };
  }
}
