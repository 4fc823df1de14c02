import { plainWire } from "../../codec/ledger.ts";
import type { Json, JsonObject, Pointer, WireForm } from "../../ir/index.ts";
import { isJsonObject, pointerSegments, valueAt } from "../../ir/index.ts";
import { endOfString, isDigit } from "../../json/argument-text.ts";
import type { StreamEvent } from "../events.ts";
import type { DeltaEvent, StreamDecoder } from "../protocol.ts";
import type { SseFrame } from "../sse.ts";
import { withValue } from "../with-value.ts";
import { readFrame } from "./read-frame.ts";

/**
 * Most frames of a stream are the one before with another text, and perhaps other counts. What surrounds these is compared and not read again: it
 * would give the same frame. A decoder asks first, and lets each frame be learned that it had to read; so a match follows on frames that were
 * alike.
 */
export interface Repetition {
  /** The first event of a frame that differs from the last one in nothing but its text and what may vary. */
  match(frame: SseFrame, at: number): StreamEvent | undefined;
  /** What the frame that matched last says under a key, where it has more events than the first. */
  member(key: string): Json | undefined;
  /** Takes the frame that was read and all its events. Those behind the first are the decoder's own to make again. */
  learn(frame: SseFrame, events: readonly StreamEvent[]): void;
  /** The run of a decoder whose books `note` keeps for frames that are read outside. */
  run(note: (event: DeltaEvent, text: string, frames: number) => void): ReturnType<NonNullable<StreamDecoder["run"]>>;
}

/** A place whose value is another one in each frame: a string, or a number of digits alone. */
interface Hole {
  readonly segments: readonly string[];
  readonly isText: boolean;
  readonly isNumber: boolean;
}

/** Which places of a frame vary. Most streams of a protocol have the same ones, and each that is open would hold its own. */
interface Shape {
  /** In the order of the frame. */
  readonly holes: readonly Hole[];
  readonly filling: Filling;
}

interface Pattern extends Shape {
  readonly name: string | undefined;
  /** What stands before the first hole, between them and behind the last, with the quotes of strings. */
  readonly fixed: readonly string[];
  readonly event: DeltaEvent;
  /** What the form says of each such frame, but for its value. */
  readonly form: JsonObject;
  readonly protocol: WireForm["protocol"];
  /** The frame, where it is asked for again. */
  readonly value: JsonObject | undefined;
}

/** What stands in the holes of a frame; for one with a text alone, that. */
type Found = string | readonly (string | number)[];

/** Where holes are in a container: at a key the number of the hole, or what holds some. */
type Filling = readonly (readonly [key: string, inner: number | Filling])[];

/** So many patterns are tried in vain before a stream is taken for one that never repeats itself. */
const PATIENCE = 4;
/** Digits that a double holds exactly. */
const EXACT = 15;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string
const special = /["\\\u0000-\u001f]/;

/**
 * `frames`: whether each event carries its frame. `varying`: places that may differ from frame to frame, as counters and padding do, and whose
 * values need no event of their own.
 */
export function createRepetition(frames: boolean, varying: readonly Pointer[] = []): Repetition {
  let pattern: Pattern | undefined;
  let patience = PATIENCE;
  /** The values of the last match, where some of its frame may be asked for, and the frame where it was made. */
  let latest: { readonly found: Found; readonly value: JsonObject | undefined } | undefined;
  return {
    match(frame: SseFrame, at: number): StreamEvent | undefined {
      if (pattern === undefined || frame.event !== pattern.name || isHurt(frame)) return undefined;
      const found = pattern.holes.length === 1 ? readText(pattern, frame.data) : readHoles(pattern, frame.data);
      if (found === undefined) return undefined;
      patience = PATIENCE;
      const text = typeof found === "string" ? found : (found[pattern.holes.findIndex(isText)] as string);
      const isAlone = pattern.form["events"] === 1;
      const value = frames ? valueWith(pattern, found) : undefined;
      latest = isAlone ? undefined : { found, value };
      const wire = frames && value !== undefined ? wireOf(pattern, value) : plainWire(pattern.protocol);
      return eventOf(pattern.event, text, at, wire);
    },
    member(key: string): Json | undefined {
      if (latest === undefined || pattern?.value === undefined) return undefined;
      const { found, value } = latest;
      if (value !== undefined || typeof found === "string") return (value ?? valueWith(pattern, found))?.[key];
      const inner = pattern.filling.find(([name]) => name === key)?.[1];
      const known = pattern.value[key];
      if (inner === undefined || known === undefined) return known;
      return typeof inner === "number" ? found[inner] : filled(known, inner, found);
    },
    learn(frame: SseFrame, events: readonly StreamEvent[]): void {
      pattern = undefined;
      const [event] = events;
      if (patience === 0 || event === undefined || isHurt(frame)) return;
      pattern = patternOf(frame, event, varying, frames);
      if (pattern !== undefined) patience--;
    },
    run(note: (event: DeltaEvent, text: string, frames: number) => void) {
      if (pattern === undefined || pattern.holes.length > 1) return undefined;
      const { name, event } = pattern;
      const [before = "", after = ""] = pattern.fixed;
      return {
        event,
        frames: {
          ...(name !== undefined && { event: name }),
          before,
          after,
          note(text: string, count: number) {
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
const isText = ({ isText }: Hole): boolean => isText;

/** The text of a frame in which nothing else varies. */
function readText({ fixed }: Pattern, data: string): string | undefined {
  const [before = "", after = ""] = fixed;
  if (data.length < before.length + after.length) return undefined;
  // Slices are compared in blocks, which `startsWith` does not do.
  if (data.slice(0, before.length) !== before || !data.endsWith(after)) return undefined;
  return readString(data.slice(before.length, data.length - after.length));
}

/** The values of the holes; undefined for a frame that differs elsewhere. */
function readHoles({ fixed, holes }: Pattern, data: string): (string | number)[] | undefined {
  const values: (string | number)[] = [];
  let at = 0;
  for (let index = 0; index < fixed.length; index++) {
    const expected = fixed[index] as string;
    const end = at + expected.length;
    if (data.slice(at, end) !== expected) return undefined;
    const hole = holes[index];
    if (hole === undefined) return end === data.length ? values : undefined;
    at = hole.isNumber ? endOfDigits(data, end) : endOfString(data, end - 1);
    const value = hole.isNumber ? readNumber(data.slice(end, at)) : readString(data.slice(end, at));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return undefined;
}

function endOfDigits(data: string, start: number): number {
  let end = start;
  while (isDigit(data.charCodeAt(end))) end++;
  return end;
}

/** The number that stands there in digits alone, as JSON writes it. */
function readNumber(digits: string): number | undefined {
  if (digits.length === 0 || digits.length > EXACT || (digits.length > 1 && digits.charCodeAt(0) === 0x30))
    return undefined;
  return Number(digits);
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

/** Built field by field: a copy of the event would take as long as reading its frame. */
function eventOf({ type, path, index, choice }: DeltaEvent, text: string, at: number, wire: WireForm): StreamEvent {
  return choice === undefined ? { type, path, index, text, at, wire } : { type, path, index, text, at, choice, wire };
}

function valueWith({ value, holes, filling }: Pattern, found: Found): JsonObject | undefined {
  if (value === undefined) return undefined;
  if (typeof found === "string") return withValue(value, (holes[0] as Hole).segments, found);
  return filled(value, filling, found) as JsonObject;
}

/** The same value with others in its holes. */
function filled(value: Json, filling: Filling, values: readonly Json[]): Json {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as { [key: string]: Json };
  for (const [key, inner] of filling)
    copy[key] = typeof inner === "number" ? (values[inner] as Json) : filled(copy[key] as Json, inner, values);
  return copy;
}

function fillingOf(holes: readonly { readonly segments: readonly string[]; readonly number: number }[]): Filling {
  const keys = [...new Set(holes.map(({ segments }) => segments[0] as string))];
  return keys.map((key) => {
    const below = holes.filter(({ segments }) => segments[0] === key);
    const [first] = below;
    if (first?.segments.length === 1) return [key, first.number] as const;
    return [key, fillingOf(below.map(({ segments, number }) => ({ segments: segments.slice(1), number })))] as const;
  });
}

function wireOf({ protocol, form }: Pattern, frame: JsonObject): WireForm {
  const { events, event, repeated } = form as { readonly [key: string]: Json };
  if (repeated !== undefined)
    return {
      protocol,
      form: event === undefined ? { frame, events, repeated } : { frame, events, event, repeated },
    } as WireForm;
  return { protocol, form: event === undefined ? { frame, events } : { frame, events, event } } as WireForm;
}

interface FoundHole extends Hole {
  readonly start: number;
  readonly end: number;
  readonly probe: string | number;
}

function patternOf(
  { data, event: name }: SseFrame,
  event: StreamEvent,
  varying: readonly Pointer[],
  frames: boolean,
): Pattern | undefined {
  const { wire } = event;
  const { frame: value, ...form } = wire?.form ?? {};
  if (wire === undefined || wire.rest !== undefined || !isJsonObject(value)) return undefined;
  if (event.type !== "text_delta" && event.type !== "thinking_delta" && event.type !== "toolcall_delta")
    return undefined;
  if (event.text === "" || form["absent"] !== undefined || form["late"] !== undefined) return undefined;
  const found: (FoundHole | undefined)[] = [findHole(data, value, event.path, true)];
  for (const pointer of varying)
    if (valueAt(value, pointer) !== undefined) found.push(findHole(data, value, pointer, false));
  const holes = found.filter((hole) => hole !== undefined).sort((left, right) => left.start - right.start);
  // One that is not found may vary all the same.
  if (holes.length < found.length) return undefined;
  const fixed = holes.map(({ start }, index) => ownText(data.slice(holes[index - 1]?.end ?? 0, start)));
  fixed.push(ownText(data.slice(holes.at(-1)?.end)));
  // The same key with the same value may stand elsewhere, even within a text.
  const tried = readFrame(fixed.map((text, index) => text + (holes[index]?.probe ?? "")).join(""));
  if (holes.some(({ segments, probe }) => valueAt(tried, `/${segments.join("/")}`) !== probe)) return undefined;
  return {
    name,
    fixed,
    // What nobody asks for is not kept as long as the stream is open.
    event: frames ? event : (eventOf(event, event.text, event.at, plainWire(wire.protocol)) as DeltaEvent),
    form: form as JsonObject,
    protocol: wire.protocol,
    value: frames || form["events"] !== 1 ? value : undefined,
    ...shapeOf(holes),
  };
}

/** The shapes of streams so far, by their places and kinds. */
const shapes = new Map<string, Shape>();
/** So many are remembered: servers spell their frames in few ways, and one that makes them up must not fill the memory. */
const REMEMBERED = 100;

function shapeOf(found: readonly FoundHole[]): Shape {
  const key = JSON.stringify(found.map(({ segments, isText, isNumber }) => [segments, isText, isNumber]));
  let shape = shapes.get(key);
  if (shape === undefined) {
    const holes = found.map(({ segments, isText, isNumber }) => ({ segments, isText, isNumber }));
    shape = { holes, filling: fillingOf(holes.map(({ segments }, number) => ({ segments, number }))) };
    if (shapes.size >= REMEMBERED) shapes.clear();
    shapes.set(key, shape);
  }
  return shape;
}

/** Where the value of a place stands in a frame, without the quotes of a string. */
function findHole(data: string, frame: JsonObject, pointer: Pointer, isText: boolean): FoundHole | undefined {
  const segments = pointerSegments(pointer);
  const value = valueAt(frame, pointer);
  const isNumber = typeof value === "number";
  if (typeof value !== "string" && !isNumber) return undefined;
  const literal = JSON.stringify(value);
  if (isNumber && readNumber(literal) === undefined) return undefined;
  const place = placeOf(data, JSON.stringify(segments.at(-1)), literal);
  if (place < 0) return undefined;
  const quote = isNumber ? 0 : 1;
  // A number is probed by one that it is not.
  const probe = isNumber ? value + 1 : "?";
  return { segments, isText, isNumber, probe, start: place + quote, end: place + literal.length - quote };
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
