import type { Json, Part, Pointer } from "../../../ir/index.ts";
import { jsonEqual, readArguments } from "../../../ir/index.ts";
import { createReport } from "../../../loss/index.ts";
import type { EventWords } from "../../../stream/encode/replay.ts";
import { stopFields } from "../../../stream/encode/stop.ts";
import type { UsageEvent } from "../../../stream/events.ts";
import { encodeStop } from "../stop-reason.ts";
import { decodeUsage, encodeUsage } from "../usage.ts";

const protocol = "gemini-generate-content";
type Words = readonly (readonly [Pointer, Json])[];
const none: Words = [];

/** What an event says at its place in a chunk. */
export const eventWords: EventWords = (event) => {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta":
      return [[event.path, event.text]];
    case "toolcall_delta":
      return argumentWords(event.path, event.text);
    case "part_start":
      return startWords(event.part, event.path);
    case "state":
      return event.state.protocol === protocol ? [[event.path, event.state.value]] : none;
    case "usage":
      return usageWords(event);
    case "stop": {
      const key = event.path === "/promptFeedback" ? "blockReason" : "finishReason";
      const raw = key === "blockReason" ? event.rawStopReason : encodeStop(stopFields(event, protocol)).raw;
      return raw === undefined ? none : [[`${event.path}/${key}`, raw]];
    }
    default:
      return none;
  }
};

/** Arguments that are no object have no place in a chunk. */
function argumentWords(path: Pointer, text: string): Words {
  const read = readArguments(text);
  return "value" in read ? [[path, read.value]] : none;
}

function startWords(part: Part, path: Pointer): Words {
  if (part.type !== "toolCall") return none;
  const own = part.state?.find((item) => item.kind === "callId" && item.protocol === protocol)?.value;
  return [
    [`${path}/functionCall/name`, part.name],
    [`${path}/functionCall/id`, own ?? part.id],
  ];
}

/** The chunk's own object while nobody changed the counts. */
function usageWords(event: UsageEvent): Words {
  const { usage } = event;
  if (usage.raw !== undefined && jsonEqual(decodeUsage(usage.raw), usage)) return none;
  return [[event.path, encodeUsage(usage, createReport())]];
}
