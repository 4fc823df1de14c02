import { plainWire } from "../../../codec/ledger.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, Pointer, WireForm } from "../../../ir/index.ts";
import { escapeSegment, isJsonObject, jsonEqual } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { createBlindTrace } from "../../../loss/index.ts";
import { createTermRestorer } from "../../../stream/decode/client-terms.ts";
import type { EventDraft, OpenFrame } from "../../../stream/decode/frame.ts";
import {
  addEvent,
  afterEnd,
  closeFrame,
  isEmptyValue,
  keepResidue,
  keepUnread,
  noteRepeated,
  openFrame,
} from "../../../stream/decode/frame.ts";
import { noteInexact, readFrame, unreadable } from "../../../stream/decode/read-frame.ts";
import { createRepetition } from "../../../stream/decode/repetition.ts";
import type { UsageTally } from "../../../stream/decode/usage.ts";
import { addUsage, createUsageTally } from "../../../stream/decode/usage.ts";
import type { StreamEvent, StreamFailure, TextDeltaEvent } from "../../../stream/events.ts";
import { describeFailure, endedEarly } from "../../../stream/failure.ts";
import type { StreamDecodeOptions, StreamDecoder } from "../../../stream/protocol.ts";
import type { Reader } from "../context.ts";
import { findError, readStated } from "../errors.ts";
import { fieldPointer } from "../fields.ts";
import { createReader, decodeResponse } from "../response.ts";
import { decodeBlock } from "../stop-reason.ts";
import { decodeUsage } from "../usage.ts";
import { feedbackKeys, responseKeys } from "../wire.ts";
import type { Choice } from "./choice.ts";
import { closeOpen, createChoice, endPartial, readCandidate } from "./choice.ts";

const protocol = "gemini-generate-content";
/** Keys of the head, which each chunk repeats. */
const headKeys = ["modelVersion", "responseId", "createTime"] as const;

interface State {
  readonly exchange: Exchange | undefined;
  readonly reader: Reader;
  /** The losses, where nobody writes the frames again. */
  readonly told: LossDraft[] | undefined;
  readonly choices: Map<number, Choice>;
  readonly tally: UsageTally;
  /** What the last counts hold that nobody knows, by pointers within them. */
  unknown: WireForm["rest"];
  /** What the head came to hold after its start, in pointers of a response. */
  readonly late: { [pointer: string]: Json };
  readonly stated: { [key: string]: Json };
  frames: number;
  head: AssistantMessage | undefined;
  blocked: boolean;
  ended: boolean;
}

export function createStreamDecoder(exchange?: Exchange, options: StreamDecodeOptions = {}): StreamDecoder {
  const losses: LossDraft[] = [];
  const state: State = {
    exchange,
    // Events carry their own places, so nothing is looked up here.
    reader: createReader(exchange, createBlindTrace(fieldPointer)),
    told: options.frames === false ? losses : undefined,
    choices: new Map(),
    tally: createUsageTally(),
    unknown: undefined,
    late: {},
    stated: {},
    frames: 0,
    head: undefined,
    blocked: false,
    ended: false,
  };
  const restore = createTermRestorer(exchange, losses);
  const repetition = createRepetition(options.frames ?? true, counts);
  return {
    losses,
    push(frame) {
      const again = state.ended ? undefined : repetition.match(frame, state.frames);
      if (again !== undefined) {
        state.frames++;
        if (again.type === "text_delta") noteText(again, again.text, state);
        const usage = repetition.member("usageMetadata");
        // It has the same keys as the one before.
        return restore(isJsonObject(usage) ? [again, usageEvent(usage, again.at, state.unknown, state)] : [again]);
      }
      const value = readFrame(frame.data);
      // Servers that end every stream alike add the end marker of another protocol.
      if (value === undefined && frame.data.trim() === "[DONE]") return [];
      const at = state.frames++;
      if (state.ended) return afterEnd(protocol, at, value, frame.event);
      if (value === undefined) return fail(state, at, unreadable(frame, at));
      const inexact = noteInexact(frame, value, at, losses);
      const open = openFrame(protocol, at, value);
      readChunk(value, open, frame.event, state);
      const events = closeFrame(open, protocol, frame.event);
      repetition.learn(frame, inexact || state.ended || !isPiece(events, state) ? [] : events);
      return restore(events);
    },
    finish() {
      if (state.ended) return [];
      const rest = restore(endParts(state));
      if (!isWhole(state)) return [...rest, ...fail(state, state.frames, endedEarly)];
      state.ended = true;
      return [...rest, doneEvent(state)];
    },
    run: () =>
      state.ended
        ? undefined
        : repetition.run((event, text, frames) => {
            state.frames += frames;
            if (event.type === "text_delta") noteText(event, text, state);
          }),
  };
}

/** Counts that grow from chunk to chunk. */
const counts: readonly Pointer[] = [
  "candidatesTokenCount",
  "totalTokenCount",
  "thoughtsTokenCount",
  "candidatesTokensDetails/0/tokenCount",
].map((key) => `/usageMetadata/${key}`);
const joined = plainWire(protocol, true);

/** Whether a chunk is a piece of an answer that goes on, and its counts at most: another one alike says no more than that. */
function isPiece(events: readonly StreamEvent[], { choices }: State): boolean {
  const isAlone = events.length === 1 || (events.length === 2 && events[1]?.type === "usage");
  return isAlone && [...choices.values()].every(({ stop }) => stop === undefined);
}

/** A text that repeats a chunk goes on with what is open. */
function noteText(event: TextDeltaEvent, text: string, { choices }: State): void {
  // Only the latest is open.
  const open = choices.get(event.choice ?? 0)?.texts.at(-1);
  if (open?.index === event.index) open.add(text);
}

/** There is no end marker: an answer is whole when each of its candidates says why it ended, or the prompt was blocked. */
function isWhole({ choices, head, blocked }: State): boolean {
  if (head === undefined) return false;
  return choices.size === 0 ? blocked : [...choices.values()].every(({ stop }) => stop !== undefined);
}

/** Ends what is still open when the stream ends. */
function endParts(state: State): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const choice of state.choices.values()) {
    const add = (event: EventDraft): void => {
      const placed = { ...event, at: state.frames, ...(choice.number !== 0 && { choice: choice.number }) };
      events.push(placed as StreamEvent);
    };
    endPartial(choice, add);
    closeOpen(choice, add);
  }
  return events;
}

function fail(state: State, at: number, error: StreamFailure): readonly StreamEvent[] {
  state.ended = true;
  return [{ type: "error", at, path: "", error }];
}

function doneEvent({ frames, late }: State): StreamEvent {
  const rest = Object.keys(late).length === 0 ? {} : { rest: late };
  return { type: "done", at: frames, path: "", unmarked: true, ...rest };
}

function readChunk(value: JsonObject, frame: OpenFrame, name: string | undefined, state: State): void {
  // The service names no events; a proxy in front of it may.
  const stated = findError(value) ?? (name === "error" ? { body: { error: value }, at: "" } : undefined);
  if (stated !== undefined) {
    state.ended = true;
    addEvent(frame, { type: "error", path: stated.at, error: describeFailure(readStated(stated)) });
    return;
  }
  keepResidue(frame, value, responseKeys);
  readHead(value, frame, state);
  const { candidates, promptFeedback: feedback, usageMetadata: usage } = value;
  if (Array.isArray(candidates)) {
    (candidates as readonly Json[]).forEach((candidate, position) => {
      if (!isJsonObject(candidate)) {
        keepUnread(frame, `candidates/${position}`, candidate);
        return;
      }
      readCandidate(candidate, position, choiceOf(candidate, state), frame, state.reader);
    });
  } else keepUnread(frame, "candidates", candidates);
  readFeedback(feedback, frame, state);
  if (isJsonObject(usage)) readUsage(usage, frame, state);
  else keepUnread(frame, "usageMetadata", usage);
}

/** Chunks of the only candidate may leave its number out. */
function choiceOf({ index }: JsonObject, { choices, told }: State): Choice {
  const number = typeof index === "number" ? index : 0;
  let choice = choices.get(number);
  if (choice === undefined) {
    choice = createChoice(number, told);
    choices.set(number, choice);
  }
  return choice;
}

function readHead(value: JsonObject, frame: OpenFrame, state: State): void {
  if (state.head === undefined) {
    const { candidates: _candidates, promptFeedback: _feedback, ...rest } = value;
    const known: { [key: string]: Json } = {};
    for (const key in rest) if (responseKeys[key] !== undefined) known[key] = rest[key] as Json;
    state.head = decodeResponse({ ...known, candidates: [] }, state.exchange).value;
    for (const key of headKeys) if (value[key] !== undefined) state.stated[key] = value[key];
    addEvent(frame, { type: "start", path: "", message: withoutEmptyList(state.head) });
    return;
  }
  for (const key of headKeys) {
    const stated = value[key];
    if (isEmptyValue(stated)) continue;
    if (jsonEqual(state.stated[key], stated)) noteRepeated(frame, key);
    else keepUnread(frame, key, stated);
  }
  for (const key in value)
    if (responseKeys[key] === undefined && !isEmptyValue(value[key]))
      state.late[escapeSegment(key)] = value[key] as Json;
}

/** The head was read without its candidates, which follow. */
function withoutEmptyList(head: AssistantMessage): AssistantMessage {
  const { candidates: _candidates, ...form } = head.wire?.form ?? {};
  const { stopDetail: _detail, ...others } = head;
  return { ...others, stopReason: "pending", wire: { protocol, ...head.wire, form } };
}

/** A prompt that was blocked gets no candidates. */
function readFeedback(value: Json | undefined, frame: OpenFrame, state: State): void {
  const reason = isJsonObject(value) && state.choices.size === 0 ? value["blockReason"] : undefined;
  if (!isJsonObject(value) || typeof reason !== "string") {
    keepUnread(frame, "promptFeedback", value);
    return;
  }
  keepResidue(frame, value, feedbackKeys, "promptFeedback/");
  state.blocked = true;
  addEvent(frame, {
    type: "stop",
    path: "/promptFeedback",
    ...decodeBlock(reason),
    rawStopReason: reason,
  });
}

function readUsage(stated: JsonObject, frame: OpenFrame, state: State): void {
  const own = decodeUsage(stated);
  state.unknown = own.wire?.rest;
  for (const pointer in own.wire?.rest) keepUnread(frame, `usageMetadata/${pointer}`, own.wire.rest[pointer]);
  addEvent(frame, usageEvent(stated, frame.at, own.wire?.rest, state));
}

function usageEvent(stated: JsonObject, at: number, unknown: WireForm["rest"], { tally }: State) {
  const raw = addUsage(tally, stated, `/events/${at}/usageMetadata`, unknown);
  const origins = { ...tally.origins };
  return { type: "usage", at, path: "/usageMetadata", usage: decodeUsage(raw), stated, origins, wire: joined } as const;
}
