import { createCallIds } from "../../../codec/identity/call-ids.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import { createLedger, knownKeys } from "../../../codec/ledger.ts";
import type { AssistantMessage, Citation, Exchange, Json, JsonObject, Part } from "../../../ir/index.ts";
import { isJsonObject, jsonEqual, readArguments } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { createBlindTrace } from "../../../loss/index.ts";
import { createTermRestorer } from "../../../stream/decode/client-terms.ts";
import type { OpenFrame } from "../../../stream/decode/frame.ts";
import { addEvent, afterEnd, closeFrame, keepResidue, keepUnread, openFrame } from "../../../stream/decode/frame.ts";
import { noteInexact, readFrame, unreadable } from "../../../stream/decode/read-frame.ts";
import { createRepetition } from "../../../stream/decode/repetition.ts";
import { addUsage, createUsageTally } from "../../../stream/decode/usage.ts";
import type { StreamEvent, StreamFailure } from "../../../stream/events.ts";
import { describeFailure, endedEarly } from "../../../stream/failure.ts";
import type { StreamDecodeOptions, StreamDecoder } from "../../../stream/protocol.ts";
import type { Reader } from "../context.ts";
import { findError, readStated } from "../errors.ts";
import { fieldPointer } from "../fields.ts";
import { decodeBlock } from "../parts/block.ts";
import { decodeCitations } from "../parts/citations.ts";
import { decodeResponse } from "../response.ts";
import { decodeStop } from "../stop-reason.ts";
import type { EndState } from "./message-delta.ts";
import { readMessageDelta } from "./message-delta.ts";
import { skeletonOf } from "./skeleton.ts";

const protocol = "anthropic-messages";
const startKeys = knownKeys("type", "message");
const blockStartKeys = knownKeys("type", "index", "content_block");
const blockDeltaKeys = knownKeys("type", "index", "delta");
const blockStopKeys = knownKeys("type", "index");
const frameKeys = knownKeys("type");
/** The keys of each kind of delta. */
const deltaKeys = {
  text: knownKeys("type", "text"),
  thinking: knownKeys("type", "thinking"),
  partial_json: knownKeys("type", "partial_json"),
  signature: knownKeys("type", "signature"),
  citation: knownKeys("type", "citation"),
};

/** A block while its deltas arrive. */
interface OpenBlock {
  readonly index: number;
  readonly part: Part;
  /** Arguments that the start of the block stated, and where. */
  readonly stated: { readonly input: JsonObject; readonly at: number } | undefined;
  /** Pieces of its arguments, where the start stated some. */
  readonly pieces: string[];
}

interface State extends EndState {
  readonly exchange: Exchange | undefined;
  readonly losses: LossDraft[];
  readonly reader: Reader;
  readonly blocks: Map<Json | undefined, OpenBlock>;
  frames: number;
  head: AssistantMessage | undefined;
  called: boolean;
  ended: boolean;
}

export function createStreamDecoder(exchange?: Exchange, options: StreamDecodeOptions = {}): StreamDecoder {
  const losses: LossDraft[] = [];
  const state: State = {
    exchange,
    losses,
    // Events carry their own places, so nothing is looked up here.
    reader: {
      trace: createBlindTrace(fieldPointer),
      provider: exchange?.provider,
      losses: [],
      callIds: createCallIds(protocol),
      absence: "empty",
    },
    blocks: new Map(),
    tally: createUsageTally(),
    frames: 0,
    parts: 0,
    head: undefined,
    called: false,
    stopped: false,
    unstopped: undefined,
    ended: false,
  };
  const restore = createTermRestorer(exchange, losses);
  const repetition = createRepetition(options.frames ?? true);
  return {
    losses,
    push(frame) {
      const again = state.ended ? undefined : repetition.match(frame, state.frames);
      if (again !== undefined) {
        state.frames++;
        return restore([again]);
      }
      const value = readFrame(frame.data);
      // Servers that end every stream alike add the end marker of another protocol.
      if (value === undefined && frame.data.trim() === "[DONE]") return [];
      const at = state.frames++;
      if (state.ended && value?.["type"] === "ping") return [];
      if (state.ended) return afterEnd(protocol, at, value, nameOf(value, frame.event));
      if (value === undefined) return fail(state, at, unreadable(frame, at));
      const inexact = noteInexact(frame, value, at, losses);
      const open = openFrame(protocol, at, value);
      const type = typeof value["type"] === "string" ? value["type"] : (frame.event ?? "");
      const failure = readEvent(type, value, open, state);
      if (type === "ping") return [];
      const events = closeFrame(open, protocol, nameOf(value, frame.event));
      // Pieces of arguments that the start of their block stated as well are all looked at.
      const isWatched = events[0]?.type === "toolcall_delta" && state.blocks.get(value["index"])?.stated !== undefined;
      const isPiece = events.length === 1 && failure === undefined && !isWatched && !inexact;
      repetition.learn(frame, isPiece ? events : []);
      if (failure === undefined) return restore(events);
      return [
        ...restore(open.events.length === 1 && events[0]?.type === "raw" ? [] : events),
        ...fail(state, at, failure),
      ];
    },
    finish() {
      if (state.ended) return [];
      if (!state.stopped) return fail(state, state.frames, endedEarly);
      state.ended = true;
      return [{ ...doneEvent(state), unmarked: true } as StreamEvent];
    },
    run: () =>
      state.ended
        ? undefined
        : repetition.run((_event, _text, frames) => {
            state.frames += frames;
          }),
  };
}

/** The name of the SSE event, where the frame does not say it. */
function nameOf(value: JsonObject | undefined, event: string | undefined): string | undefined {
  return event === value?.["type"] ? undefined : event;
}

function fail(state: State, at: number, error: StreamFailure): readonly StreamEvent[] {
  state.ended = true;
  return [{ type: "error", at, path: "", error }];
}

function doneEvent(state: State): StreamEvent {
  return { type: "done", at: state.frames, path: "" };
}

/** Reads one event; gives a failure where the stream cannot go on. */
function readEvent(type: string, value: JsonObject, frame: OpenFrame, state: State): StreamFailure | undefined {
  switch (type) {
    case "ping":
      return undefined;
    case "message_start":
      return readStart(value, frame, state);
    case "content_block_start":
      readBlockStart(value, frame, state);
      return undefined;
    case "content_block_delta":
      readBlockDelta(value, frame, state);
      return undefined;
    case "content_block_stop":
      readBlockStop(value, frame, state);
      return undefined;
    case "message_delta":
      readMessageDelta(value, frame, state);
      return undefined;
    case "message_stop": {
      keepResidue(frame, value, frameKeys);
      // Without a reason to end, what is open may be cut.
      if (!state.stopped && state.blocks.size > 0) return endedEarly;
      for (const block of state.blocks.values()) releaseStated(block, frame, state);
      state.ended = true;
      if (!state.stopped) {
        const { at, path } = state.unstopped ?? { at: frame.at, path: "" };
        addEvent(frame, { type: "stop", path, ...decodeStop("end_turn", state.called), inferred: true });
        (frame.events.at(-1) as { at: number }).at = at;
      }
      const { at: _at, ...done } = doneEvent(state) as Extract<StreamEvent, { readonly type: "done" }>;
      addEvent(frame, done);
      return undefined;
    }
    default: {
      // An event of another type may have an error of its own to tell, in an answer that goes on.
      const isOwn = type === "error" || value["type"] === undefined || state.head === undefined;
      const stated =
        (isOwn ? findError(value) : undefined) ?? (type === "error" ? { body: value, at: "/error" } : undefined);
      state.ended = stated !== undefined;
      if (stated === undefined) addEvent(frame, { type: "raw", protocol, path: "", value });
      else addEvent(frame, { type: "error", path: stated.at, error: describeFailure(readStated(stated)) });
      return undefined;
    }
  }
}

const headless: StreamFailure = {
  message: "the start of the stream holds no message",
  kind: "server",
  retryable: true,
};

function readStart(value: JsonObject, frame: OpenFrame, state: State): StreamFailure | undefined {
  const { message } = value;
  if (!isJsonObject(message)) return headless;
  if (state.head !== undefined) {
    addEvent(frame, { type: "raw", protocol, path: "", value });
    return undefined;
  }
  keepResidue(frame, value, startKeys);
  keepUnread(frame, "message/content", message["content"]);
  const head = decodeResponse({ ...message, content: [] }, state.exchange).value;
  state.head = head;
  if (isJsonObject(message["usage"]))
    addUsage(state.tally, message["usage"], `/events/${frame.at}/message/usage`, head.usage.wire?.rest);
  addEvent(frame, { type: "start", path: "/message", message: head });
  return undefined;
}

function readBlockStart(value: JsonObject, frame: OpenFrame, state: State): void {
  keepResidue(frame, value, blockStartKeys);
  const path = "/content_block";
  const decoded = decodeBlock(value["content_block"] as Json, path, state.reader);
  const { part, text, input } = skeletonOf(decoded);
  const index = state.parts++;
  if (part.type === "toolCall") state.called = true;
  state.blocks.set(value["index"], {
    index,
    part,
    stated: input === undefined ? undefined : { input, at: frame.at },
    pieces: [],
  });
  addEvent(frame, { type: "part_start", path, index, part });
  if (text === undefined) return;
  if (part.type === "thinking") addEvent(frame, { type: "thinking_delta", path: `${path}/thinking`, index, text });
  else addEvent(frame, { type: "text_delta", path: `${path}/text`, index, text });
}

function readBlockDelta(value: JsonObject, frame: OpenFrame, state: State): void {
  keepResidue(frame, value, blockDeltaKeys);
  const { delta } = value;
  const block = state.blocks.get(value["index"]);
  if (block === undefined || !isJsonObject(delta) || !readDelta(delta, block, frame, state)) {
    addEvent(frame, {
      type: "raw",
      protocol,
      path: "/delta",
      ...(delta !== undefined && { value: delta }),
      ...(block !== undefined && { index: block.index }),
    });
  }
}

/** False for a delta that is not known, or that does not fit its block. */
function readDelta(delta: JsonObject, block: OpenBlock, frame: OpenFrame, state: State): boolean {
  const { index, part } = block;
  const known = (key: keyof typeof deltaKeys): void => keepResidue(frame, delta, deltaKeys[key], "delta/");
  switch (delta["type"]) {
    case "text_delta":
      if (part.type !== "text" || typeof delta["text"] !== "string") return false;
      known("text");
      addEvent(frame, { type: "text_delta", path: "/delta/text", index, text: delta["text"] });
      return true;
    case "thinking_delta":
      if (part.type !== "thinking" || typeof delta["thinking"] !== "string") return false;
      known("thinking");
      addEvent(frame, { type: "thinking_delta", path: "/delta/thinking", index, text: delta["thinking"] });
      return true;
    case "input_json_delta":
      if (part.type !== "toolCall" && part.type !== "serverToolCall") return false;
      if (typeof delta["partial_json"] !== "string") return false;
      known("partial_json");
      if (delta["partial_json"] !== "" && block.stated !== undefined) block.pieces.push(delta["partial_json"]);
      addEvent(frame, { type: "toolcall_delta", path: "/delta/partial_json", index, text: delta["partial_json"] });
      return true;
    case "signature_delta":
      if (part.type !== "thinking" || typeof delta["signature"] !== "string") return false;
      known("signature");
      if (delta["signature"] !== "") addSignature(delta["signature"], index, frame, state);
      else addEvent(frame, { type: "raw", protocol, path: "/delta" });
      return true;
    case "citations_delta": {
      const citation = part.type === "text" ? readCitation(delta["citation"], state) : undefined;
      if (citation === undefined) return false;
      known("citation");
      addEvent(frame, { type: "citation", path: "/delta/citation", index, citation });
      return true;
    }
    default:
      return false;
  }
}

function addSignature(value: string, index: number, frame: OpenFrame, { reader }: State): void {
  addEvent(frame, {
    type: "state",
    path: "/delta/signature",
    index,
    state: { protocol, ...issuedBy(reader.provider), kind: "signature", value, bindsTo: "prefix", replay: "required" },
  });
}

function readCitation(value: Json | undefined, state: State): Citation | undefined {
  if (value === undefined) return undefined;
  return decodeCitations(createLedger(protocol), { citations: [value] }, "", state.reader)?.[0];
}

function readBlockStop(value: JsonObject, frame: OpenFrame, state: State): void {
  keepResidue(frame, value, blockStopKeys);
  const block = state.blocks.get(value["index"]);
  if (block === undefined) return;
  state.blocks.delete(value["index"]);
  releaseStated(block, frame, state);
  addEvent(frame, { type: "part_end", path: "", index: block.index });
}

/** Arguments that the start of a block stated count where no deltas came, as with the official client. */
function releaseStated(block: OpenBlock, frame: OpenFrame, state: State): void {
  const { stated, index, part, pieces } = block;
  if (stated === undefined) return;
  const path = "/content_block/input";
  if (pieces.length > 0) {
    const read = readArguments(pieces.join(""));
    const code = "value" in read && jsonEqual(read.value, stated.input) ? "field.repeated" : "tool_call.replaced";
    state.losses.push({ code, stage: "decode", path: `/events/${stated.at}${path}` });
    return;
  }
  if (part.type !== "toolCall") return;
  addEvent(frame, { type: "toolcall_delta", path, index, text: JSON.stringify(stated.input) });
  (frame.events.at(-1) as { at: number }).at = stated.at;
}
