import { identifierRule } from "../../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../../codec/identity/late.ts";
import { createNames } from "../../../codec/identity/names.ts";
import { unstatedProfile } from "../../../codec/profile.ts";
import type { EncodeOptions } from "../../../codec/protocol.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { isUnreported } from "../../../codec/usage.ts";
import type { AssistantMessage, Citation, Exchange, JsonObject, Part, Pointer, Profile } from "../../../ir/index.ts";
import { createReport, lose } from "../../../loss/index.ts";
import { cutCall, loseCutCall, saysCut } from "../../../stream/encode/cut-call.ts";
import { loseFailure } from "../../../stream/encode/failure.ts";
import { emptyHead } from "../../../stream/encode/head.ts";
import { frameGroup, frameNumber, ownFrame, patchFrame } from "../../../stream/encode/replay.ts";
import { loseAlternative, loseRaw, replaceStop, reportStop, stopFields } from "../../../stream/encode/stop.ts";
import { sweepEvent } from "../../../stream/encode/sweep.ts";
import type { PartStartEvent, StopEvent, StreamEvent, StreamFailure, UsageEvent } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";
import { failureOf } from "../../../stream/failure.ts";
import type { StreamEncoder, StreamFrame } from "../../../stream/protocol.ts";
import type { Writer } from "../context.ts";
import { encodeBlock } from "../parts/block.ts";
import { resolveProfile } from "../profile.ts";
import { encodeResponse } from "../response.ts";
import { encodeStop } from "../stop-reason.ts";
import { encodeUsage } from "../usage.ts";
import type { Block } from "./block.ts";
import {
  createBlock,
  endBlock,
  errorFrame,
  finishBlock,
  frameOf,
  lastFrameOf,
  startBlock,
  textRun,
  writeDelta,
} from "./block.ts";
import { eventWords } from "./words.ts";

const protocol = "anthropic-messages";

interface State {
  /** Of the client, as it was stated. */
  readonly profile: Profile | undefined;
  readonly writer: Writer;
  /** Nobody sees a call before the answer is whole. */
  readonly collected: boolean;
  /** Blocks that have begun in the source and not ended here. */
  readonly blocks: Map<number, Block>;
  /** The first of them is open, the others wait in their order. */
  first: Block | undefined;
  last: Block | undefined;
  readonly refusals: LateMap<number, { readonly part: Extract<Part, { readonly type: "refusal" }>; text: string }>;
  /** Places of further candidates that were reported. */
  readonly alternatives: LateSet<Pointer>;
  next: number;
  head: AssistantMessage | undefined;
  usage: UsageEvent | undefined;
  stop: StopEvent | undefined;
  /** Frames were written as they came, the reason to end among them. */
  replayed: boolean;
  /** Nothing may follow an error. */
  failed: boolean;
  failure: StreamFailure | undefined;
}

/** One block is open at a time; what belongs to others waits until it is closed. */
export function createStreamEncoder(_exchange?: Exchange, options: EncodeOptions = {}): StreamEncoder {
  const report = createReport();
  const state: State = {
    profile: options.profile,
    writer: {
      target: resolveProfile(options.profile ?? unstatedProfile),
      faithful: false,
      mends: true,
      response: true,
      report,
      names: createNames(protocol, identifierRule(128, true, undefined), identifierRule(64, true, undefined), report),
      customTools: new LateSet(),
      marked: [],
    },
    collected: options.collected === true,
    blocks: new Map(),
    first: undefined,
    last: undefined,
    refusals: new LateMap(),
    alternatives: new LateSet(),
    next: 0,
    head: undefined,
    usage: undefined,
    stop: undefined,
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
        frames.push(...replay(frame, group, state));
        index += group.length - 1;
      }
      encoder.failure = state.failure;
      return frames;
    },
    finish: () => [],
    run(event) {
      const block = state.blocks.get(event.index);
      if (state.failed || (event.choice ?? 0) > 0 || event.wire?.protocol === protocol) return undefined;
      return block?.started === true && block === openBlock(state) ? textRun(event, block) : undefined;
    },
  };
  return encoder;
}

/** Writes a frame of this protocol as it came, and keeps the books as if it had been made here. */
function replay(frame: JsonObject, group: readonly StreamEvent[], state: State): readonly StreamFrame[] {
  const before: StreamFrame[] = [];
  state.replayed = true;
  const at = frameNumber(group);
  let terminal = false;
  for (const event of group) {
    if (event.type === "start") state.head = event.message;
    else if (event.type === "part_start") {
      const block = createBlock(event, state.writer);
      const index = frame["index"];
      block.index = typeof index === "number" ? index : state.next;
      state.next = Math.max(state.next, block.index + 1);
      addBlock(event.index, block, state);
    } else if (event.type === "part_end") closeBlock(event.index, state);
    else if (event.type === "toolcall_delta" && event.at !== at) {
      const block = state.blocks.get(event.index);
      if (block !== undefined) before.push(...writeDelta(event, block, state.writer));
    } else if (event.type === "done" || event.type === "error") {
      state.failed = event.type === "error";
      terminal = true;
    }
  }
  const stated = group[0]?.wire?.form?.["event"];
  const value = patchFrame(frame, group, eventWords);
  const name = typeof stated === "string" ? stated : value["type"];
  const written: StreamFrame = {
    ...(typeof name === "string" && { event: name }),
    data: JSON.stringify(value),
    ...(terminal && { terminal: true as const }),
  };
  return [...before, written];
}

function writeEvent(event: StreamEvent, state: State): readonly StreamFrame[] {
  const { report, target } = state.writer;
  sweepEvent(event, target, report);
  if (event.choice !== undefined && event.choice > 0) {
    loseAlternative(event, report, state.alternatives);
    return [];
  }
  switch (event.type) {
    case "start":
      return start(event.message, state);
    case "part_start":
      return startPart(event, state);
    case "text_delta":
    case "thinking_delta":
    case "toolcall_name":
    case "toolcall_delta":
    case "citation":
    case "state":
    case "raw":
      return writeInPart(event, state);
    case "part_end": {
      const block = state.blocks.get(event.index);
      if (block === undefined) return [];
      finishBlock(block);
      return advance(state);
    }
    case "usage":
      state.usage = event;
      return [];
    case "stop":
      state.stop = replaceStop(state.stop, event, report);
      return [];
    case "error": {
      const frame = writeFailure(event.error, state);
      loseFailure(event, JSON.parse(frame.data), report);
      return [frame];
    }
    case "done":
      return end(state);
  }
}

function start(message: AssistantMessage, state: State): readonly StreamFrame[] {
  const { report } = state.writer;
  state.head = message;
  const head = { ...message, timestamp: 0 };
  const { value } = encodeResponse(head, undefined, state.profile === undefined ? {} : { profile: state.profile });
  if (message.timestamp !== 0) lose(report, "response.time", message, "timestamp");
  if (!isUnreported(message.usage))
    state.usage = { type: "usage", at: 0, path: "/message/usage", usage: message.usage };
  return [frameOf({ type: "message_start", message: { ...value, content: [], stop_reason: null } })];
}

/** Every stream begins with its head, also one whose source had none. */
function withHead(state: State, event?: StreamEvent): readonly StreamFrame[] {
  if (state.head !== undefined) return [];
  return start(emptyHead(event?.wire?.protocol ?? protocol), state);
}

function startPart(event: PartStartEvent, state: State): readonly StreamFrame[] {
  const { part } = event;
  const frames = withHead(state, event);
  if (part.type === "refusal") {
    state.refusals.set(event.index, { part, text: part.text });
    return frames;
  }
  const block = createBlock(event, state.writer);
  addBlock(event.index, block, state);
  return [...frames, ...advance(state)];
}

function writeInPart(
  event: Exclude<
    StreamEvent,
    { readonly type: "start" | "part_start" | "part_end" | "usage" | "stop" | "done" | "error" }
  >,
  state: State,
): readonly StreamFrame[] {
  const { report } = state.writer;
  if (event.type === "raw" && event.protocol !== protocol) {
    loseRaw(event, report);
    return [];
  }
  if (event.index === undefined) return [];
  const refusal = state.refusals.get(event.index);
  if (refusal !== undefined) {
    if (event.type === "text_delta") refusal.text += event.text;
    if (event.type === "text_delta" && event.text !== "") {
      lose(report, "refusal.text", event, "", {
        path: eventPointer(event),
        values: { sent: "stop_details.explanation" },
      });
    }
    return [];
  }
  const block = state.blocks.get(event.index);
  if (block === undefined) {
    if (event.type === "citation") loseLateCitation(event.citation, state.writer);
    return [];
  }
  if (event.type === "toolcall_name") {
    block.part = event.part;
    return [];
  }
  if (block.started && block === openBlock(state)) return writeDelta(event, block, state.writer);
  block.waiting.push(event);
  if (!block.unsettled || event.type !== "toolcall_delta" || event.text === "") return [];
  block.unsettled = false;
  return advance(state);
}

/** A block that has ended takes no citation. One that has no place in any block is reported as such. */
function loseLateCitation(citation: Citation, writer: Writer): void {
  const text: Part = { type: "text", text: " ", citations: [citation] };
  if (encodeBlock(text, writer)?.["citations"] !== undefined) lose(writer.report, "citation.late", citation);
}

function addBlock(index: number, block: Block, state: State): void {
  state.blocks.set(index, block);
  if (state.last === undefined) state.first = block;
  else state.last.next = block;
  state.last = block;
}

function closeBlock(index: number, state: State): void {
  const block = state.blocks.get(index);
  if (block === undefined) return;
  block.closed = true;
  state.blocks.delete(index);
}

function openBlock(state: State): Block | undefined {
  while (state.first?.closed === true) state.first = state.first.next;
  if (state.first === undefined) state.last = undefined;
  return state.first;
}

/** Opens the first block, and closes it where it has ended; then the next one. A call that a client must not run is never closed. */
function advance(state: State, atEnd = false): StreamFrame[] {
  const frames: StreamFrame[] = [];
  for (let block = openBlock(state); block !== undefined; block = openBlock(state)) {
    if (!block.started) {
      if (block.unsettled && !block.ended) break;
      frames.push(...startBlock(block, state.next, state.writer));
      if (block.isWritten) state.next++;
      for (const event of block.waiting) frames.push(...writeDelta(event, block, state.writer));
      block.waiting.length = 0;
    }
    if (!block.ended) break;
    if (block.broken && block.isWritten && block.marked !== true && !state.collected) {
      // Only the last block may be cut, in an answer that ends by saying so.
      const isLast = block.next === undefined;
      if (isLast && !atEnd) break;
      loseCutCall(state.writer.report, block.part, block.lastPlace);
      if (!isLast || !saysCut(state.stop)) return [...frames, writeFailure(cutCall, state)];
    }
    frames.push(...endBlock(block, state.writer));
    closeBlock(block.key, state);
  }
  return frames;
}

function writeFailure(failure: StreamFailure, state: State): StreamFrame {
  state.failed = true;
  state.failure = failure;
  return errorFrame(failure);
}

function end(state: State): readonly StreamFrame[] {
  const { writer } = state;
  const head = withHead(state);
  for (const block of state.blocks.values()) finishBlock(block);
  const frames: StreamFrame[] = [...head, ...advance(state, true)];
  if (state.failed) return frames;
  if (state.replayed) return [...frames, lastFrameOf({ type: "message_stop" })];
  const { stop } = state;
  // A failed answer has no stop reason here: an error is the only honest end.
  const failure = stop === undefined ? undefined : failureOf(stop);
  if (failure !== undefined) return [...frames, writeFailure(failure, state)];
  const delta: WireObject = { stop_reason: null, stop_sequence: stop?.stopSequence ?? null };
  if (stop !== undefined) {
    const sent = encodeStop(stopFields(stop, state.head?.api));
    reportStop(stop, sent, writer.report, state.head?.api ?? protocol);
    delta["stop_reason"] = sent.raw;
  }
  const refusals = [...(state.refusals.entries?.values() ?? [])];
  const first = refusals[0];
  if (first !== undefined) {
    const explanation = refusals.map((refusal) => refusal.text).join("");
    delta["stop_details"] = { type: "refusal", category: first.part.category ?? null, explanation };
  }
  return [
    ...frames,
    lastFrameOf({ type: "message_delta", delta: delta as JsonObject, usage: usageObject(state) }),
    lastFrameOf({ type: "message_stop" }),
  ];
}

function usageObject(state: State): JsonObject {
  const { report } = state.writer;
  if (state.usage !== undefined) return encodeUsage(state.usage.usage, report);
  lose(report, "usage.synthesized", undefined, "", { targetPath: "/usage", values: { to: protocol } });
  return { input_tokens: 0, output_tokens: 0 };
}
