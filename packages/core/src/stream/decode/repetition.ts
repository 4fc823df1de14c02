import { plainWire } from "../../codec/ledger.ts";
import type { JsonObject, WireForm } from "../../ir/index.ts";
import { isJsonObject, pointerSegments, valueAt } from "../../ir/index.ts";
import type { StreamEvent } from "../events.ts";
import type { DeltaEvent, StreamDecoder } from "../protocol.ts";
import type { SseFrame } from "../sse.ts";
import { withValue } from "../with-value.ts";
import { readFrame } from "./read-frame.ts";

/**
 * Most frames of a stream are the one before with another text. What surrounds the text is compared and not read again: it would give the same
 * frame. A decoder asks first, and lets each frame be learned that it had to read; so a match follows on frames that were alike.
 */
export interface Repetition {
  /** The event of a frame that differs from the last one in nothing but its text. */
  match(frame: SseFrame, at: number): StreamEvent | undefined;
  /** Takes the frame that was read and all its events. */
  learn(frame: SseFrame, events: readonly StreamEvent[]): void;
  /** The run of a decoder whose books `note` keeps for frames that are read outside. */
  run(note: (event: DeltaEvent, text: string, frames: number) => void): ReturnType<NonNullable<StreamDecoder["run"]>>;
}

interface Pattern {
  readonly name: string | undefined;
  /** What stands before the text, with its opening quote, and after it. */
  readonly before: string;
  readonly after: string;
  readonly event: DeltaEvent;
  /** The name of the SSE event, where the frame does not say it. */
  readonly spelled: string | undefined;
  readonly protocol: WireForm["protocol"];
  readonly value: JsonObject;
  readonly segments: readonly string[];
}

/** So many patterns are tried in vain before a stream is taken for one that never repeats itself. */
const PATIENCE = 4;
const probe = "?";
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string
const special = /["\\\u0000-\u001f]/;

/** `frames`: whether each event carries its frame. */
export function createRepetition(frames: boolean): Repetition {
  let pattern: Pattern | undefined;
  let patience = PATIENCE;
  return {
    match(frame, at) {
      if (pattern === undefined || frame.event !== pattern.name || isHurt(frame)) return undefined;
      const { data } = frame;
      const { before, after } = pattern;
      if (data.length < before.length + after.length) return undefined;
      // Slices are compared in blocks, which `startsWith` does not do.
      if (data.slice(0, before.length) !== before || !data.endsWith(after)) return undefined;
      const text = readString(data.slice(before.length, data.length - after.length));
      if (text === undefined) return undefined;
      patience = PATIENCE;
      return eventOf(pattern, text, at, frames);
    },
    learn(frame, events) {
      pattern = undefined;
      const [event] = events;
      if (patience === 0 || events.length !== 1 || event === undefined || isHurt(frame)) return;
      pattern = patternOf(frame, event);
      if (pattern !== undefined) patience--;
    },
    run(note) {
      if (pattern === undefined) return undefined;
      const { name, before, after, event } = pattern;
      return {
        event,
        frames: {
          ...(name !== undefined && { event: name }),
          before,
          after,
          note(text, count) {
            patience = PATIENCE;
            note(event, text, count);
          },
        },
      };
    },
  };
}

/** Such a frame is looked at by itself. */
const isHurt = ({ cut, damaged }: SseFrame): boolean => cut === true || damaged === true;

/** Built field by field: a copy of the event would take as long as reading its frame. */
function eventOf(pattern: Pattern, text: string, at: number, frames: boolean): StreamEvent {
  const { type, path, index, choice } = pattern.event;
  const wire = frames ? wireOf(pattern, text) : plainWire(pattern.protocol);
  return choice === undefined ? { type, path, index, text, at, wire } : { type, path, index, text, at, choice, wire };
}

function wireOf({ spelled, protocol, value, segments }: Pattern, text: string): WireForm {
  const frame = withValue(value, segments, text);
  return {
    protocol,
    form: spelled === undefined ? { frame, events: 1 } : { frame, events: 1, event: spelled },
  };
}

/** What stands between the quotes of a JSON string, read; undefined for what can stand in none. */
export function readString(inner: string): string | undefined {
  if (!special.test(inner)) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

function patternOf({ data, event: name }: SseFrame, event: StreamEvent): Pattern | undefined {
  const { wire } = event;
  const value = wire?.form?.["frame"];
  if (wire === undefined || wire.rest !== undefined || !isJsonObject(value)) return undefined;
  if (event.type !== "text_delta" && event.type !== "thinking_delta" && event.type !== "toolcall_delta")
    return undefined;
  if (event.text === "" || wire.form?.["repeated"] !== undefined || wire.form?.["absent"] !== undefined)
    return undefined;
  const segments = pointerSegments(event.path);
  const literal = JSON.stringify(event.text);
  const start = placeOf(data, JSON.stringify(segments.at(-1)), literal);
  if (start < 0) return undefined;
  const before = ownText(data.slice(0, start + 1));
  const after = ownText(data.slice(start + literal.length - 1));
  // The same key with the same text may stand elsewhere, even within a text.
  if (valueAt(readFrame(before + probe + after), event.path) !== probe) return undefined;
  const spelled = wire.form?.["event"];
  return {
    name,
    before,
    after,
    event,
    spelled: typeof spelled === "string" ? spelled : undefined,
    protocol: wire.protocol,
    value,
    segments,
  };
}

/** Where the value of a key begins, written with or without a space before it; -1 where it is written otherwise. */
function placeOf(data: string, key: string, literal: string): number {
  for (const between of [":", ": "]) {
    const start = data.indexOf(key + between + literal);
    if (start >= 0) return start + key.length + between.length;
  }
  return -1;
}

/** A copy of a slice: it is compared faster, and does not hold the text that it was cut from. */
function ownText(slice: string): string {
  return JSON.parse(JSON.stringify(slice)) as string;
}
