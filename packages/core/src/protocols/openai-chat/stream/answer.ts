import type { Json, Part } from "../../../ir/index.ts";
import type { CitationEvent, StopEvent } from "../../../stream/events.ts";

/** A part of a candidate, as far as its deltas need to know it. */
export interface Slot {
  part: Part;
  readonly field: string | undefined;
  /** Position among the calls of the candidate. */
  readonly call: number | undefined;
  /** Length of its text so far, and where it begins in the text of the answer. */
  length: number;
  readonly offset: number;
  /** Nothing but white space came of its arguments. */
  isBlank: boolean;
  readonly citations: CitationEvent[];
}

/** One candidate while it is written. */
export interface Answer {
  readonly number: number;
  readonly slots: Map<number, Slot>;
  calls: number;
  texts: number;
  length: number;
  annotations: Json[];
  stop: StopEvent | undefined;
}

/** The field of a delta that the pieces of a part go into; undefined for parts without any. */
export function textField({ part, field }: Slot): string | undefined {
  if (part.type === "text") return "content";
  return part.type === "refusal" ? "refusal" : field;
}

/** The length of a text says where its citations stand. */
export function noteText(text: string, slot: Slot, answer: Answer): void {
  if (slot.part.type !== "text") return;
  slot.length += text.length;
  answer.length += text.length;
}
