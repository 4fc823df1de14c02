import { identifierRule } from "../../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../../codec/identity/late.ts";
import { createNames } from "../../../codec/identity/names.ts";
import { unstatedProfile } from "../../../codec/profile.ts";
import type { EncodeOptions } from "../../../codec/protocol.ts";
import { isUnreported } from "../../../codec/usage.ts";
import type { Exchange, Json, JsonObject, Part, TextPart, ToolCallPart } from "../../../ir/index.ts";
import { createReport, lose } from "../../../loss/index.ts";
import { cutCall, saysCut } from "../../../stream/encode/cut-call.ts";
import { loseFailure } from "../../../stream/encode/failure.ts";
import { emptyHead } from "../../../stream/encode/head.ts";
import { frameGroup, ownFrame, patchFrame } from "../../../stream/encode/replay.ts";
import { loseRaw, replaceStop, reportStop, stopFields } from "../../../stream/encode/stop.ts";
import { sweepEvent } from "../../../stream/encode/sweep.ts";
import type { ErrorEvent, PartStartEvent, StreamEvent, StreamFailure, UsageEvent } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";
import type { StreamEncoder, StreamFrame } from "../../../stream/protocol.ts";
import type { Writer } from "../context.ts";
import { sameNode } from "../context.ts";
import { encodePart, reportTextFields } from "../parts/block.ts";
import { encodeFunctionCall, encodeToolCall } from "../parts/calls.ts";
import { encodeCitations } from "../parts/citations.ts";
import { resolveProfile } from "../profile.ts";
import { encodeStop } from "../stop-reason.ts";
import { encodeUsage } from "../usage.ts";
import type { Answer, Slot } from "./answer.ts";
import { createAnswer, createSlot, noteCut, noteEmpty, noteText, textField } from "./answer.ts";
import type { ChunkHead } from "./chunk.ts";
import { afterText, beforeText, chunk, data, textChunk } from "./chunk.ts";
import { errorFrame } from "./whole.ts";
import { eventWords } from "./words.ts";

const protocol = "openai-chat";

interface State extends ChunkHead {
  readonly writer: Writer;
  readonly includeUsage: boolean;
  /** Nobody sees a call before the answer is whole. */
  readonly collected: boolean;
  readonly answers: Map<number, Answer>;
  usage: UsageEvent | undefined;
  /** Places of usage that the client did not ask for. */
  replayed: boolean;
  /** Nothing may follow an error. */
  failed: boolean;
  failure: StreamFailure | undefined;
}

export function createStreamEncoder(exchange?: Exchange, options: EncodeOptions = {}): StreamEncoder {
  const report = createReport();
  const writer: Writer = {
    target: resolveProfile(options.profile ?? unstatedProfile),
    faithful: false,
    mends: true,
    forOpenAi: false,
    response: true,
    functionCalls: exchange?.functionCalls === true,
    report,
    names: createNames(protocol, identifierRule(64, true, undefined), identifierRule(64, true, undefined), report),
    customTools: new LateSet(),
    functionNames: new LateMap(),
  };
  const state: State = {
    writer,
    includeUsage: exchange === undefined || exchange.includeUsage === true,
    collected: options.collected === true,
    answers: new Map(),
    head: undefined,
    receivedAt: options.receivedAt,
    opening: undefined,
    usage: undefined,
    replayed: false,
    failed: false,
    failure: undefined,
  };
  // Without an accessor, with which each would take the memory of ten.
  const encoder: StreamEncoder & { failure: StreamFailure | undefined } = {
    losses: report.drafts,
    failure: undefined,
    push(events) {
      const frames: StreamFrame[] = [];
      for (let index = 0; index < events.length; index++) {
        const event = events[index] as StreamEvent;
        if (state.failed) {
          loseRaw(event, state.writer.report);
          continue;
        }
        const frame = ownFrame(event, protocol);
        const group = frame === undefined ? undefined : frameGroup(events, index, protocol);
        if (frame === undefined || group === undefined) {
          for (const written of writeEvent(event, state)) frames.push(written);
          continue;
        }
        frames.push(replay(frame, group, state));
        index += group.length - 1;
      }
      encoder.failure = state.failure;
      return frames;
    },
    finish: () => [],
    run(event) {
      if (state.failed || event.wire?.protocol === protocol) return undefined;
      const answer = answerOf(event.choice, state);
      const slot = answer.slots.get(event.index);
      const field = slot === undefined || event.type === "toolcall_delta" ? undefined : textField(slot);
      if (slot === undefined || field === undefined) return undefined;
      return {
        before: `${beforeText(state, answer.number, field)}"`,
        after: `"${afterText}`,
        note: (text) => noteText(text, slot, answer, state.writer.report),
      };
    },
  };
  return encoder;
}

/** Writes a frame of this protocol as it came, and keeps the books as if it had been made here. */
function replay(frame: JsonObject, group: readonly StreamEvent[], state: State): StreamFrame {
  state.replayed = true;
  for (const event of group) {
    if (event.type === "error") state.failed = true;
    note(event, state);
  }
  const name = group[0]?.wire?.form?.["event"];
  return {
    ...(typeof name === "string" && { event: name }),
    data: JSON.stringify(patchFrame(frame, group, eventWords)),
    ...(state.failed && { terminal: true as const }),
  };
}

/** What later events need to know of this one. */
function note(event: StreamEvent, state: State): Slot | undefined {
  if (event.type === "start") state.head = event.message;
  if (event.type !== "part_start") return undefined;
  const answer = answerOf(event.choice, state);
  const { part } = event;
  const field = part.type === "thinking" ? reasoningField(part, state) : undefined;
  const slot = createSlot(event, field, answer);
  answer.slots.set(event.index, slot);
  return slot;
}

function answerOf(choice: number | undefined, state: State): Answer {
  const number = choice ?? 0;
  let answer = state.answers.get(number);
  if (answer === undefined) {
    answer = createAnswer(number);
    state.answers.set(number, answer);
  }
  return answer;
}

/** Reasoning goes only into the field that the profile names, or into the one in which its own server gave it. */
function reasoningField(part: Part, state: State): string | undefined {
  const { reasoningField: named } = state.writer.target;
  if (named === "none") return undefined;
  const own = part.wire?.protocol === protocol ? part.wire.form?.["field"] : undefined;
  return named ?? (typeof own === "string" ? own : undefined);
}

function writeEvent(event: StreamEvent, state: State): readonly StreamFrame[] {
  const { report, target } = state.writer;
  sweepEvent(event, target, report);
  // Every stream begins with its head, also one whose source had none.
  if (event.type === "part_start" && state.head === undefined)
    return [...begin(event, state), ...writeEvent(event, state)];
  switch (event.type) {
    case "start":
      state.head = event.message;
      if (!isUnreported(event.message.usage))
        state.usage = { type: "usage", at: event.at, path: `${event.path}/usage`, usage: event.message.usage };
      if (!state.includeUsage && state.usage !== undefined) loseUsage(state.usage, state);
      return [opening(state)];
    case "part_start":
      return startPart(event, note(event, state) as Slot, answerOf(event.choice, state), state);
    case "toolcall_name":
      return writeName(event, state);
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return writeDelta(event, state);
    case "citation": {
      const slot = answerOf(event.choice, state).slots.get(event.index);
      if (slot === undefined) lose(report, "citation.late", event.citation);
      else slot.citations.push(event);
      return [];
    }
    case "part_end":
      return endPart(event.index, answerOf(event.choice, state), state);
    case "usage":
      state.usage = event;
      if (!state.includeUsage) loseUsage(event, state);
      return [];
    case "stop": {
      const answer = answerOf(event.choice, state);
      answer.stop = replaceStop(answer.stop, event, report);
      if (event.stopSequence !== undefined) lose(report, "stop.sequence", event, "stopSequence");
      return [];
    }
    case "state":
      return [];
    case "raw":
      if (event.protocol !== protocol) loseRaw(event, report);
      return [];
    case "error":
      return writeFailure(event, state);
    case "done":
      return end(event.unmarked === true, state);
  }
}

const opening = (state: State): StreamFrame => chunk(state, 0, { role: "assistant", content: "" });

function begin(event: StreamEvent | undefined, state: State): readonly StreamFrame[] {
  state.head = emptyHead(event?.wire?.protocol ?? protocol);
  return [opening(state)];
}

function loseUsage(event: UsageEvent, state: State): void {
  lose(state.writer.report, "usage.not_requested", event, "", { path: eventPointer(event) });
}

function startPart(event: PartStartEvent, slot: Slot, answer: Answer, state: State): readonly StreamFrame[] {
  const { part } = event;
  const { writer } = state;
  switch (part.type) {
    case "text":
      reportTextFields(part, writer);
      return [];
    case "thinking":
    case "refusal":
      if (part.type === "refusal" && part.category !== undefined)
        lose(writer.report, "refusal.detail", part, "category");
      return [];
    case "toolCall":
      if (writer.functionCalls === true) return startFunctionCall(part, slot, answer, state);
      return [chunk(state, answer.number, { tool_calls: [startCall(part, slot, writer)] })];
    default:
      // Parts that come whole have no place in an answer.
      if (part.type === "image" || part.type === "document" || part.type === "audio" || part.type === "video")
        lose(writer.report, "media.unsupported", part, "", {
          values: { type: part.type, source: "part of an answer" },
        });
      else encodePart(part, writer);
      return [];
  }
}

function startCall(part: ToolCallPart, slot: Slot, writer: Writer): JsonObject {
  const { arguments: _object, argumentsText: _text, ...others } = part;
  const call = encodeToolCall({ ...others, argumentsText: "" } as ToolCallPart, sameNode(writer, part));
  const kind = call["type"] === "custom" ? "custom" : "function";
  const inner = { ...(call[kind] as JsonObject), [kind === "custom" ? "input" : "arguments"]: "" };
  return { index: slot.call as number, ...call, [kind]: inner };
}

/** The deprecated form has room for one call, and for no id. */
function startFunctionCall(part: ToolCallPart, slot: Slot, answer: Answer, state: State): readonly StreamFrame[] {
  if (slot.call !== 0) {
    lose(state.writer.report, "tool_call.single", part);
    return [];
  }
  const { name } = encodeFunctionCall(part, sameNode(state.writer, part));
  return [chunk(state, answer.number, { function_call: { name: name as string, arguments: "" } })];
}

/** Clients of this protocol join the pieces of a name, as those of another do with whole ones. */
function writeName(
  event: Extract<StreamEvent, { readonly type: "toolcall_name" }>,
  state: State,
): readonly StreamFrame[] {
  const answer = answerOf(event.choice, state);
  const slot = answer.slots.get(event.index);
  if (slot?.part.type !== "toolCall") return [];
  const name = event.part.name.slice(slot.part.name.length);
  slot.part = event.part;
  if (state.writer.functionCalls === true)
    return slot.call === 0 ? [chunk(state, answer.number, { function_call: { name } })] : [];
  const inner = event.part.kind === "custom" ? { custom: { name } } : { function: { name } };
  return [chunk(state, answer.number, { tool_calls: [{ index: slot.call as number, ...inner }] })];
}

function writeDelta(
  event: Extract<StreamEvent, { readonly type: "text_delta" | "thinking_delta" | "toolcall_delta" }>,
  state: State,
): readonly StreamFrame[] {
  const answer = answerOf(event.choice, state);
  const slot = answer.slots.get(event.index);
  if (slot === undefined) return [];
  const { part } = slot;
  if (event.type === "toolcall_delta") {
    if (part.type !== "toolCall") {
      if (part.type !== "serverToolCall") return [];
      lose(state.writer.report, "server_tool.record", event, "", {
        path: eventPointer(event),
        values: { from: part.wire?.protocol ?? "another service" },
      });
      return [];
    }
    if (event.text.trim() !== "") slot.isBlank = false;
    slot.pieces.push(event.text);
    slot.lastPlace = eventPointer(event);
    if (state.writer.functionCalls === true && slot.call !== 0)
      lose(state.writer.report, "tool_call.single", event, "", { path: eventPointer(event) });
    return writeText(event.text, slot, answer, state);
  }
  const field = textField(slot);
  if (field !== undefined) {
    noteText(event.text, slot, answer, state.writer.report);
    return [textChunk(state, answer.number, field, event.text)];
  }
  if (event.text !== "") {
    lose(state.writer.report, "reasoning.foreign", event, "", {
      path: eventPointer(event),
      values: { from: state.head?.api ?? "another model" },
    });
  }
  return [];
}

/** Citations of a text are written when its length is known, and arguments that never came as the empty object that they are. */
function endPart(index: number, answer: Answer, state: State): readonly StreamFrame[] {
  const slot = answer.slots.get(index);
  if (slot === undefined) return [];
  answer.slots.delete(index);
  const { part } = slot;
  if (part.type === "toolCall") noteCut(part, slot, answer, state.collected, state.writer.report);
  if (part.type === "toolCall")
    return slot.isBlank && part.arguments !== undefined ? writeText("{}", slot, answer, state) : [];
  const stated = part.type === "text" ? (part.citations ?? []) : [];
  const citations = [...stated, ...slot.citations.map((item) => item.citation)];
  if (citations.length === 0) {
    noteEmpty(slot, state.writer.report);
    return [];
  }
  const cited: Pick<TextPart, "citations"> & { readonly text: { readonly length: number } } = {
    citations,
    text: { length: slot.length },
  };
  for (const annotation of encodeCitations(cited, slot.offset, state.writer)) answer.annotations.push(annotation);
  return [];
}

/** A piece of the arguments or the free text of a call. */
function writeText(text: string, slot: Slot, answer: Answer, state: State): readonly StreamFrame[] {
  if (state.writer.functionCalls === true)
    return slot.call === 0 ? [chunk(state, answer.number, { function_call: { arguments: text } })] : [];
  const inner =
    slot.part.type === "toolCall" && slot.part.kind === "custom"
      ? { custom: { input: text } }
      : { function: { arguments: text } };
  return [chunk(state, answer.number, { tool_calls: [{ index: slot.call as number, ...inner }] })];
}

function writeFailure(event: ErrorEvent, state: State): readonly StreamFrame[] {
  state.failed = true;
  const frame = errorFrame(event.error);
  loseFailure(event, JSON.parse(frame.data), state.writer.report);
  return [frame];
}

const marker: StreamFrame = { data: "[DONE]", terminal: true };

/** A stream of this protocol ends as it came. */
function end(unmarked: boolean, state: State): readonly StreamFrame[] {
  const frames: StreamFrame[] = [];
  if (state.head === undefined && !state.replayed) frames.push(...begin(undefined, state));
  const { api } = state.head ?? emptyHead(protocol);
  for (const answer of state.answers.values()) {
    // Parts that nothing ended; frames that were written as they came keep no books of theirs.
    if (!state.replayed) for (const index of [...answer.slots.keys()]) frames.push(...endPart(index, answer, state));
    const { stop, annotations } = answer;
    if (answer.isCut && !saysCut(stop)) {
      state.failed = true;
      state.failure = cutCall;
      return [...frames, errorFrame(cutCall)];
    }
    // The official client keeps the list that came last, so there is one.
    if (annotations.length > 0) frames.push(chunk(state, answer.number, { annotations }));
    if (stop === undefined || (state.replayed && stop.rawStopReason === undefined)) continue;
    const sent = encodeStop(stopFields(stop, api, answer.refuses), state.writer.functionCalls);
    reportStop(stop, sent, state.writer.report, api);
    frames.push(chunk(state, answer.number, {}, sent.raw ?? "stop"));
  }
  if (!state.replayed && state.includeUsage) frames.push(...usageChunk(state));
  return state.replayed && unmarked ? frames : [...frames, marker];
}

function usageChunk(state: State): readonly StreamFrame[] {
  const { report } = state.writer;
  if (state.usage !== undefined) {
    const usage: Json = encodeUsage(state.usage.usage, report);
    return [data(state, { choices: [], usage })];
  }
  lose(report, "usage.synthesized", undefined, "", { targetPath: "/usage", values: { to: protocol } });
  return [data(state, { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } })];
}
