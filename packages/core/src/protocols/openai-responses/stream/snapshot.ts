import { keep, knownKeys } from "../../../codec/ledger.ts";
import type { Json, JsonObject, Pointer } from "../../../ir/index.ts";
import { escapeSegment, isJsonObject } from "../../../ir/index.ts";
import type { OpenFrame } from "../../../stream/decode/frame.ts";
import { isEmptyValue, keepResidue, keepUnread, noteAbsent } from "../../../stream/decode/frame.ts";

const textKeys = knownKeys("type", "text", "annotations", "refusal");
const reasoningTextKeys = knownKeys("type", "text");

/** Keeps what a snapshot says otherwise than the piece that it repeats. `pointer` is that of the value within the frame. */
export function keepDifference(frame: OpenFrame, before: Json | undefined, after: Json, pointer: Pointer): void {
  if (before === undefined || after === before || isEmptyValue(after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, item] of after.entries())
      keepDifference(frame, before[index] ?? null, item, `${pointer}/${index}`);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key in after)
      keepDifference(frame, before[key] ?? null, after[key] as Json, `${pointer}/${escapeSegment(key)}`);
  } else keep(frame.ledger, pointer, after);
}

/** Keeps what a text or a refusal at `path` says that the IR has no word for. */
export function noteContent(part: JsonObject, path: Pointer, frame: OpenFrame): void {
  if (part["type"] === "output_text" || part["type"] === "refusal")
    keepResidue(frame, part, textKeys, `${path.slice(1)}/`);
}

/** Keeps what a text of reasoning at `path` says beside itself. */
export function noteReasoningText(
  part: JsonObject,
  list: "summary" | "content",
  path: Pointer,
  frame: OpenFrame,
): void {
  const place = path.slice(1);
  keepResidue(frame, part, reasoningTextKeys, `${place}/`);
  const { type } = part;
  if (type === undefined) noteAbsent(frame, `${place}/type`);
  else if (type !== (list === "summary" ? "summary_text" : "reasoning_text")) keepUnread(frame, `${place}/type`, type);
}
