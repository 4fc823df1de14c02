import type { Json, Pointer, ToolCallPart } from "../../../ir/index.ts";
import { jsonEqual } from "../../../ir/index.ts";
import { createReport } from "../../../loss/index.ts";
import type { EventWords } from "../../../stream/encode/replay.ts";
import { stopFields } from "../../../stream/encode/stop.ts";
import type { UsageEvent } from "../../../stream/events.ts";
import { encodeStop } from "../stop-reason.ts";
import { decodeUsage, encodeUsage } from "../usage.ts";

const protocol = "openai-chat";
type Words = readonly (readonly [Pointer, Json])[];
const none: Words = [];

/** What an event says at its place in a chunk. */
export const eventWords: EventWords = (event) => {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return [[event.path, event.text]];
    case "part_start":
      return event.part.type === "toolCall" ? callWords(event.part, event.path) : none;
    case "state":
      return event.state.protocol === protocol ? [[event.path, event.state.value]] : none;
    case "usage":
      return usageWords(event);
    case "stop":
      return event.rawStopReason === undefined
        ? none
        : [[`${event.path}/finish_reason`, encodeStop(stopFields(event, protocol)).raw]];
    default:
      return none;
  }
};

function callWords(part: ToolCallPart, path: Pointer): Words {
  if (part.wire?.form?.["function_call"] === true) return [[`${path}/name`, part.name]];
  const own = part.state?.find((item) => item.kind === "callId" && item.protocol === protocol)?.value;
  return [
    [`${path}/${part.kind === "custom" ? "custom" : "function"}/name`, part.name],
    [`${path}/id`, own ?? part.id],
  ];
}

/** The frame's own object while nobody changed the counts. */
function usageWords(event: UsageEvent): Words {
  const { usage } = event;
  if (usage.raw !== undefined && jsonEqual(decodeUsage(usage.raw), usage)) return none;
  return [[event.path, encodeUsage(usage, createReport())]];
}
