import { createCallIds } from "../../../codec/identity/call-ids.ts";
import { keep, plainWire } from "../../../codec/ledger.ts";
import { formOf } from "../../../codec/restore.ts";
import { scalarText } from "../../../codec/table.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, Pointer } from "../../../ir/index.ts";
import { isJsonObject, jsonEqual } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { createBlindTrace } from "../../../loss/index.ts";
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
  openFrame,
} from "../../../stream/decode/frame.ts";
import { noteInexact, readFrame, unreadable } from "../../../stream/decode/read-frame.ts";
import { createRepetition } from "../../../stream/decode/repetition.ts";
import type { StreamEvent, StreamFailure } from "../../../stream/events.ts";
import { describeFailure, endedEarly } from "../../../stream/failure.ts";
import type { StreamDecodeOptions, StreamDecoder } from "../../../stream/protocol.ts";
import { findError, readStated } from "../errors.ts";
import { fieldPointer } from "../fields.ts";
import { decodeResponse } from "../response.ts";
import { decodeStop } from "../stop-reason.ts";
import { echoKeys, responseKeys } from "../wire.ts";
import type { ItemState, OpenItem, OpenPart } from "./items.ts";
import {
  addAnnotation,
  addItem,
  addText,
  completeText,
  endItem,
  endPart,
  finishContent,
  listOf,
  openReasoning,
  startContent,
} from "./items.ts";
import { keepDifference, noteContent, noteReasoningText } from "./snapshot.ts";
import { eventKeys, incompletePath, repeatedKeys } from "./words.ts";

const protocol = "openai-responses";

interface State extends ItemState {
  readonly exchange: Exchange | undefined;
  frames: number;
  head: AssistantMessage | undefined;
  /** What snapshots said that the IR has no word for. */
  readonly told: Map<string, Json>;
  ended: boolean;
}

export function createStreamDecoder(exchange?: Exchange, options: StreamDecodeOptions = {}): StreamDecoder {
  const losses: LossDraft[] = [];
  const state: State = {
    exchange,
    reader: {
      // Events carry their own places, so nothing is looked up here.
      trace: createBlindTrace(fieldPointer),
      provider: exchange?.provider,
      losses: [],
      callIds: createCallIds(protocol),
      response: true,
      namespaces: undefined,
      absence: "empty",
    },
    items: new Map(),
    seen: new Map(),
    said: new Map(),
    parts: 0,
    frames: 0,
    head: undefined,
    told: new Map(),
    ended: false,
  };
  const restore = createTermRestorer(exchange, losses);
  const repetition = createRepetition(options.frames ?? true, ["/sequence_number", "/obfuscation"]);
  return {
    losses,
    push(frame) {
      const again = state.ended ? undefined : repetition.match(frame, state.frames);
      if (again !== undefined) {
        state.frames++;
        countText(again, state);
        return restore([again]);
      }
      const value = readFrame(frame.data);
      if (value === undefined && frame.data.trim() === "[DONE]") return [doneMark(state)];
      const at = state.frames++;
      const name = nameOf(value, frame.event);
      if (state.ended) return afterEnd(protocol, at, value, name);
      if (value === undefined) return fail(state, at, unreadable(frame, at));
      const inexact = noteInexact(frame, value, at, losses);
      const open = openFrame(protocol, at, value);
      readEvent(scalarText(value["type"] ?? frame.event), value, open, state);
      const events = closeFrame(open, protocol, name);
      repetition.learn(frame, inexact || !isPiece(events) ? [] : events);
      return restore(events);
    },
    finish() {
      return state.ended ? [] : fail(state, state.frames, endedEarly);
    },
  };
}

/** An event at the end of a text says all of it, of which only what is missing counts. */
const isPiece = ([event, more]: readonly StreamEvent[]): boolean =>
  more === undefined && event !== undefined && "path" in event && event.path === "/delta";

/** A piece that was not read anew still counts. */
function countText(event: StreamEvent, state: State): void {
  if (!("text" in event)) return;
  for (const item of state.items.values())
    for (const part of item.parts.values()) if (part.index === event.index) part.length += event.text.length;
}

/** The end marker of Open Responses, which says nothing but has its place in the stream. */
function doneMark(state: State): StreamEvent {
  const wire = { protocol, form: { done: true, events: 1 } } as const;
  return { type: "raw", protocol, at: Math.max(state.frames - 1, 0), path: "", wire };
}

/** The name of the SSE event, where the frame does not say it. */
function nameOf(value: JsonObject | undefined, event: string | undefined): string | undefined {
  return event === value?.["type"] ? undefined : event;
}

function fail(state: State, at: number, error: StreamFailure): readonly StreamEvent[] {
  state.ended = true;
  return [{ type: "error", at, path: "", error }];
}

/** Events that tell how far a hosted tool is, or say again what pieces said: nothing is lost with them. */
const progress = /\.(?:done|completed|in_progress|searching|interpreting|generating|compacting|queued|part\.added)$/;

function readEvent(type: string, value: JsonObject, frame: OpenFrame, state: State): void {
  switch (type) {
    case "response.created":
    case "response.in_progress":
    case "response.queued":
      readHead(value, frame, state);
      return;
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      readEnd(value, frame, state);
      return;
    case "response.output_item.added":
      keepResidue(frame, value, eventKeys);
      addItem(value["item"], value["output_index"], frame, state);
      return;
    case "response.output_item.done":
      keepResidue(frame, value, eventKeys);
      endItem(value["item"], value["output_index"], frame, state);
      return;
    case "keepalive":
      return;
    default:
      if (readInItem(type, value, frame, state)) {
        keepResidue(frame, value, eventKeys);
        return;
      }
      readOther(type, value, frame, state);
  }
}

function readHead(value: JsonObject, frame: OpenFrame, state: State): void {
  const { response } = value;
  keepResidue(frame, value, eventKeys);
  if (!isJsonObject(response)) return;
  for (const key in response) {
    if (responseKeys[key] !== undefined || echoKeys[key] !== undefined || key === "error") continue;
    keepSnapshot(key, response[key] as Json, frame, state);
  }
  if (state.head !== undefined) return;
  const { value: head } = decodeResponse({ ...response, object: "response", output: [] }, state.exchange);
  if (response["created_at"] === undefined) noteAbsent(frame, "response/created_at");
  // What a snapshot holds beside its head the last one says again.
  const { rawStopReason: _status, ...known } = head;
  state.head = { ...known, stopReason: "pending", wire: plainWire(protocol) };
  addEvent(frame, { type: "start", path: "/response", message: state.head });
}

/** What a snapshot says that the IR has no word for; those after it say it again, and the last one counts. */
function keepSnapshot(pointer: string, value: Json, frame: OpenFrame, state: State): void {
  if (isEmptyValue(value) || jsonEqual(state.told.get(pointer), value)) return;
  state.told.set(pointer, value);
  keep(frame.ledger, `response/${pointer}`, value);
}

/** The last snapshot: what was not streamed, the counts, and why the answer ended. */
function readEnd(value: JsonObject, frame: OpenFrame, state: State): void {
  const { response } = value;
  keepResidue(frame, value, eventKeys);
  if (!isJsonObject(response)) {
    addEvent(frame, { type: "raw", protocol, path: "", value });
    return;
  }
  if (state.head === undefined) readHead(value, frame, state);
  for (const item of state.items.values()) for (const part of item.parts.values()) endPart(part, frame);
  addOutput(listOf(response["output"]), frame, state);
  const status = response["status"] ?? scalarText(value["type"]).replace("response.", "");
  const { value: final } = decodeResponse({ ...response, object: "response", status }, state.exchange);
  if (response["status"] === undefined) noteAbsent(frame, "response/status");
  const rest = final.wire?.rest;
  const counts = final.usage.wire?.rest;
  for (const pointer in counts) keep(frame.ledger, `response/usage/${pointer}`, counts[pointer] as Json);
  for (const pointer in rest) if (pointer !== "error") keepUnread(frame, `response/${pointer}`, rest[pointer]);
  state.ended = true;
  if (final.usage.raw !== undefined)
    addEvent(frame, {
      type: "usage",
      path: "/response/usage",
      usage: final.usage,
      stated: final.usage.raw as JsonObject,
    });
  const stated = findError(response);
  if (stated !== undefined) {
    addEvent(frame, { type: "error", path: `/response${stated.at}`, error: describeFailure(readStated(stated)) });
    return;
  }
  const { rawStopReason } = final;
  addEvent(frame, {
    type: "stop",
    path: formOf(final.wire, protocol, "incomplete_details") === "reason" ? incompletePath : "/response",
    ...decodeStop(rawStopReason, [...state.said.values()]),
    ...(rawStopReason !== undefined && { rawStopReason }),
  });
  addEvent(frame, { type: "done", path: "", ...(rest !== undefined && { rest }) });
}

/** Items that only the last snapshot holds. */
function addOutput(output: readonly Json[], frame: OpenFrame, state: State): void {
  for (const [index, item] of output.entries()) {
    const known = isJsonObject(item) && state.seen.has(item["id"]) ? item["id"] : index;
    if (state.seen.has(known)) {
      keepDifference(frame, state.seen.get(known), item, `response/output/${index}`);
      continue;
    }
    const from = frame.events.length;
    endItem(item, index, frame, state);
    // They were read as if each were the item of an event.
    for (const event of frame.events.slice(from)) {
      const { path } = event;
      if (path.startsWith("/item")) (event as { path: Pointer }).path = `/response/output/${index}${path.slice(5)}`;
    }
  }
}

/** Reads an event of an item that is open; false for one that is not understood. */
function readInItem(type: string, value: JsonObject, frame: OpenFrame, state: State): boolean {
  const item = state.items.get(value["output_index"]);
  if (item === undefined) return false;
  switch (type) {
    case "response.content_part.added":
      return readPartAdded(value, item, frame, state);
    case "response.content_part.done":
      return readPartDone(value, item, frame, state);
    case "response.output_text.delta":
    case "response.refusal.delta":
      return readText(value, item, type.startsWith("response.refusal") ? "refusal" : "output_text", frame, state);
    case "response.output_text.done":
    case "response.refusal.done": {
      const part = contentOf(value, item);
      if (part !== undefined)
        completeField(part, value, type.startsWith("response.refusal") ? "refusal" : "text", frame);
      return part !== undefined;
    }
    case "response.output_text.annotation.added": {
      const part = contentOf(value, item);
      if (part === undefined || value["annotation"] === undefined) return false;
      addAnnotation(part, value["annotation"] as Json, "/annotation", frame);
      return true;
    }
    case "response.reasoning_summary_part.added":
      return readReasoning("summary", numberOf(value["summary_index"]), "", "/part", value, item, frame, state);
    case "response.reasoning_summary_text.delta":
      return readReasoning("summary", numberOf(value["summary_index"]), "delta", "/delta", value, item, frame, state);
    case "response.reasoning_text.delta":
    case "response.reasoning.delta":
      return readReasoning("content", numberOf(value["content_index"]), "delta", "/delta", value, item, frame, state);
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta": {
      const part = item.kind === "call" ? item.parts.get(0) : undefined;
      if (part === undefined || typeof value["delta"] !== "string") return false;
      addText(part, value["delta"], "/delta", frame);
      return true;
    }
    case "response.function_call_arguments.done":
    case "response.custom_tool_call_input.done": {
      const part = item.kind === "call" ? item.parts.get(0) : undefined;
      const field = type.startsWith("response.function") ? "arguments" : "input";
      if (part !== undefined) completeField(part, value, field, frame);
      return part !== undefined;
    }
    default:
      return false;
  }
}

const numberOf = (value: Json | undefined): number => (typeof value === "number" ? value : 0);
const contentOf = (value: JsonObject, item: OpenItem): OpenPart | undefined =>
  item.kind === "message" ? item.parts.get(numberOf(value["content_index"])) : undefined;

function completeField(part: OpenPart, value: JsonObject, field: string, frame: OpenFrame): void {
  const text = value[field];
  if (typeof text === "string") completeText(part, text, `/${field}`, frame);
}

function readPartAdded(value: JsonObject, item: OpenItem, frame: OpenFrame, state: State): boolean {
  const { part } = value;
  const index = numberOf(value["content_index"]);
  if (item.kind === "reasoning" && isJsonObject(part) && part["type"] === "reasoning_text")
    return readReasoning("content", index, "", "/part", value, item, frame, state);
  if (item.kind !== "message") return false;
  if (!item.parts.has(index)) startContent(part, index, "/part", item, frame, state);
  return true;
}

function readPartDone(value: JsonObject, item: OpenItem, frame: OpenFrame, state: State): boolean {
  const part = contentOf(value, item);
  if (part === undefined) return item.kind === "reasoning";
  if (isJsonObject(value["part"])) {
    noteContent(value["part"], "/part", frame);
    finishContent(value["part"], part, "/part", frame, state);
  }
  endPart(part, frame);
  return true;
}

function readText(
  value: JsonObject,
  item: OpenItem,
  type: "output_text" | "refusal",
  frame: OpenFrame,
  state: State,
): boolean {
  const { delta } = value;
  if (item.kind !== "message" || typeof delta !== "string") return false;
  const index = numberOf(value["content_index"]);
  const empty = type === "refusal" ? { type, refusal: "" } : { type, text: "", annotations: [] };
  // Some servers do not announce a content.
  const part = item.parts.get(index) ?? startContent(empty, index, "/delta", item, frame, state);
  addText(part, delta, "/delta", frame);
  return true;
}

function readReasoning(
  list: "summary" | "content",
  entry: number,
  field: string,
  path: Pointer,
  value: JsonObject,
  item: OpenItem,
  frame: OpenFrame,
  state: State,
): boolean {
  if (item.kind !== "reasoning") return false;
  const inner = value["part"];
  const text = field === "" ? (isJsonObject(inner) ? (inner["text"] ?? "") : "") : value[field];
  if (typeof text !== "string") return false;
  const part = openReasoning(list, entry, item, path, frame, state);
  if (part === undefined) return false;
  if (isJsonObject(inner)) noteReasoningText(inner, list, "/part", frame);
  if (field !== "" || text !== "") addText(part, text, field === "" ? "/part/text" : path, frame);
  return true;
}

const listOfEvent = (type: string): "summary" | "content" => (type.includes("summary") ? "summary" : "content");

/** An error, an event that says nothing new, or one that only its own protocol knows. */
function readOther(type: string, value: JsonObject, frame: OpenFrame, state: State): void {
  const isOwn = type === "error" || value["type"] === undefined || state.head === undefined;
  const stated = (isOwn ? findError(value) : undefined) ?? (type === "error" ? { body: value, at: "" } : undefined);
  if (stated !== undefined) {
    state.ended = true;
    addEvent(frame, { type: "error", path: stated.at, error: describeFailure(readStated(stated)) });
    return;
  }
  if (progress.test(type) && type.startsWith("response.")) {
    keepResidue(frame, value, repeatedKeys);
    if (isJsonObject(value["part"])) noteReasoningText(value["part"], listOfEvent(type), "/part", frame);
    return;
  }
  addEvent(frame, { type: "raw", protocol, path: "", value });
}
