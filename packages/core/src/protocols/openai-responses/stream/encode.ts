import { LateSet } from "../../../codec/identity/late.ts";
import { unstatedProfile } from "../../../codec/profile.ts";
import type { EncodeOptions } from "../../../codec/protocol.ts";
import { isUnreported } from "../../../codec/usage.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, Pointer } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { createReport, lose } from "../../../loss/index.ts";
import { cutCall, loseCutCall, saysCut } from "../../../stream/encode/cut-call.ts";
import { loseFailure } from "../../../stream/encode/failure.ts";
import { emptyHead } from "../../../stream/encode/head.ts";
import { frameGroup, ownFrame, patchFrame } from "../../../stream/encode/replay.ts";
import { loseAlternative, loseRaw, replaceStop, reportStop, stopFields } from "../../../stream/encode/stop.ts";
import { sweepEvent } from "../../../stream/encode/sweep.ts";
import type { StopEvent, StreamEvent, StreamFailure, UsageEvent } from "../../../stream/events.ts";
import { failureOf } from "../../../stream/failure.ts";
import type { StreamEncoder, StreamFrame } from "../../../stream/protocol.ts";
import type { Writer } from "../context.ts";
import { responseCode } from "../errors.ts";
import { resolveProfile } from "../profile.ts";
import { encodeResponse, responseWriter } from "../response.ts";
import { encodeStop } from "../stop-reason.ts";
import { encodeUsage, reportAbsent } from "../usage.ts";
import type { Block } from "./block.ts";
import { breakCall, createBlock, endBlock, isCut, startBlock, writeDelta } from "./block.ts";
import type { Counter } from "./chunk.ts";
import { failureFrames, frameOf, openingResponse } from "./chunk.ts";
import { eventWords } from "./words.ts";

const protocol = "openai-responses";

interface State {
  writer: Writer;
  readonly exchange: Exchange | undefined;
  readonly options: EncodeOptions;
  readonly counter: Counter;
  readonly blocks: Map<number, Block>;
  /** Those that have an item, in the order of the output. */
  readonly output: Block[];
  /** Places of further candidates that were reported. */
  readonly alternatives: LateSet<Pointer>;
  head: AssistantMessage | undefined;
  /** The response as the stream began with it. */
  response: JsonObject | undefined;
  usage: UsageEvent | undefined;
  stop: StopEvent | undefined;
  /** Nothing may follow an error. */
  failed: boolean;
  failure: StreamFailure | undefined;
}

/** Items may be open side by side; the last snapshot says all of them again. */
export function createStreamEncoder(exchange?: Exchange, options: EncodeOptions = {}): StreamEncoder {
  const report = createReport();
  const target = resolveProfile(options.profile ?? unstatedProfile);
  const state: State = {
    writer: responseWriter(emptyHead(protocol), false, target, report),
    exchange,
    options,
    counter: { next: 0 },
    blocks: new Map(),
    output: [],
    alternatives: new LateSet(),
    head: undefined,
    response: undefined,
    usage: undefined,
    stop: undefined,
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
        if (isDoneMark(event)) {
          frames.push({ data: "[DONE]", terminal: true });
          continue;
        }
        const frame = ownFrame(event, protocol);
        const group = frame === undefined ? undefined : frameGroup(events, index, protocol);
        if (frame !== undefined && group !== undefined) {
          frames.push(replay(frame, group, state));
          index += group.length - 1;
        } else if (state.failed) loseRaw(event, report);
        else for (const written of writeEvent(event, state)) frames.push(written);
      }
      encoder.failure = state.failure;
      return frames;
    },
    finish: () => [],
  };
  return encoder;
}

/** The end marker that some servers write, and that only belongs to a stream of this protocol. */
const isDoneMark = ({ wire }: StreamEvent): boolean => wire?.protocol === protocol && wire.form?.["done"] === true;

/** Writes a frame of this protocol as it came, and keeps the books as if it had been made here. */
function replay(frame: JsonObject, group: readonly StreamEvent[], state: State): StreamFrame {
  let terminal = false;
  for (const event of group) {
    if (event.type === "start") {
      state.head = event.message;
      if (isJsonObject(frame["response"])) state.response = frame["response"];
    } else if (event.type === "done" || event.type === "error") {
      state.failed = event.type === "error";
      terminal = true;
    }
  }
  const number = frame["sequence_number"];
  if (typeof number === "number") state.counter.next = number + 1;
  const stated = group[0]?.wire?.form?.["event"];
  const value = patchFrame(frame, group, eventWords);
  const name = typeof stated === "string" ? stated : value["type"];
  return {
    ...(typeof name === "string" && { event: name }),
    data: JSON.stringify(value),
    ...(terminal && { terminal: true as const }),
  };
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
    case "part_start": {
      const frames = withHead(state, event);
      const block = createBlock(event);
      state.blocks.set(event.index, block);
      return block.unsettled ? frames : [...frames, ...begin(block, state)];
    }
    case "part_end": {
      const block = state.blocks.get(event.index);
      if (block === undefined || block.ended) return [];
      const frames = begin(block, state);
      // A call that a client must not run does not end before the answer does.
      return isCutHere(block, state) ? frames : [...frames, ...end(block, "completed", state)];
    }
    case "usage":
      state.usage = event;
      return [];
    case "stop":
      state.stop = replaceStop(state.stop, event, report);
      return [];
    case "error": {
      const { message, kind, providerCode, param = null } = event.error;
      loseFailure(event, { error: { message, code: responseCode(kind, providerCode), param } }, report);
      return writeFailure(event.error, state);
    }
    case "done":
      return finish(state);
    default:
      return writeInPart(event, state);
  }
}

function start(message: AssistantMessage, state: State): readonly StreamFrame[] {
  const { target, report } = state.writer;
  state.head = message;
  state.writer = responseWriter(message, false, target, report);
  const { value } = encodeResponse({ ...message, content: [], alternatives: [] }, state.exchange, state.options);
  if (!isUnreported(message.usage)) {
    state.usage = { type: "usage", at: 0, path: "/message/usage", usage: message.usage };
    reportAbsent(message.usage, report);
  }
  state.response = openingResponse(value);
  return ["response.created", "response.in_progress"].map((type) =>
    frameOf(state.counter, type, { response: state.response as JsonObject }),
  );
}

/** Every stream begins with its head, also one whose source had none. */
const withHead = (state: State, event?: StreamEvent): readonly StreamFrame[] =>
  state.head === undefined ? start(emptyHead(event?.wire?.protocol ?? protocol), state) : [];

function writeInPart(
  event: Exclude<
    StreamEvent,
    { readonly type: "start" | "part_start" | "part_end" | "usage" | "stop" | "done" | "error" }
  >,
  state: State,
): readonly StreamFrame[] {
  const { writer, counter } = state;
  if (event.type === "raw") {
    if (event.protocol !== protocol) loseRaw(event, writer.report);
    return [];
  }
  const block = state.blocks.get(event.index);
  if (block === undefined || block.ended) return [];
  if (event.type === "toolcall_name") {
    block.part = event.part;
    return [];
  }
  if (block.started) return writeDelta(event, block, counter, writer);
  block.waiting.push(event);
  return event.type === "toolcall_delta" && event.text !== "" ? begin(block, state) : [];
}

/** Begins an item that could not begin before, and writes what waited for it. */
function begin(block: Block, state: State): readonly StreamFrame[] {
  if (block.started) return [];
  const { counter, writer } = state;
  const frames = startBlock(block, state.output.length, counter, writer);
  if (block.item !== undefined) state.output.push(block);
  for (const event of block.waiting) frames.push(...writeDelta(event, block, counter, writer));
  block.waiting.length = 0;
  return frames;
}

function end(block: Block, status: string, state: State): readonly StreamFrame[] {
  return block.ended ? [] : endBlock(block, status, state.counter);
}

const isCutHere = (block: Block, { options }: State): boolean => options.collected !== true && isCut(block);

/** Ends what is open; an answer that was cut off was cut off in its last item. Clients run a call once it has ended, so in one that failed it never does. */
function endAll(status: string, state: State, failed = false): StreamFrame[] {
  const frames: StreamFrame[] = [];
  for (const block of state.blocks.values()) if (!block.started) frames.push(...begin(block, state));
  for (const block of state.output) {
    if (failed && !block.ended && block.part.type === "toolCall") {
      frames.push(...breakCall(block, state.counter));
      continue;
    }
    const isLast = block === state.output.at(-1);
    frames.push(...end(block, isLast ? status : "completed", state));
  }
  return frames;
}

function outputOf(state: State): Json {
  return state.output.map(({ item }) => item as JsonObject);
}

function writeFailure(failure: StreamFailure, state: State): readonly StreamFrame[] {
  state.failed = true;
  state.failure = failure;
  // Nothing came but the failure: clients are told so before they know of any response.
  const response =
    state.response ?? openingResponse(encodeResponse(emptyHead(protocol), state.exchange, state.options).value);
  const frames = endAll("incomplete", state, true);
  const usage = state.usage !== undefined && { usage: encodeUsage(state.usage.usage, state.writer.report) };
  return [...frames, ...failureFrames(state.counter, failure, { ...response, output: outputOf(state), ...usage })];
}

/** The last snapshot. */
function finish(state: State): readonly StreamFrame[] {
  const { writer, stop, counter } = state;
  const head = withHead(state);
  // A failed answer has an event of its own.
  const failure = stop === undefined ? undefined : failureOf(stop);
  if (failure !== undefined) return [...head, ...writeFailure(failure, state)];
  const api = state.head?.api ?? protocol;
  // An answer that does not say why it ended is not known to be complete.
  const sent =
    stop === undefined ? { status: "incomplete", exact: true } : encodeStop(stopFields(stop, state.head?.api));
  const reason = "reason" in sent ? sent.reason : undefined;
  if (stop !== undefined) reportStop(stop, { raw: reason ?? sent.status, exact: sent.exact }, writer.report, api);
  if (stop?.stopSequence !== undefined) lose(writer.report, "stop.sequence", stop, "stopSequence");
  const isIncomplete = sent.status === "incomplete";
  const cut = state.output.filter((block) => !block.ended && isCutHere(block, state));
  for (const block of cut) loseCutCall(writer.report, block.part, block.lastPlace);
  if (cut.length > 0 && !(isIncomplete && saysCut(stop))) return [...head, ...writeFailure(cutCall, state)];
  const frames = endAll(isIncomplete ? "incomplete" : "completed", state);
  const { usage: _none, ...opening } = state.response as JsonObject;
  const response: JsonObject = {
    ...opening,
    status: sent.status,
    incomplete_details: reason === undefined ? null : { reason },
    output: outputOf(state),
    ...(state.usage !== undefined && { usage: encodeUsage(state.usage.usage, writer.report) }),
  };
  const type = isIncomplete ? "response.incomplete" : "response.completed";
  return [...head, ...frames, { ...frameOf(counter, type, { response }), terminal: true }];
}
