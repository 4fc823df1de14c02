import type { StatedError } from "../../../codec/errors/envelope.ts";
import { keep, knownKeys, plainWire } from "../../../codec/ledger.ts";
import { millisecondsOf } from "../../../codec/time.ts";
import { unreportedUsage } from "../../../codec/usage.ts";
import type { AssistantMessage, Exchange, Json, JsonObject } from "../../../ir/index.ts";
import { escapeSegment, isJsonObject, jsonEqual, setOwn, valueAt } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { createTermRestorer } from "../../../stream/decode/client-terms.ts";
import type { OpenFrame } from "../../../stream/decode/frame.ts";
import {
  addEvent,
  afterEnd,
  closeFrame,
  isEmptyValue,
  keepResidue,
  keepUnread,
  noteAbsent,
  noteLate,
  openFrame,
} from "../../../stream/decode/frame.ts";
import { noteInexact, readFrame, unreadable } from "../../../stream/decode/read-frame.ts";
import { createRepetition } from "../../../stream/decode/repetition.ts";
import type { UsageTally } from "../../../stream/decode/usage.ts";
import { addUsage, createUsageTally } from "../../../stream/decode/usage.ts";
import type { StreamEvent, StreamFailure } from "../../../stream/events.ts";
import { describeFailure, endedEarly } from "../../../stream/failure.ts";
import type { StreamDecodeOptions, StreamDecoder } from "../../../stream/protocol.ts";
import { findStated, readStated } from "../errors.ts";
import { decodeStop } from "../stop-reason.ts";
import { decodeUsage } from "../usage.ts";
import type { CallReader } from "./calls.ts";
import { areComplete, createCallReader, endCalls } from "./calls.ts";
import type { Candidate } from "./choice.ts";
import { closeOpenPart, createCandidate, endPlace, noteAgain, readChoice } from "./choice.ts";

const protocol = "openai-chat";

/** Keys of a chunk that are read, or that only pad it. */
const chunkKeys: { readonly [key: string]: true | undefined } = Object.assign(Object.create(null), {
  id: true,
  object: true,
  created: true,
  model: true,
  choices: true,
  usage: true,
  error: true,
  obfuscation: true,
});

/** Keys of a choice that say what its failure says. */
const failedChoiceKeys = knownKeys("index", "delta", "finish_reason", "error");

interface State {
  readonly exchange: Exchange | undefined;
  readonly losses: LossDraft[];
  readonly shared: CallReader;
  readonly candidates: Map<number, Candidate>;
  readonly tally: UsageTally;
  /** Values of keys that each chunk repeats. */
  readonly repeated: { [key: string]: Json };
  frames: number;
  head: AssistantMessage | undefined;
  /** Some chunk had a list of choices. */
  answered: boolean;
  ended: boolean;
}

export function createStreamDecoder(exchange?: Exchange, options: StreamDecodeOptions = {}): StreamDecoder {
  const losses: LossDraft[] = [];
  const state: State = {
    exchange,
    losses,
    shared: createCallReader(losses, exchange?.provider),
    candidates: new Map(),
    tally: createUsageTally(),
    repeated: {},
    frames: 0,
    head: undefined,
    answered: false,
    ended: false,
  };
  const restore = createTermRestorer(exchange, losses);
  const repetition = createRepetition(options.frames ?? true, ["/obfuscation"]);
  return {
    losses,
    push(frame) {
      const again = state.ended ? undefined : repetition.match(frame, state.frames);
      if (again !== undefined) {
        const candidate = state.candidates.get(again.choice ?? 0);
        if (candidate !== undefined) noteAgain(candidate, again.at);
        state.frames++;
        return restore([again]);
      }
      if (frame.data.trim() === "[DONE]") return state.ended ? [] : restore(endMarked(state));
      const value = readFrame(frame.data);
      const at = state.frames++;
      if (state.ended) return afterEnd(protocol, at, value, frame.event);
      if (value === undefined) return fail(state, at, unreadable(frame, at));
      const inexact = noteInexact(frame, value, at, losses);
      const stated = findStated(value) ?? (frame.event === "error" ? { body: { error: value }, at: "" } : undefined);
      if (stated !== undefined) return restore(readFailed(value, stated, at, frame.event, state));
      const events = readChunk(value, at, frame.event, state);
      // Pieces of calls are looked at one by one, and so is what the text says beyond its value.
      repetition.learn(frame, inexact || events.length > 1 || events[0]?.type === "toolcall_delta" ? [] : events);
      return restore(events);
    },
    finish() {
      if (state.ended) return [];
      const primary = state.candidates.get(0);
      if (primary?.finished === true) return restore(endStream(state, true));
      return fail(state, state.frames, endedEarly);
    },
    run: () =>
      state.ended
        ? undefined
        : repetition.run((event, _text, frames) => {
            state.frames += frames;
            const candidate = state.candidates.get(event.choice ?? 0);
            if (candidate !== undefined) noteAgain(candidate, state.frames - 1);
          }),
  };
}

/** A chunk with an error, an error body in place of the stream, or an `event: error`. What an answer says in the same chunk counts. */
function readFailed(
  value: JsonObject,
  stated: StatedError,
  at: number,
  name: string | undefined,
  state: State,
): readonly StreamEvent[] {
  const failure = { error: describeFailure(readStated(stated)), path: stated.at };
  if (saysSomething(value)) return readChunk(value, at, name, state, failure);
  // The failure is the only event of its frame, so that the frame is written again as it came.
  state.ended = true;
  const frame = openFrame(protocol, at, value);
  // Beside an answer the error has only its own words.
  if (stated.body !== value && Array.isArray(value["choices"])) {
    keepRepeated(value, frame, state);
    value["choices"].forEach((choice: Json, position) => {
      if (isJsonObject(choice)) keepResidue(frame, choice, failedChoiceKeys, `choices/${position}/`);
    });
  }
  addEvent(frame, { type: "error", ...failure });
  return closeFrame(frame, protocol, name);
}

function saysSomething({ choices }: JsonObject): boolean {
  const isSaid = ([key, value]: [string, Json]): boolean => key !== "role" && !isEmptyValue(value);
  return (
    Array.isArray(choices) &&
    choices.some(
      (choice) => isJsonObject(choice) && isJsonObject(choice["delta"]) && Object.entries(choice["delta"]).some(isSaid),
    )
  );
}

function fail(state: State, at: number, error: StreamFailure): readonly StreamEvent[] {
  state.ended = true;
  return [{ type: "error", at, path: "", error }];
}

/** `stated` is the failure that the chunk tells itself. */
function readChunk(
  value: JsonObject,
  at: number,
  name: string | undefined,
  state: State,
  stated?: { readonly error: StreamFailure; readonly path: string },
): readonly StreamEvent[] {
  const frame = openFrame(protocol, at, value);
  readHead(value, frame, state);
  const { choices, usage } = value;
  let failure: StreamFailure | undefined;
  if (Array.isArray(choices)) {
    state.answered = true;
    for (let position = 0; position < choices.length && failure === undefined; position++) {
      const choice = choices[position] as Json;
      failure = readCandidate(stated === undefined ? choice : withoutError(choice), position, frame, state);
    }
  } else keepUnread(frame, "choices", choices);
  if (isJsonObject(usage)) readUsage(usage, frame, state);
  else keepUnread(frame, "usage", usage);
  if (stated !== undefined) {
    state.ended = true;
    addEvent(frame, { type: "error", ...stated });
  }
  const events = closeFrame(frame, protocol, name);
  return failure === undefined || stated !== undefined ? events : [...events, ...fail(state, at, failure)];
}

/** The failure itself tells what its field says. */
function withoutError(choice: Json): Json {
  if (!isJsonObject(choice)) return choice;
  const { error: _error, ...others } = choice;
  return others;
}

function readCandidate(value: Json, position: number, frame: OpenFrame, state: State): StreamFailure | undefined {
  if (!isJsonObject(value)) {
    keepUnread(frame, `choices/${position}`, value);
    return undefined;
  }
  const number = typeof value["index"] === "number" && value["index"] >= 0 ? value["index"] : position;
  let candidate = state.candidates.get(number);
  if (candidate === undefined) {
    candidate = createCandidate(number);
    state.candidates.set(number, candidate);
  }
  return readChoice(value, position, candidate, frame, state.shared);
}

/** What each chunk repeats, and the IR has no word for. */
function keepRepeated(value: JsonObject, frame: OpenFrame, state: State): void {
  for (const key in value) {
    if (chunkKeys[key] !== undefined) continue;
    const item = value[key] as Json;
    const isRepeated = Object.hasOwn(state.repeated, key);
    // An empty value says nothing, unless there was one before.
    if (isRepeated ? jsonEqual(state.repeated[key], item) : isEmptyValue(item)) continue;
    setOwn(state.repeated, key, item);
    keep(frame.ledger, escapeSegment(key), item);
    noteLate(frame, [escapeSegment(key), 0, escapeSegment(key), false]);
  }
}

/** Id, model and time of the answer, which each chunk repeats; an empty first chunk may come before they are known. */
function readHead(value: JsonObject, frame: OpenFrame, state: State): void {
  keepRepeated(value, frame, state);
  const { id, model, created, choices } = value;
  if (state.head !== undefined) {
    keepChanged(frame, "id", id, state.head.responseId);
    keepChanged(frame, "model", model, state.head.responseModel);
    keepChanged(frame, "created", created, state.head.timestamp / 1000);
    return;
  }
  const isEmpty = !Array.isArray(choices) || choices.length === 0;
  if (isEmpty && !isJsonObject(value["usage"])) {
    for (const key of ["id", "model"] as const) keepUnread(frame, key, value[key]);
    keepUnread(frame, "created", created);
    return;
  }
  const head: AssistantMessage = {
    role: "assistant",
    content: [],
    api: protocol,
    provider: state.exchange?.provider ?? "unknown",
    model: state.exchange?.model ?? (typeof model === "string" ? model : "unknown"),
    ...(typeof model === "string" && { responseModel: model }),
    ...(typeof id === "string" && { responseId: id }),
    usage: unreportedUsage,
    stopReason: "pending",
    timestamp: millisecondsOf(created),
    wire: plainWire(protocol),
  };
  for (const key of ["id", "model"] as const) if (typeof value[key] !== "string") keepUnread(frame, key, value[key]);
  if (created !== head.timestamp / 1000) keepUnread(frame, "created", created);
  if (created === undefined) noteAbsent(frame, "created");
  state.head = head;
  addEvent(frame, { type: "start", path: "", message: head });
}

function keepChanged(frame: OpenFrame, key: string, value: Json | undefined, before: Json | undefined): void {
  if (value !== before) keepUnread(frame, key, value);
}

function readUsage(stated: JsonObject, frame: OpenFrame, state: State): void {
  const own = decodeUsage(stated);
  const raw = addUsage(state.tally, stated, `/events/${frame.at}/usage`, own.wire?.rest);
  const usage = decodeUsage(raw);
  for (const pointer in own.wire?.rest) {
    keepUnread(frame, `usage/${pointer}`, own.wire.rest[pointer]);
    // The usage of the message has it.
    if (valueAt(raw, pointer) !== undefined) noteLate(frame, [`usage/${pointer}`, 0, "", false]);
  }
  addEvent(frame, { type: "usage", path: "/usage", usage, stated, origins: { ...state.tally.origins } });
}

/** `[DONE]`: what has no reason to end gets the usual one, where all that came is whole. */
function endMarked(state: State): readonly StreamEvent[] {
  const at = state.frames;
  if (!state.answered) return fail(state, at, endedEarly);
  const frame = openFrame(protocol, at, {});
  // As in a whole answer without any choice.
  if (state.candidates.size === 0)
    addEvent(frame, { type: "stop", path: "", stopReason: "stop", stopDetail: "unknown" });
  for (const candidate of state.candidates.values()) {
    if (candidate.finished) continue;
    if (!areComplete(candidate.calls)) return fail(state, at, endedEarly);
    closeOpenPart(candidate, frame);
    const failure = endCalls(candidate.calls, frame, state.shared);
    if (failure !== undefined) return fail(state, at, failure);
    candidate.finished = true;
    const stop = decodeStop("stop", candidate.seen);
    const { at: last, path } = endPlace(candidate);
    addEvent(frame, { type: "stop", path, ...stop, inferred: true }, candidate.number);
    (frame.events.at(-1) as { at: number }).at = last;
  }
  return [...frame.events, ...endStream(state)];
}

function endStream(state: State, unmarked = false): readonly StreamEvent[] {
  state.ended = true;
  return [{ type: "done", at: state.frames, path: "", ...(unmarked && { unmarked }) }];
}
