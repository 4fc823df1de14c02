import type { AssistantTurn, Part } from "../ir/index.ts";
import type { Report } from "../loss/index.ts";
import { lose } from "../loss/index.ts";
import type { StopEvent, StreamEvent } from "./events.ts";
import { eventPointer } from "./events.ts";

/** Takes the reason to end; one that came before is replaced, which is reported. */
export function replaceStop(before: StopEvent | undefined, stop: StopEvent, report: Report): StopEvent {
  if (before !== undefined && before.rawStopReason !== stop.rawStopReason)
    lose(report, "stop.repeated", before, "stopReason");
  return stop;
}

/** Reports a reason that the target has no word for. */
export function reportStop(
  stop: StopEvent,
  sent: { readonly raw: string | null; readonly exact: boolean },
  report: Report,
): void {
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

/** The stop as the fields of a message, for the tables of stop reasons; the content is what such a reason comes with. */
export function stopFields(stop: StopEvent, api: AssistantTurn["api"]): AssistantTurn {
  const content = stop.stopReason === "toolUse" ? [call] : stop.stopDetail === "refusal" ? [refusal] : [];
  return {
    role: "assistant",
    content,
    ...(api !== undefined && { api }),
    stopReason: stop.stopReason,
    ...(stop.stopDetail !== undefined && { stopDetail: stop.stopDetail }),
    ...(stop.rawStopReason !== undefined && { rawStopReason: stop.rawStopReason }),
  };
}

/** Reports an event of a further candidate, which the target does not have. */
export function loseAlternative(event: StreamEvent, report: Report): void {
  const [, list, position] = event.path.split("/");
  const path =
    list === undefined || position === undefined ? eventPointer(event) : `/events/${event.at}/${list}/${position}`;
  lose(report, "response.alternatives", event, "", { path });
}
