import type { KnownKeys } from "../../../codec/ledger.ts";
import { keep, knownKeys, plainWire } from "../../../codec/ledger.ts";
import { entryOf } from "../../../codec/table.ts";
import type { Json, JsonObject, Part, ThinkingPart, ToolCallPart, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { EventDraft, OpenFrame } from "../../../stream/decode/frame.ts";
import { addEvent, isEmptyValue, keepResidue, keepUnread, noteRepeated } from "../../../stream/decode/frame.ts";
import type { Reader } from "../context.ts";
import { phaseForm } from "../fields.ts";
import { decodeItem, isAssistantMessage } from "../messages/turn.ts";
import { decodeCitation } from "../parts/citations.ts";
import { outputMessageKeys, reasoningKeys } from "../wire.ts";
import { keepDifference, noteContent, noteReasoningText } from "./snapshot.ts";

/** A part while its pieces arrive. */
export interface OpenPart {
  readonly index: number;
  readonly type: Part["type"];
  /** How much of its text has come. */
  length: number;
  readonly annotations: Json[];
  ended: boolean;
}

/** An item of the output while its events arrive. */
export interface OpenItem {
  /** The frame that added it. */
  readonly at: number;
  /** As it was added, with what belongs to its contents left out. */
  readonly item: JsonObject;
  /** `message`: contents begin by themselves. `reasoning`, `call`: one part. `whole`: known when it is done. */
  readonly kind: "message" | "reasoning" | "call" | "whole";
  /** Places in the content that are kept for an item that is known when it is done. */
  readonly places: readonly number[];
  readonly parts: Map<number, OpenPart>;
  /** Which of its two lists a reasoning item shows, and the entry that is open. */
  list: "summary" | "content" | undefined;
  entry: number;
}

/** What all items of one stream share. */
export interface ItemState {
  readonly reader: Reader;
  readonly items: Map<Json | undefined, OpenItem>;
  /** The places in the output, and the ids, of the items that were streamed, with what their end said. */
  readonly seen: Map<Json | undefined, JsonObject | undefined>;
  /** A call and a refusal that were streamed: they say how the answer ended. */
  readonly said: Map<Part["type"], Part>;
  parts: number;
}

const callTypes: { readonly [type: string]: string | undefined } = {
  function_call: "arguments",
  custom_tool_call: "input",
};
const functionKeys = knownKeys("type", "id", "call_id", "name", "arguments", "input", "namespace", "caller", "status");

function kindOf(item: JsonObject): OpenItem["kind"] {
  if (item["type"] === "message" && item["role"] === "assistant") return "message";
  if (item["type"] === "reasoning") return "reasoning";
  const isCall = entryOf(callTypes, item["type"]) !== undefined;
  return isCall && typeof item["call_id"] === "string" && typeof item["name"] === "string" ? "call" : "whole";
}

/** An item begins. A message and reasoning have no part yet; a call has. */
export function addItem(value: Json | undefined, output: Json | undefined, frame: OpenFrame, state: ItemState): void {
  const item = isJsonObject(value) ? value : {};
  const kind = kindOf(item);
  // An item that is kept whole may give a call and what was found.
  const places = kind === "whole" ? [state.parts++, state.parts++] : [];
  const open: OpenItem = { at: frame.at, item, kind, places, parts: new Map(), list: undefined, entry: 0 };
  state.items.set(output, open);
  state.seen.set(output, undefined);
  if (typeof item["id"] === "string") state.seen.set(item["id"], undefined);
  noteItem(item, kind, frame);
  // Until it is done nobody knows what it says; this is only told where it says the same.
  if (kind === "whole") addEvent(frame, { type: "raw", protocol: "openai-responses", path: "/item", value: item });
  if (!isEmptyValue(item["encrypted_content"]) && kind !== "whole") noteRepeated(frame, "item/encrypted_content");
  if (kind === "message") {
    for (const [index, part] of listOf(item["content"]).entries())
      startContent(part, index, `/item/content/${index}`, open, frame, state);
  } else if (kind === "call") startCall(open, "/item", frame, state);
}

/** What an item says beside its contents, where the IR has no word for it. */
function noteItem(item: JsonObject, kind: OpenItem["kind"], frame: OpenFrame): void {
  if (kind === "whole") return;
  const known = kind === "message" ? outputMessageKeys : kind === "reasoning" ? reasoningKeys : functionKeys;
  keepResidue(frame, item, known, "item/");
  const { status } = item;
  if (status !== "in_progress" && status !== "completed") keepUnread(frame, "item/status", status);
}

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function startCall(open: OpenItem, path: string, frame: OpenFrame, state: ItemState): OpenPart {
  const field = entryOf(callTypes, open.item["type"]) as string;
  const text = open.item[field];
  const [part] = decodeItem({ ...only(open.item, functionKeys), [field]: "" }, "", state.reader);
  const { argumentsError: _empty, ...call } = part as ToolCallPart;
  const started = start(call as ToolCallPart, 0, path, open, frame, state);
  if (typeof text === "string" && text !== "") addText(started, text, `${path}/${field}`, frame);
  return started;
}

function start(
  part: Part,
  content: number,
  path: string,
  open: OpenItem,
  frame: OpenFrame,
  state: ItemState,
): OpenPart {
  const started: OpenPart = { index: state.parts++, type: part.type, length: 0, annotations: [], ended: false };
  open.parts.set(content, started);
  state.said.set(part.type, part);
  addEvent(frame, { type: "part_start", path, index: started.index, part });
  return started;
}

/** The fields of a known name. That it is open does not count: what else its status says is told elsewhere. */
function only(source: JsonObject, known: KnownKeys): JsonObject {
  return Object.fromEntries(
    Object.entries(source).flatMap(([key, value]) => {
      if (known[key] === undefined) return [];
      return [[key, key === "status" ? "completed" : value]];
    }),
  );
}

/** A content of a message begins; one that is not known is kept whole. */
export function startContent(
  value: Json | undefined,
  index: number,
  path: string,
  open: OpenItem,
  frame: OpenFrame,
  state: ItemState,
): OpenPart {
  const part = isJsonObject(value) ? value : { type: "output_text", text: "" };
  const skeleton = { ...only(open.item, outputMessageKeys), content: [emptied(part)] };
  const [decoded] = decodeItem(skeleton, "", state.reader);
  const content = (decoded ?? { type: "text", text: "" }) as Part;
  const started = start(withPhase(inItem(content, index), open), index, path, open, frame, state);
  noteContent(part, path, frame);
  finishContent(part, started, path, frame, state);
  return started;
}

/** A content without what comes in pieces. */
function emptied(part: JsonObject): JsonObject {
  if (part["type"] === "output_text") return { type: "output_text", text: "", annotations: [] };
  return part["type"] === "refusal" ? { type: "refusal", refusal: "" } : part;
}

/** The phase of a text is said by its item, in an event of its own. */
function withPhase(part: Part, { at, item }: OpenItem): Part {
  if (part.type !== "text" || part.phase === undefined || item["phase"] === undefined) return part;
  const wire = part.wire ?? plainWire("openai-responses");
  return { ...part, wire: { ...wire, form: { ...wire.form, [phaseForm]: `/events/${at}/item/phase` } } };
}

/** Further contents of a message share its item. */
function inItem(part: Part, index: number): Part {
  if (index === 0 || part.wire === undefined) return part;
  const { group: _group, ...wire } = part.wire;
  const { state: _id, ...rest } = part;
  return { ...rest, wire: { ...wire, joined: true } satisfies WireForm } as Part;
}

/** What a content says that no piece has said. */
export function finishContent(
  part: JsonObject,
  open: OpenPart,
  path: string,
  frame: OpenFrame,
  _state: ItemState,
): void {
  const field = part["type"] === "refusal" ? "refusal" : "text";
  const text = part[field];
  if (typeof text === "string") completeText(open, text, `${path}/${field}`, frame);
  const annotations = listOf(part["annotations"]);
  for (const [index, annotation] of annotations.entries()) {
    const place = `${path}/annotations/${index}`;
    if (index < open.annotations.length) keepDifference(frame, open.annotations[index], annotation, place.slice(1));
    else addAnnotation(open, annotation, place, frame);
  }
}

export function addAnnotation(open: OpenPart, value: Json, path: string, frame: OpenFrame): void {
  const citation = open.type === "text" ? decodeCitation(value) : undefined;
  open.annotations.push(value);
  if (citation !== undefined) addEvent(frame, { type: "citation", path, index: open.index, citation });
  else addEvent(frame, { type: "raw", protocol: "openai-responses", path, index: open.index, value });
}

/** Says what the end of a text holds beyond its pieces. */
export function completeText(open: OpenPart, text: string, path: string, frame: OpenFrame): void {
  if (text.length > open.length) addText(open, text.slice(open.length), path, frame);
}

export function addText(open: OpenPart, text: string, path: string, frame: OpenFrame): void {
  open.length += text.length;
  const { index } = open;
  const draft: EventDraft =
    open.type === "thinking"
      ? { type: "thinking_delta", path, index, text }
      : open.type === "toolCall"
        ? { type: "toolcall_delta", path, index, text }
        : { type: "text_delta", path, index, text };
  addEvent(frame, draft);
}

export function endPart(open: OpenPart, frame: OpenFrame): void {
  if (open.ended) return;
  open.ended = true;
  addEvent(frame, { type: "part_end", path: "", index: open.index });
}

/** The place of a separator between two texts of reasoning, which no frame says. */
export const separatorPath = "/part";

/** The part of a reasoning item; it begins with its first text, because only that tells what kind of text it is. */
export function openReasoning(
  list: "summary" | "content",
  entry: number,
  open: OpenItem,
  path: string,
  frame: OpenFrame,
  state: ItemState,
): OpenPart | undefined {
  const before = open.parts.get(0);
  if (before !== undefined && open.list !== list) return undefined;
  const part = before ?? startReasoning(list, open, path, frame, state);
  open.list = list;
  if (entry > open.entry) {
    open.entry = entry;
    addEvent(frame, { type: "thinking_delta", path: separatorPath, index: part.index, text: "\n\n" });
    part.length = 0;
  }
  return part;
}

function startReasoning(
  list: "summary" | "content" | undefined,
  open: OpenItem,
  path: string,
  frame: OpenFrame,
  state: ItemState,
): OpenPart {
  const { type, id = null } = open.item;
  const [part] = decodeItem({ type: type ?? "reasoning", id, summary: [] }, "", state.reader);
  const kind = list === "content" ? "full" : "summary";
  const skeleton = { ...(part as ThinkingPart), ...(list !== undefined && { kind }) } as ThinkingPart;
  return start(skeleton, 0, path, open, frame, state);
}

/** The end of an item, which says all of it again. */
export function endItem(value: Json | undefined, output: Json | undefined, frame: OpenFrame, state: ItemState): void {
  if (!state.items.has(output)) addItem(withoutContent(value), output, frame, state);
  const open = state.items.get(output) as OpenItem;
  state.items.delete(output);
  const item = isJsonObject(value) ? value : open.item;
  state.seen.set(output, item);
  if (typeof item["id"] === "string") state.seen.set(item["id"], item);
  switch (open.kind) {
    case "message":
      noteItem(item, open.kind, frame);
      endMessage(item, open, frame, state);
      return;
    case "reasoning":
      noteItem(item, open.kind, frame);
      endReasoning(item, open, frame, state);
      return;
    case "call":
      noteItem(item, open.kind, frame);
      endCall(item, open, frame);
      return;
    case "whole":
      endWhole(item, open, frame, state);
  }
}

/** An item that was not announced begins here: what it holds comes as its end says it. */
function withoutContent(value: Json | undefined): Json | undefined {
  if (!isJsonObject(value)) return value;
  if (kindOf(value) === "message") return { ...value, content: [] };
  const field = entryOf(callTypes, value["type"]);
  return field === undefined ? value : { ...value, [field]: "" };
}

function endMessage(item: JsonObject, open: OpenItem, frame: OpenFrame, state: ItemState): void {
  const contents = isAssistantMessage(item) ? listOf(item["content"]) : [];
  for (const [index, content] of contents.entries()) {
    const path = `/item/content/${index}`;
    const part = open.parts.get(index);
    if (part === undefined) startContent(content, index, path, open, frame, state);
    else if (isJsonObject(content)) {
      if (part.annotations.length > 0 && !isEmptyValue(content["annotations"]))
        noteRepeated(frame, `${path.slice(1)}/annotations`);
      noteContent(content, path, frame);
      finishContent(content, part, path, frame, state);
    }
  }
  for (const part of open.parts.values()) endPart(part, frame);
}

function endReasoning(item: JsonObject, open: OpenItem, frame: OpenFrame, state: ItemState): void {
  const shown = open.list ?? (listOf(item["content"]).length > 0 ? "content" : "summary");
  const other = shown === "content" ? "summary" : "content";
  const texts = listOf(item[shown]);
  for (const [entry, value] of texts.entries()) {
    const text = isJsonObject(value) ? value["text"] : undefined;
    if (isJsonObject(value)) noteReasoningText(value, shown, `/item/${shown}/${entry}`, frame);
    const part = openReasoning(shown, entry, open, "/item", frame, state);
    if (typeof text === "string" && part !== undefined && entry === open.entry)
      completeText(part, text, `/item/${shown}/${entry}/text`, frame);
  }
  const part = open.parts.get(0) ?? startReasoning(undefined, open, "/item", frame, state);
  if (!isEmptyValue(item[other])) keep(frame.ledger, `item/${other}`, item[other] as Json);
  const [decoded] = decodeItem({ ...only(item, reasoningKeys), summary: [], content: [] }, "", state.reader);
  const sealed = decoded?.state?.find(({ kind }) => kind === "encrypted");
  if (sealed !== undefined)
    addEvent(frame, { type: "state", path: "/item/encrypted_content", index: part.index, state: sealed });
  endPart(part, frame);
}

function endCall(item: JsonObject, open: OpenItem, frame: OpenFrame): void {
  const part = open.parts.get(0);
  if (part === undefined) return;
  const field = entryOf(callTypes, open.item["type"]) as string;
  const text = item[field];
  if (typeof text === "string") completeText(part, text, `/item/${field}`, frame);
  endPart(part, frame);
}

function endWhole(item: JsonObject, open: OpenItem, frame: OpenFrame, state: ItemState): void {
  const parts = decodeItem(item, "/item", state.reader);
  for (const [order, part] of parts.entries()) {
    const index = open.places[order] ?? state.parts++;
    state.said.set(part.type, part);
    const { skeleton, text } = skeletonOf(part);
    addEvent(frame, { type: "part_start", path: "/item", index, part: skeleton });
    if (text !== undefined) addEvent(frame, { type: "toolcall_delta", path: "/item", index, text });
    addEvent(frame, { type: "part_end", path: "", index });
  }
}

/** A call whose arguments are an object, without it: the object comes as its text, as that of any call in a stream. */
function skeletonOf(part: Part): { readonly skeleton: Part; readonly text?: string } {
  if (part.type !== "toolCall" || part.arguments === undefined) return { skeleton: part };
  return { skeleton: { ...part, arguments: {} }, text: JSON.stringify(part.arguments) };
}
