import type { Json, JsonObject, Pointer, ProtocolId } from "../../ir/index.ts";
import { isJsonObject, jsonEqual, pointerSegments, valueAt } from "../../ir/index.ts";
import type { StreamEvent } from "../events.ts";
import { withValue } from "../with-value.ts";

/** What an event says, as pointers and values of the frame that it came from. */
export type EventWords = (event: StreamEvent) => readonly (readonly [Pointer, Json])[];

/** The frame that an event opens on the wire of `protocol`, where it has one. */
export function ownFrame(event: StreamEvent, protocol: ProtocolId): JsonObject | undefined {
  if (event.wire?.protocol !== protocol) return undefined;
  const frame = event.wire.form?.["frame"];
  return isJsonObject(frame) ? frame : undefined;
}

/** The events of one frame, from the position of its first on; undefined where some of them are gone. */
export function frameGroup(
  events: readonly StreamEvent[],
  start: number,
  protocol: ProtocolId,
): readonly StreamEvent[] | undefined {
  const first = events[start] as StreamEvent;
  let end = start + 1;
  while (end < events.length && events[end]?.wire?.joined === true && events[end]?.wire?.protocol === protocol) end++;
  return end - start === first.wire?.form?.["events"] ? events.slice(start, end) : undefined;
}

/** The number of the frame of a group: pieces that were held back come from earlier ones. */
export function frameNumber(group: readonly StreamEvent[]): number {
  let number = 0;
  for (const event of group) if (event.at > number) number = event.at;
  return number;
}

/** The frame as it came, with what its events say now. The frame itself is not changed. */
export function patchFrame(frame: JsonObject, group: readonly StreamEvent[], words: EventWords): JsonObject {
  const at = frameNumber(group);
  let patched = frame;
  /** Containers that were copied for this frame, so that each is copied once. */
  const own = new Set<Json>();
  for (const event of group) {
    if (event.at !== at) continue;
    for (const [pointer, value] of words(event)) {
      const stated = valueAt(patched, pointer);
      // What the frame does not say was said by another.
      if (stated === undefined || stated === value || jsonEqual(stated, value)) continue;
      patched = withValue(patched, pointerSegments(pointer), value, own);
    }
  }
  return patched;
}
