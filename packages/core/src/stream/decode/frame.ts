import type { KnownKeys, Ledger } from "../../codec/ledger.ts";
import { createLedger, keep, plainWire } from "../../codec/ledger.ts";
import type { Json, JsonObject, Pointer, ProtocolId, WireForm } from "../../ir/index.ts";
import { escapeSegment } from "../../ir/index.ts";
import type { StreamEvent } from "../events.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type WithoutPlace<T> = T extends StreamEvent ? Omit<T, "at" | "wire" | "choice"> : never;
/** An event before it has its place. */
export type EventDraft = WithoutPlace<StreamEvent>;

/** One frame while it is decoded: its events, and what nobody read. */
export interface OpenFrame {
  readonly at: number;
  readonly value: JsonObject;
  readonly ledger: Ledger;
  readonly events: StreamEvent[];
  /** Pointers of fields that say again what an earlier one said. */
  repeated: string[] | undefined;
  /** Pointers of fields that the other frames of the stream state and this one leaves out. */
  absent: string[] | undefined;
  /** Fields among the residue that a whole response holds as well. */
  late: LateField[] | undefined;
}

/**
 * A field of a frame that a whole response holds: its pointer in the frame, the number of its candidate, its pointer in a response ("" for what the
 * message holds anyway), and whether it comes in pieces.
 */
export type LateField = readonly [place: string, choice: number, pointer: Pointer, grows: boolean];

export function openFrame(protocol: ProtocolId, at: number, value: JsonObject): OpenFrame {
  return {
    at,
    value,
    ledger: createLedger(protocol, "empty"),
    events: [],
    repeated: undefined,
    absent: undefined,
    late: undefined,
  };
}

/** Notes a field that says again what an earlier one said. */
export function noteRepeated(frame: OpenFrame, pointer: string): void {
  frame.repeated ??= [];
  frame.repeated.push(pointer);
}

/** Notes a field that the other frames of the stream state and this one leaves out. */
export function noteAbsent(frame: OpenFrame, pointer: string): void {
  frame.absent ??= [];
  frame.absent.push(pointer);
}

/** Notes that a whole response holds a field of the residue, too. */
export function noteLate(frame: OpenFrame, field: LateField): void {
  frame.late ??= [];
  frame.late.push(field);
}

export function addEvent(frame: OpenFrame, event: EventDraft, choice = 0): void {
  const placed = event as unknown as { at: number; choice?: number };
  placed.at = frame.at;
  if (choice !== 0) placed.choice = choice;
  frame.events.push(event as unknown as StreamEvent);
}

/** Null, an empty text and empty containers mean absence in a frame. */
export function isEmptyValue(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (typeof value === "object" && (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0))
  );
}

/** Keeps what is not known and says something. */
export function keepResidue(frame: OpenFrame, source: JsonObject, known: KnownKeys, prefix = ""): void {
  for (const key in source) {
    if (known[key] === undefined && !isEmptyValue(source[key]))
      keep(frame.ledger, prefix + escapeSegment(key), source[key] as Json);
  }
}

/** The same for what a whole response holds under the same key, below `pointer`. */
export function keepLate(
  frame: OpenFrame,
  source: JsonObject,
  known: KnownKeys,
  prefix: string,
  candidate?: { readonly choice: number; readonly pointer: string },
): void {
  keepResidue(frame, source, known, prefix);
  const { choice = 0, pointer = "" } = candidate ?? {};
  for (const key in source) {
    if (known[key] !== undefined || isEmptyValue(source[key])) continue;
    const name = escapeSegment(key);
    noteLate(frame, [prefix + name, choice, pointer + name, candidate !== undefined]);
  }
}

/** Keeps a value of a known key that is not of its documented form. */
export function keepUnread(frame: OpenFrame, pointer: string, value: Json | undefined): void {
  if (!isEmptyValue(value)) keep(frame.ledger, pointer, value as Json);
}

/** A frame that comes when the stream has ended: it says nothing any more, and it is not forgotten. */
export function afterEnd(
  protocol: ProtocolId,
  at: number,
  value: JsonObject | undefined,
  name: string | undefined,
): readonly StreamEvent[] {
  if (value === undefined) return [];
  const frame = openFrame(protocol, at, value);
  addEvent(frame, { type: "raw", protocol, path: "", value });
  return closeFrame(frame, protocol, name);
}

/** The events of a frame, the first with what the frame holds beside them. Without any there is one that only carries the frame. */
export function closeFrame(frame: OpenFrame, protocol: ProtocolId, name?: string): readonly StreamEvent[] {
  const { events, ledger, repeated, value } = frame;
  if (events.length === 0) addEvent(frame, { type: "raw", protocol, path: "" });
  const form: { [key: string]: Json } = { frame: value, events: events.length };
  if (name !== undefined) form["event"] = name;
  if (repeated !== undefined) form["repeated"] = repeated;
  if (frame.absent !== undefined) form["absent"] = frame.absent;
  if (frame.late !== undefined) form["late"] = frame.late as unknown as Json;
  const wire: WireForm = ledger.rest === undefined ? { protocol, form } : { protocol, rest: ledger.rest, form };
  (events[0] as Mutable<StreamEvent>).wire = wire;
  if (events.length === 1) return events;
  const joined = plainWire(protocol, true);
  for (let index = 1; index < events.length; index++) (events[index] as Mutable<StreamEvent>).wire = joined;
  return events;
}
