import { restoresError } from "../../codec/restore.ts";
import type { AssistantTurn, Part, StopDetail, StopReason } from "../../ir/index.ts";

export interface Stop {
  readonly stopReason: StopReason;
  readonly stopDetail?: StopDetail;
}

/** Why a response is incomplete. https://platform.openai.com/docs/api-reference/responses/object */
const reasons: { readonly [raw: string]: Stop } = {
  max_output_tokens: { stopReason: "length" },
  content_filter: { stopReason: "error", stopDetail: "contentFilter" },
};

const statuses: { readonly [raw: string]: Stop } = {
  completed: { stopReason: "stop" },
  failed: { stopReason: "error" },
  cancelled: { stopReason: "aborted" },
  queued: { stopReason: "pending" },
  in_progress: { stopReason: "pending" },
};

/** What begins the word for a reason that is not known, so that it is not taken for a status. */
const unknownReason = "incomplete/";

/** What begins the word for a status that reads as a reason. */
const oddStatus = "status/";

/** The word for why an answer ended: the reason of an incomplete one, else its status. */
export function rawStop(status: string | undefined, reason: string | undefined): string | undefined {
  if (status === undefined) return undefined;
  if (status !== "incomplete" || reason === undefined) {
    const isReason = Object.hasOwn(reasons, status) || status.startsWith(unknownReason) || status.startsWith(oddStatus);
    return isReason ? `${oddStatus}${status}` : status;
  }
  return Object.hasOwn(reasons, reason) ? reason : `${unknownReason}${reason}`;
}

/**
 * A completed response with calls waits for their results. A refusal ended, but not with an answer. An unknown reason is kept as it is and makes
 * nothing an error.
 */
export function decodeStop(raw: string | undefined, content: readonly Part[]): Stop {
  if (raw === undefined) return { stopReason: "pending" };
  const stop = Object.hasOwn(statuses, raw) ? statuses[raw] : Object.hasOwn(reasons, raw) ? reasons[raw] : undefined;
  // Whether the answer is whole is not known, so its calls are not run.
  if (stop === undefined) return { stopReason: "stop", stopDetail: "unknown" };
  if (stop.stopReason !== "stop") return stop;
  if (content.some((part) => part.type === "refusal")) return { stopReason: "error", stopDetail: "refusal" };
  return content.some((part) => part.type === "toolCall") ? { stopReason: "toolUse" } : stop;
}

/** The status of a response, with the reason of an incomplete one, and whether they say less than the IR. */
export interface WireStop {
  readonly status: string;
  readonly reason?: string;
  readonly exact: boolean;
}

const incomplete = (reason: string, exact: boolean): WireStop => ({ status: "incomplete", reason, exact });

/** Undefined where the source said nothing, and nothing is to be said. */
export function encodeStop(turn: AssistantTurn): WireStop {
  const { stopReason, stopDetail, rawStopReason } = turn;
  if (turn.api === "openai-responses" && rawStopReason !== undefined) {
    const own = decodeStop(rawStopReason, turn.content);
    const isSame = own.stopReason === stopReason && own.stopDetail === stopDetail;
    if (isSame || restoresError(turn, "openai-responses")) return statusOf(rawStopReason);
  }
  const refuses = turn.content.some((part) => part.type === "refusal");
  switch (stopDetail) {
    case "refusal":
      // The refusal itself tells. Without one the answer would look whole.
      if (refuses) return { status: "completed", exact: true };
      return incomplete("content_filter", false);
    case "contentFilter":
      return incomplete("content_filter", true);
    case "contextOverflow":
      return incomplete("max_output_tokens", false);
    case "malformedToolCall":
    case "unknown":
      return { status: "completed", exact: false };
    default:
      break;
  }
  switch (stopReason) {
    case "length":
      return incomplete("max_output_tokens", true);
    case "error":
      return { status: "failed", exact: true };
    case "aborted":
      return { status: "cancelled", exact: true };
    case "pending":
      return { status: "in_progress", exact: true };
    case "toolUse":
      // Nothing but a call tells that an answer waits for results.
      return { status: "completed", exact: !refuses && turn.content.some((part) => part.type === "toolCall") };
    case "stop":
    case undefined:
      // Beside a refusal it is read as one.
      return { status: "completed", exact: stopDetail === undefined && !refuses };
    default:
      return { status: "completed", exact: false };
  }
}

function statusOf(raw: string): WireStop {
  if (Object.hasOwn(statuses, raw) || raw === "incomplete") return { status: raw, exact: true };
  if (raw.startsWith(oddStatus)) return { status: raw.slice(oddStatus.length), exact: true };
  if (raw.startsWith(unknownReason)) return incomplete(raw.slice(unknownReason.length), true);
  return Object.hasOwn(reasons, raw) ? incomplete(raw, true) : { status: raw, exact: true };
}
