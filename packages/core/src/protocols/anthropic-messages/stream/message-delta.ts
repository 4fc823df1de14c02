import { createLedger, knownKeys } from "../../../codec/ledger.ts";
import type { JsonObject } from "../../../ir/index.ts";
import { isJsonObject, valueAt } from "../../../ir/index.ts";
import type { OpenFrame } from "../../../stream/decode/frame.ts";
import { addEvent, keepLate, keepUnread, noteAbsent, noteLate } from "../../../stream/decode/frame.ts";
import type { UsageTally } from "../../../stream/decode/usage.ts";
import { addUsage } from "../../../stream/decode/usage.ts";
import { decodeStopDetails } from "../response.ts";
import { decodeStop } from "../stop-reason.ts";
import { decodeUsage } from "../usage.ts";

const protocol = "anthropic-messages";
const messageDeltaKeys = knownKeys("type", "delta", "usage");
const stopKeys = knownKeys("stop_reason", "stop_sequence", "stop_details");

/** What the end of a message needs to know of it. */
export interface EndState {
  readonly tally: UsageTally;
  parts: number;
  /** A call has begun. */
  readonly called: boolean;
  stopped: boolean;
  /** Where the reason to end would stand that has not come. */
  unstopped: { readonly at: number; readonly path: string } | undefined;
}

/** Reads `message_delta`: why the answer ends, the counts, and what the head came to hold after its start. */
export function readMessageDelta(value: JsonObject, frame: OpenFrame, state: EndState): void {
  keepLate(frame, value, messageDeltaKeys, "");
  const { usage, delta } = value;
  if (isJsonObject(usage)) readUsage(usage, frame, state);
  else keepUnread(frame, "usage", usage);
  if (!isJsonObject(delta)) {
    keepUnread(frame, "delta", delta);
    return;
  }
  keepLate(frame, delta, stopKeys, "delta/");
  readRefusal(delta, frame, state);
  const { stop_reason: raw, stop_sequence: sequence } = delta;
  if (typeof raw !== "string") {
    if (!state.stopped) state.unstopped = { at: frame.at, path: "/delta" };
    keepUnread(frame, "delta/stop_reason", raw);
    keepUnread(frame, "delta/stop_sequence", sequence);
    return;
  }
  if (typeof sequence !== "string") keepUnread(frame, "delta/stop_sequence", sequence);
  state.stopped = true;
  addEvent(frame, {
    type: "stop",
    path: "/delta",
    ...decodeStop(raw, state.called),
    rawStopReason: raw,
    ...(typeof sequence === "string" && { stopSequence: sequence }),
  });
}

/** What the API says about a refusal is a part of its own. */
function readRefusal(delta: JsonObject, frame: OpenFrame, state: EndState): void {
  const ledger = createLedger(protocol, "empty");
  const refusal = decodeStopDetails(delta["stop_details"], ledger);
  const path = "/delta/stop_details";
  if (refusal === undefined) {
    keepUnread(frame, path.slice(1), delta["stop_details"]);
    return;
  }
  const index = state.parts++;
  const { text, ...others } = refusal;
  addEvent(frame, { type: "part_start", path, index, part: { ...others, text: "" } });
  addEvent(frame, { type: "text_delta", path: `${path}/explanation`, index, text });
  addEvent(frame, { type: "part_end", path: "", index });
}

function readUsage(stated: JsonObject, frame: OpenFrame, state: EndState): void {
  const own = decodeUsage(stated);
  const raw = addUsage(state.tally, stated, `/events/${frame.at}/usage`, own.wire?.rest);
  for (const pointer in own.wire?.rest) {
    keepUnread(frame, `usage/${pointer}`, own.wire.rest[pointer]);
    // The usage of the message has it.
    if (valueAt(raw, pointer) !== undefined) noteLate(frame, [`usage/${pointer}`, 0, "", false]);
  }
  // Counts are said again here: what every earlier frame lacks too is missing here as well.
  const usage = decodeUsage(raw);
  const { form = {} } = usage.wire ?? {};
  for (const key in form) if (form[key] === "absent") noteAbsent(frame, `usage/${key}`);
  const origins = { ...state.tally.origins };
  addEvent(frame, { type: "usage", path: "/usage", usage, stated, origins });
}
