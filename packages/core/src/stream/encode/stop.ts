import type { LateSet } from "../../codec/identity/late.ts";
import type { AssistantTurn, Part, Pointer, ProtocolId } from "../../ir/index.ts";
import type { LossDraft, Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import type { StopEvent, StreamEvent } from "../events.ts";
import { eventPointer } from "../events.ts";

/** Takes the reason to end; one that came before is replaced, which is reported. */
export function replaceStop(before: StopEvent | undefined, stop: StopEvent, report: Report): StopEvent {
  if (before !== undefined && before.rawStopReason !== stop.rawStopReason)
    lose(report, "stop.repeated", before, "stopReason");
  return stop;
}

/** The loss of a reason that the service did not give. */
export function inferredStop(stop: StopEvent, api: ProtocolId): LossDraft {
  const field = api === "openai-chat" ? "finish_reason" : "stop_reason";
  return { code: "stop.inferred", stage: "decode", path: eventPointer(stop, field), values: { sent: stop.stopReason } };
}

/** Reports a reason that the target has no word for. */
export function reportStop(
  stop: StopEvent,
  sent: { readonly raw: string | null; readonly exact: boolean },
  report: Report,
  api: ProtocolId,
): void {
  if (stop.inferred === true) report.drafts.push(inferredStop(stop, api));
  if (sent.exact) return;
  const code =
    stop.stopDetail === "unknown"
      ? "stop.unknown"
      : stop.stopReason === "error" && stop.stopDetail === undefined
        ? "response.error"
        : "stop.approximated";
  lose(report, code, stop, "stopReason", { values: { raw: stop.rawStopReason ?? "", sent: String(sent.raw) } });
}

const call: Part = { type: "toolCall", kind: "function", id: "", name: "", argumentsText: "" };
const refusal: Part = { type: "refusal", text: "" };

/**
 * The stop as the fields of a message, for the tables of stop reasons; the content is what such a reason comes with, and a refusal where one
 * was written.
 */
export function stopFields(stop: StopEvent, api: AssistantTurn["api"], refuses = false): AssistantTurn {
  const content = stop.stopReason === "toolUse" ? [call] : refuses || stop.stopDetail === "refusal" ? [refusal] : [];
  return {
    role: "assistant",
    content,
    ...(api !== undefined && { api }),
    stopReason: stop.stopReason,
    ...(stop.stopDetail !== undefined && { stopDetail: stop.stopDetail }),
    ...(stop.rawStopReason !== undefined && { rawStopReason: stop.rawStopReason }),
  };
}

/** Reports what only its own protocol knows, or what comes too late. */
export function loseRaw(event: StreamEvent, report: Report): void {
  if (event.type === "raw" && event.value !== undefined)
    lose(report, "stream.raw", event, "", { path: eventPointer(event), values: { from: event.protocol } });
}

/** Reports an event of a further candidate, which the target does not have; a choice of a frame once. `told` are the places so far. */
export function loseAlternative(event: StreamEvent, report: Report, told: LateSet<Pointer>): void {
  // What ends a part has no place of its own; the part itself was reported.
  if (event.path === "") return;
  const [, list, position] = event.path.split("/");
  const path =
    list === undefined || position === undefined ? eventPointer(event) : `/events/${event.at}/${list}/${position}`;
  if (told.has(path)) return;
  told.add(path);
  lose(report, "response.alternatives", event, "", { path });
}
