import type { AssistantMessage, Part, Pointer, ProtocolId, ToolCallPart } from "../../ir/index.ts";
import { readArguments } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { createArgumentSnapshot } from "../argument-snapshot.ts";
import type { StopEvent, StreamFailure } from "../events.ts";

/** How an answer ends that says that it is complete although the arguments of a call are not: clients complete such text, and run the call. */
export const cutCall: StreamFailure = {
  message: "the answer ended with a tool call whose arguments are not whole",
  kind: "server",
  retryable: true,
};

/** True for argument text that begins a JSON object and does not end it. */
export function isCutText(text: string): boolean {
  if (!("error" in readArguments(text))) return false;
  const snapshot = createArgumentSnapshot();
  snapshot.push(text);
  return !snapshot.complete && !snapshot.invalid;
}

/** Ends of a text that break it, wherever it was cut: in an object, in a list, in their strings, behind a backslash. */
const breaks = ["]", "}", '"]', '"}', '""]', '""}'] as const;

/** What behind argument text makes every client refuse it, also one that completes what was cut and reads over a failure. */
export function breakText(text: string): string {
  return breaks.find((end) => isInvalid(text + end)) ?? breaks[0];
}

function isInvalid(text: string): boolean {
  const snapshot = createArgumentSnapshot();
  snapshot.push(text);
  return snapshot.invalid;
}

/** True for a reason to end that tells every client that the last thing of the answer may be cut. */
export function saysCut(stop: Pick<StopEvent, "stopReason" | "stopDetail"> | undefined): boolean {
  const { stopReason, stopDetail } = stop ?? {};
  return stopReason === "length" || stopDetail === "refusal" || stopDetail === "contentFilter";
}

/** The calls for which a whole answer of another protocol that becomes a stream must fail: clients read them as those of any stream. */
export function cutCallsOf(message: AssistantMessage, protocol: ProtocolId): readonly ToolCallPart[] {
  if (message.api === protocol || saysCut(message)) return [];
  return message.content.filter(
    (part): part is ToolCallPart =>
      part.type === "toolCall" && part.kind !== "custom" && isCutText(part.argumentsText ?? ""),
  );
}

/** Reports it, at the last piece of its arguments. */
export function loseCutCall(report: Report, part: Part, path?: Pointer): void {
  lose(report, "tool_call.cut", part, "arguments", path === undefined ? {} : { path });
}
