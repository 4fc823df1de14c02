import type { AssistantMessage, StopDetail, StopReason } from "../../ir/index.ts";
import { isToolCall } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

/** A whole answer whose service gave no reason to end, with the usual one, which is reported. Others stay as they are. */
export function inferStop(message: AssistantMessage, report: Report): AssistantMessage {
  if (message.stopReason !== "pending") return message;
  const stop = usualStop(message);
  lose(report, "stop.inferred", message, "rawStopReason", { values: { sent: stop.stopReason } });
  return { ...message, ...stop };
}

function usualStop({ content }: AssistantMessage): {
  readonly stopReason: StopReason;
  readonly stopDetail?: StopDetail;
} {
  if (content.some(({ type }) => type === "refusal")) return { stopReason: "error", stopDetail: "refusal" };
  return { stopReason: content.some(isToolCall) ? "toolUse" : "stop" };
}
