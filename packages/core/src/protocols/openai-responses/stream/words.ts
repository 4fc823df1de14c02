import type { KnownKeys } from "../../../codec/ledger.ts";
import { knownKeys } from "../../../codec/ledger.ts";
import type { Json, Part, Pointer } from "../../../ir/index.ts";
import { jsonEqual } from "../../../ir/index.ts";
import { createReport } from "../../../loss/index.ts";
import type { EventWords } from "../../../stream/encode/replay.ts";
import { stopFields } from "../../../stream/encode/stop.ts";
import type { UsageEvent } from "../../../stream/events.ts";
import { encodeStop } from "../stop-reason.ts";
import { decodeUsage, encodeUsage } from "../usage.ts";
import { separatorPath } from "./items.ts";

const protocol = "openai-responses";
type Words = readonly (readonly [Pointer, Json])[];
const none: Words = [];

/** Where the last snapshot says why an answer is incomplete. */
export const incompletePath: Pointer = "/response/incomplete_details";

/** What an event says at its place in a frame. */
export const eventWords: EventWords = (event) => {
  switch (event.type) {
    case "text_delta":
    case "toolcall_delta":
      return piece(event.path, event.text);
    case "thinking_delta":
      return event.path === separatorPath ? none : piece(event.path, event.text);
    case "part_start":
      return startWords(event.part, event.path);
    case "state":
      return event.state.protocol === protocol ? [[event.path, event.state.value]] : none;
    case "usage":
      return usageWords(event);
    case "stop": {
      if (event.rawStopReason === undefined) return none;
      const { status, reason } = encodeStop(stopFields(event, protocol));
      const said = ["/response/status", status] as const;
      return reason === undefined ? [said] : [said, [`${incompletePath}/reason`, reason]];
    }
    default:
      return none;
  }
};

/** Where the end of a text says all of it, the event holds only what the pieces did not say. */
function piece(path: Pointer, text: string): Words {
  return path === "/delta" ? [[path, text]] : none;
}

function startWords(part: Part, path: Pointer): Words {
  if (part.type !== "toolCall") return none;
  const own = part.state?.find((item) => item.kind === "callId" && item.protocol === protocol)?.value;
  return [
    [`${path}/name`, part.name],
    [`${path}/call_id`, own ?? part.id],
  ];
}

/** The frame's own object while nobody changed the counts. */
function usageWords(event: UsageEvent): Words {
  const { usage } = event;
  if (usage.raw !== undefined && jsonEqual(decodeUsage(usage.raw), usage)) return none;
  return [[event.path, encodeUsage(usage, createReport())]];
}

/** Keys of an event that the decoder reads, or that only count and link. */
export const eventKeys: KnownKeys = knownKeys(
  "type",
  "sequence_number",
  "obfuscation",
  "stream_id",
  "item_id",
  "output_index",
  "content_index",
  "summary_index",
  "annotation_index",
  "response",
  "item",
  "part",
  "delta",
  "text",
  "refusal",
  "arguments",
  "input",
  "annotation",
  "status",
  "name",
  "call_id",
);

/** The same for an event that only says how far an item is, or says again what pieces said. */
export const repeatedKeys: KnownKeys = { ...eventKeys, ...knownKeys("code", "logprobs") };
