import type { EncodeOptions } from "../../../codec/protocol.ts";
import type { WireObject } from "../../../codec/restore.ts";
import type { AssistantMessage, Exchange, Json, JsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import { frameGroup, ownFrame, patchFrame } from "../../../stream/encode/replay.ts";
import { loseRaw, replaceStop, reportStop, stopFields } from "../../../stream/encode/stop.ts";
import { sweepEvent } from "../../../stream/encode/sweep.ts";
import type { StopEvent, StreamEvent, StreamFailure, UsageEvent } from "../../../stream/events.ts";
import { eventPointer } from "../../../stream/events.ts";
import { failureError, failureOf } from "../../../stream/failure.ts";
import type { StreamEncoder, StreamFrame } from "../../../stream/protocol.ts";
import type { Writer } from "../context.ts";
import { encodeError } from "../errors.ts";
import { encodeGrounding } from "../parts/citations.ts";
import { createResponseWriter, writeIdentity } from "../response.ts";
import { encodeStop } from "../stop-reason.ts";
import { encodeUsage } from "../usage.ts";
import type { Block } from "./block.ts";
import { createBlock, endBlock, isJoined, startBlock, writeDelta } from "./block.ts";
import { eventWords } from "./words.ts";

const protocol = "gemini-generate-content";

/** One candidate while it is written. */
interface Candidate {
  readonly number: number;
  readonly blocks: Map<number, Block>;
  /** Parts that were written. */
  written: number;
  /** The part that was written last. */
  last: Block | undefined;
  readonly refusals: string[];
  stop: StopEvent | undefined;
}

interface State {
  readonly writer: Writer;
  readonly candidates: Map<number, Candidate>;
  head: AssistantMessage | undefined;
  /** Fields of the head that each chunk repeats. */
  headFields: JsonObject;
  usage: UsageEvent | undefined;
  /** Chunks were written as they came. */
  replayed: boolean;
  /** Nothing may follow an error. */
  failed: boolean;
}

/** The frame that ends a failed stream. */
export function errorFrame(failure: StreamFailure): StreamFrame {
  return { data: JSON.stringify(encodeError(failureError(failure)).value.body), terminal: true };
}

/** Each chunk is a response with what is new. Official clients want parts in every one, and no event names or end marker. */
export function createStreamEncoder(_exchange?: Exchange, options: EncodeOptions = {}): StreamEncoder {
  const writer = createResponseWriter(false, options);
  const state: State = {
    writer,
    candidates: new Map(),
    head: undefined,
    headFields: {},
    usage: undefined,
    replayed: false,
    failed: false,
  };
  return {
    losses: writer.report.drafts,
    push(events) {
      const frames: StreamFrame[] = [];
      for (let index = 0; index < events.length; index++) {
        const event = events[index] as StreamEvent;
        if (state.failed) {
          loseRaw(event, writer.report);
          continue;
        }
        const frame = ownFrame(event, protocol);
        const group = frame === undefined ? undefined : frameGroup(events, index, protocol);
        if (frame === undefined || group === undefined) frames.push(...writeEvent(event, state));
        else {
          frames.push(replay(frame, group, state));
          index += group.length - 1;
        }
      }
      return frames;
    },
    finish: () => [],
  };
}

/** Writes a chunk of this protocol as it came. */
function replay(frame: JsonObject, group: readonly StreamEvent[], state: State): StreamFrame {
  state.replayed = true;
  for (const event of group) {
    if (event.type === "start") state.head = event.message;
    if (event.type === "error") state.failed = true;
  }
  const stated = group[0]?.wire?.form?.["event"];
  return {
    ...(typeof stated === "string" && { event: stated }),
    data: JSON.stringify(patchFrame(frame, group, eventWords)),
    ...(state.failed && { terminal: true as const }),
  };
}

function candidateOf(event: StreamEvent, { candidates }: State): Candidate {
  const number = event.choice ?? 0;
  let candidate = candidates.get(number);
  if (candidate === undefined) {
    candidate = { number, blocks: new Map(), written: 0, last: undefined, refusals: [], stop: undefined };
    candidates.set(number, candidate);
  }
  return candidate;
}

function writeEvent(event: StreamEvent, state: State): readonly StreamFrame[] {
  const { writer } = state;
  sweepEvent(event, writer.target, writer.report);
  switch (event.type) {
    case "start":
      startHead(event.message, state);
      return [];
    case "part_start":
      return startPart(event, state);
    case "text_delta":
    case "thinking_delta":
    case "toolcall_name":
    case "toolcall_delta":
    case "citation":
    case "state":
    case "part_end":
      return writeInPart(event, state);
    case "raw":
      if (event.protocol !== protocol) loseRaw(event, writer.report);
      return [];
    case "usage":
      state.usage = event;
      return [];
    case "stop": {
      const candidate = candidateOf(event, state);
      candidate.stop = replaceStop(candidate.stop, event, writer.report);
      return [];
    }
    case "error":
      state.failed = true;
      return [errorFrame(event.error)];
    case "done":
      return end(state);
  }
}

function startHead(message: AssistantMessage, state: State): void {
  state.head = message;
  const head: WireObject = {};
  writeIdentity(head, message, state.writer);
  state.headFields = head as JsonObject;
  if (message.usage.raw !== undefined)
    state.usage = { type: "usage", at: 0, path: "/usageMetadata", usage: message.usage };
}

function chunk(candidates: readonly JsonObject[], state: State, more: JsonObject = {}): JsonObject {
  return { ...(candidates.length > 0 && { candidates }), ...more, ...state.headFields };
}

function partFrame(part: JsonObject, candidate: Candidate, state: State): StreamFrame {
  const value = { content: { role: "model", parts: [part] }, index: candidate.number };
  return { data: JSON.stringify(chunk([value], state)) };
}

function startPart(event: Extract<StreamEvent, { readonly type: "part_start" }>, state: State): readonly StreamFrame[] {
  const candidate = candidateOf(event, state);
  const { part } = event;
  const block = createBlock(event);
  candidate.blocks.set(event.index, block);
  if (part.type === "refusal") {
    if (part.category !== undefined) lose(state.writer.report, "refusal.detail", part, "category");
    if (part.text !== "") candidate.refusals.push(part.text);
    return [];
  }
  return framesOf(startBlock(block, state.writer), block, candidate, state);
}

/** The parts that a block gave, each in a chunk of its own. */
function framesOf(
  parts: readonly JsonObject[],
  block: Block,
  candidate: Candidate,
  state: State,
): readonly StreamFrame[] {
  if (parts.length === 0) return [];
  if (block !== candidate.last) {
    if (candidate.last !== undefined && isJoined(candidate.last, block))
      lose(state.writer.report, "text.joined", block.part, "type");
    else block.position = candidate.written++;
    candidate.last = block;
  }
  return parts.map((part) => partFrame(part, candidate, state));
}

function writeInPart(
  event: Extract<
    StreamEvent,
    {
      readonly type:
        | "text_delta"
        | "thinking_delta"
        | "toolcall_name"
        | "toolcall_delta"
        | "citation"
        | "state"
        | "part_end";
    }
  >,
  state: State,
): readonly StreamFrame[] {
  const candidate = candidateOf(event, state);
  const block = candidate.blocks.get(event.index);
  if (block === undefined) return [];
  const { report } = state.writer;
  if (block.part.type === "refusal") {
    if (event.type !== "text_delta" || event.text === "") return [];
    candidate.refusals.push(event.text);
    lose(report, "refusal.text", event, "", { path: eventPointer(event), values: { sent: "finishMessage" } });
    return [];
  }
  const parts = event.type === "part_end" ? endBlock(block, state.writer) : writeDelta(event, block, state.writer);
  return framesOf(parts, block, candidate, state);
}

/** The last chunk: why each candidate ended, and the counts. */
function end(state: State): readonly StreamFrame[] {
  const { writer } = state;
  if (state.replayed) return [];
  const frames: StreamFrame[] = [];
  for (const candidate of state.candidates.values())
    for (const block of candidate.blocks.values())
      frames.push(...framesOf(endBlock(block, writer), block, candidate, state));
  const [first] = state.candidates.values();
  const failure = first?.stop === undefined ? undefined : failureOf(first.stop);
  if (failure !== undefined) {
    state.failed = true;
    return [...frames, errorFrame(failure)];
  }
  const counts: WireObject = {};
  if (state.usage !== undefined) counts["usageMetadata"] = encodeUsage(state.usage.usage, writer.report);
  if (isBlocked(state)) {
    const feedback: JsonObject = { promptFeedback: { blockReason: "SAFETY" }, ...(counts as JsonObject) };
    return [...frames, { data: JSON.stringify(chunk([], state, feedback)), terminal: true }];
  }
  const ends = [...state.candidates.values()].map((candidate) => endCandidate(candidate, state));
  const last = ends.length > 0 ? ends : [endCandidate(candidateOf({ choice: 0 } as StreamEvent, state), state)];
  return [...frames, { data: JSON.stringify(chunk(last, state, counts as JsonObject)), terminal: true }];
}

/** True for an answer that was filtered before it said anything. */
function isBlocked({ candidates }: State): boolean {
  const [first] = candidates.values();
  return (
    candidates.size === 1 &&
    first?.stop?.stopDetail === "contentFilter" &&
    first.written === 0 &&
    first.refusals.length === 0
  );
}

function endCandidate(candidate: Candidate, state: State): JsonObject {
  const { report } = state.writer;
  const { stop, refusals } = candidate;
  const object: WireObject = { content: { role: "model", parts: [{ text: "" }] } };
  if (stop !== undefined) {
    const sent = encodeStop(stopFields(stop, state.head?.api));
    reportStop(stop, sent, report, state.head?.api ?? protocol);
    if (stop.stopSequence !== undefined) lose(report, "stop.sequence", stop, "stopSequence");
    if (sent.raw !== null) object["finishReason"] = sent.raw;
  }
  if (refusals.length > 0) object["finishMessage"] = refusals.join("");
  const cited = [...candidate.blocks.values()].flatMap(({ part, position, citations, pieces }) =>
    part.type === "text" && citations.length > 0
      ? [{ part: { ...part, text: part.text + pieces.join(""), citations }, index: position }]
      : [],
  );
  const grounding = encodeGrounding(cited, { report });
  if (grounding !== undefined) object["groundingMetadata"] = grounding as Json;
  object["index"] = candidate.number;
  return object as JsonObject;
}
