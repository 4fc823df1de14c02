import type { Json, Part, Pointer, ToolCallPart } from "../../../ir/index.ts";
import type { Report } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import { isCutText, loseCutCall } from "../../../stream/encode/cut-call.ts";
import type { CitationEvent, PartStartEvent, StopEvent } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";

/** A part of a candidate, as far as its deltas need to know it. */
export interface Slot {
  part: Part;
  readonly field: string | undefined;
  /** Position among the calls of the candidate. */
  readonly call: number | undefined;
  /** Of a text: it stands after a call, and after another text. */
  readonly isLate: boolean;
  readonly isFurther: boolean;
  /** Length of its text so far, and where it begins in the text of the answer. */
  length: number;
  readonly offset: number;
  /** Nothing but white space came of its arguments. */
  isBlank: boolean;
  /** Pieces of its arguments. */
  readonly pieces: string[];
  lastPlace: Pointer;
  readonly citations: CitationEvent[];
}

/** One candidate while it is written. */
export interface Answer {
  readonly number: number;
  readonly slots: Map<number, Slot>;
  calls: number;
  /** Texts that began, and those that said something. */
  texts: number;
  said: number;
  length: number;
  annotations: Json[];
  /** The arguments of a call are not whole. */
  isCut: boolean;
  /** A refusal of the model is among its parts. */
  refuses: boolean;
  stop: StopEvent | undefined;
}

export function createAnswer(number: number): Answer {
  return {
    number,
    slots: new Map(),
    calls: 0,
    texts: 0,
    said: 0,
    length: 0,
    annotations: [],
    isCut: false,
    refuses: false,
    stop: undefined,
  };
}

/** `field` is where reasoning goes. */
export function createSlot(event: PartStartEvent, field: string | undefined, answer: Answer): Slot {
  if (event.part.type === "refusal") answer.refuses = true;
  return {
    part: event.part,
    field,
    call: event.part.type === "toolCall" ? answer.calls++ : undefined,
    isLate: answer.calls > 0,
    isFurther: event.part.type === "text" && answer.texts++ > 0,
    length: 0,
    offset: answer.length,
    isBlank: true,
    pieces: [],
    lastPlace: eventPointer(event),
    citations: [],
  };
}

/** Notes that a call has ended whose arguments are not whole. */
export function noteCut(
  part: ToolCallPart,
  { pieces, lastPlace }: Slot,
  answer: Answer,
  collected: boolean,
  report: Report,
): void {
  if (collected || part.kind === "custom" || !isCutText(pieces.join(""))) return;
  answer.isCut = true;
  loseCutCall(report, part, lastPlace);
}

/** The field of a delta that the pieces of a part go into; undefined for parts without any. */
export function textField({ part, field }: Slot): string | undefined {
  if (part.type === "text") return "content";
  return part.type === "refusal" ? "refusal" : field;
}

/** The length of a text says where its citations stand; the first that it says, whether it is moved there. */
export function noteText(text: string, slot: Slot, answer: Answer, report: Report): void {
  if (slot.part.type !== "text") return;
  if (text !== "" && slot.length === 0) {
    if (slot.isLate) lose(report, "turn.order", slot.part, "type");
    if (answer.said++ > 0) lose(report, "text.joined", slot.part, "type");
  }
  slot.length += text.length;
  answer.length += text.length;
}

/** A text that ended and said nothing: an answer has one text, in front of its calls, and needs no other. */
export function noteEmpty({ part, length, isLate, isFurther }: Slot, report: Report): void {
  if (part.type === "text" && length === 0 && (isLate || isFurther)) lose(report, "text.empty", part);
}
