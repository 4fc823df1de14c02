import { createCallIds } from "../../../codec/identity/call-ids.ts";
import { LateMap, LateSet } from "../../../codec/identity/late.ts";
import { keep, knownKeys } from "../../../codec/ledger.ts";
import type { Json, JsonObject, Part, ToolCallPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { createBlindTrace } from "../../../loss/index.ts";
import type { ArgumentSnapshot } from "../../../stream/argument-snapshot.ts";
import { createArgumentSnapshot } from "../../../stream/argument-snapshot.ts";
import type { OpenFrame } from "../../../stream/decode/frame.ts";
import { addEvent, keepResidue, keepUnread, noteRepeated } from "../../../stream/decode/frame.ts";
import type { StreamFailure } from "../../../stream/events.ts";
import type { Reader } from "../context.ts";
import { fieldPointer } from "../fields.ts";
import { decodeToolCall } from "../parts/calls.ts";

const pieceKeys = knownKeys("index", "id", "type", "function", "custom");
const innerKeys = knownKeys("name", "arguments", "input");

/** A call while its pieces arrive. It begins once its id and its name are known. */
interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  custom: boolean;
  /** Residue of the pieces before the call began, in pointers of a call. */
  readonly others: { [key: string]: Json };
  part: number | undefined;
  skeleton: ToolCallPart | undefined;
  ended: boolean;
  hasText: boolean;
  readonly progress: ArgumentSnapshot;
  /** Pieces of the arguments that came before the call could begin. */
  readonly held: { readonly at: number; readonly path: string; readonly text: string }[];
  /** It waits for more of its arguments. */
  open: boolean;
  origin: { readonly at: number; readonly path: string };
}

/** What the calls of one candidate share with it. No piece looks through all calls: a stream may have thousands of them. */
export interface CallState {
  readonly byIndex: LateMap<number, OpenCall>;
  readonly byId: LateMap<string, OpenCall>;
  /** Those that have not ended, in order, and of them those that have begun and are whole. */
  readonly running: LateSet<OpenCall>;
  readonly whole: LateSet<OpenCall>;
  /** Calls that wait for arguments, the latest last; those that do no longer leave the list when they are its last. */
  readonly waiting: OpenCall[];
  waits: number;
  last: OpenCall | undefined;
  readonly begin: (part: Part) => number;
  readonly choice: number;
}

export function createCallState(choice: number, begin: CallState["begin"]): CallState {
  return {
    byIndex: new LateMap(),
    byId: new LateMap(),
    running: new LateSet(),
    whole: new LateSet(),
    waiting: [],
    waits: 0,
    last: undefined,
    begin,
    choice,
  };
}

/** Notes whether a call waits for more, and whether it could end. */
function settle(call: OpenCall, state: CallState): void {
  const open = !call.ended && !call.progress.complete;
  if (call.open !== open) {
    call.open = open;
    state.waits += open ? 1 : -1;
    if (open) state.waiting.push(call);
  }
  if (call.part !== undefined && !call.ended && call.progress.complete) state.whole.add(call);
  else state.whole.delete(call);
}

/** The latest call that waits for arguments. */
function latestWaiting({ waiting }: CallState): OpenCall | undefined {
  while (waiting.at(-1)?.open === false) waiting.pop();
  return waiting.at(-1);
}

export interface CallReader {
  readonly reader: Reader;
  readonly losses: LossDraft[];
}

export function createCallReader(losses: LossDraft[], provider: string | undefined): CallReader {
  const protocol = "openai-chat";
  const reader: Reader = {
    // Events carry their own places, so nothing is looked up here.
    trace: createBlindTrace(fieldPointer),
    provider,
    losses: [],
    callIds: createCallIds(protocol),
    functionCalls: new LateMap(),
    response: true,
  };
  return { reader, losses };
}

/** Reads the pieces of `tool_calls` of one delta. Gives a failure where nobody can tell which call a piece belongs to. */
export function readCallPieces(
  list: readonly Json[],
  pointer: string,
  state: CallState,
  frame: OpenFrame,
  shared: CallReader,
): StreamFailure | undefined {
  for (let position = 0; position < list.length; position++) {
    const piece = list[position] as Json;
    const place = `${pointer}/${position}`;
    if (!isJsonObject(piece)) {
      keepUnread(frame, place.slice(1), piece);
      continue;
    }
    const failure = readPiece(piece, place, state, frame, shared);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function readPiece(
  piece: JsonObject,
  path: string,
  state: CallState,
  frame: OpenFrame,
  shared: CallReader,
): StreamFailure | undefined {
  const isCustom = piece["type"] === "custom" || (!isJsonObject(piece["function"]) && isFilled(piece["custom"]));
  const key = isCustom ? "custom" : "function";
  const inner = isJsonObject(piece[key]) ? piece[key] : {};
  const spare = isCustom ? "function" : "custom";
  if (isFilled(piece[spare])) keepUnread(frame, `${path.slice(1)}/${spare}`, piece[spare]);
  keepResidue(frame, inner, innerKeys, `${path.slice(1)}/${key}/`);
  const id = typeof piece["id"] === "string" && piece["id"] !== "" ? piece["id"] : undefined;
  const name = typeof inner["name"] === "string" && inner["name"] !== "" ? inner["name"] : undefined;
  const found = findCall(piece, id, name, path, state, frame, shared);
  if ("message" in found) return found;
  if (found.custom === undefined || (isCustom && found.part === undefined)) found.custom = isCustom;
  if (id !== undefined && found.id === undefined) {
    found.id = id;
    if (!state.byId.has(id)) state.byId.set(id, found);
  }
  if (name !== undefined) readName(name, path, `${path}/${key}/name`, found, state, frame, shared);
  noteOthers(piece, path, found, frame);
  const value = inner[isCustom ? "input" : "arguments"];
  const textPath = `${path}/${key}/${isCustom ? "input" : "arguments"}`;
  const text = readText(value, textPath, frame, shared);
  if (text !== undefined) {
    found.progress.push(text);
    if (text !== "") found.hasText = true;
    found.held.push({ at: frame.at, path: textPath, text });
    settle(found, state);
  }
  if (found.id !== undefined && found.name !== undefined && found.part === undefined)
    beginCall(found, { at: frame.at, path }, state, frame, shared);
  if (found.part !== undefined) release(found, state, frame, shared);
  return undefined;
}

/** Some servers send a name in pieces, and others repeat it with each piece of the arguments. */
function readName(
  name: string,
  path: string,
  place: string,
  call: OpenCall,
  state: CallState,
  frame: OpenFrame,
  shared: CallReader,
): void {
  if (call.name === undefined) call.name = name;
  else if (call.name.startsWith(name)) noteRepeated(frame, place.slice(1));
  else if (call.hasText || call.ended) report(shared, "tool_call.name", frame, place);
  else {
    call.name += name;
    if (call.part === undefined || call.skeleton === undefined) return;
    call.skeleton = { ...call.skeleton, name: call.name };
    addEvent(frame, { type: "toolcall_name", path, index: call.part, part: call.skeleton }, state.choice);
  }
}

const isFilled = (value: Json | undefined): boolean => isJsonObject(value) && Object.keys(value).length > 0;

/** Fields beside the known ones belong to the call where it begins with them, else they stay with the frame. */
function noteOthers(piece: JsonObject, path: string, call: OpenCall, frame: OpenFrame): void {
  if (call.part !== undefined) {
    keepResidue(frame, piece, pieceKeys, `${path.slice(1)}/`);
    return;
  }
  for (const key in piece) if (pieceKeys[key] === undefined) call.others[key] = piece[key] as Json;
}

/** Some servers send an object where the protocol says text. */
function readText(value: Json | undefined, path: string, frame: OpenFrame, shared: CallReader): string | undefined {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return undefined;
  shared.losses.push({
    code: "tool_call.shape",
    stage: "decode",
    path: `/events/${frame.at}${path}`,
    values: { from: "openai-chat" },
  });
  return JSON.stringify(value);
}

/** The call that a piece belongs to: by its index, by its id, or the only one that is open. */
function findCall(
  piece: JsonObject,
  id: string | undefined,
  name: string | undefined,
  path: string,
  state: CallState,
  frame: OpenFrame,
  shared: CallReader,
): OpenCall | StreamFailure {
  const index = typeof piece["index"] === "number" ? piece["index"] : undefined;
  const known = index === undefined ? undefined : state.byIndex.get(index);
  if (known !== undefined) {
    if (id === undefined || known.id === undefined || known.id === id) return known;
    report(shared, "tool_call.index", frame, `${path}/index`);
    return createCall(index, { at: frame.at, path }, state);
  }
  const same = id === undefined ? undefined : state.byId.get(id);
  // Two calls may have one id: an index of its own makes what names a tool a call of its own.
  const isOther = index !== undefined && name !== undefined && same?.index !== undefined;
  if (same !== undefined && !isOther) return same;
  if (id !== undefined || name !== undefined) return createCall(index, { at: frame.at, path }, state);
  if (state.last === undefined) return createCall(index, { at: frame.at, path }, state);
  const latest = latestWaiting(state);
  const only = index === undefined ? (latest ?? state.last) : state.waits === 1 ? latest : undefined;
  if (only === undefined) {
    return {
      message: "a piece of a tool call names no call, and more than one could take it",
      kind: "server",
      retryable: true,
    };
  }
  if (index !== undefined) report(shared, "tool_call.orphan", frame, `${path}/index`);
  return only;
}

function report(shared: CallReader, code: LossDraft["code"], frame: OpenFrame, path: string): void {
  shared.losses.push({ code, stage: "decode", path: `/events/${frame.at}${path}` });
}

function createCall(index: number | undefined, origin: OpenCall["origin"], state: CallState): OpenCall {
  const call: OpenCall = {
    index,
    id: undefined,
    name: undefined,
    custom: false,
    others: {},
    part: undefined,
    skeleton: undefined,
    ended: false,
    hasText: false,
    progress: createArgumentSnapshot(),
    held: [],
    open: false,
    origin,
  };
  state.last = call;
  state.running.add(call);
  settle(call, state);
  if (index !== undefined) state.byIndex.set(index, call);
  return call;
}

function beginCall(
  call: OpenCall,
  origin: OpenCall["origin"],
  state: CallState,
  frame: OpenFrame,
  shared: CallReader,
): void {
  endOthers(call, state, frame);
  const inner = call.custom ? { name: call.name ?? "", input: "" } : { name: call.name ?? "", arguments: "" };
  const wire: JsonObject = {
    ...call.others,
    ...(call.id !== undefined && { id: call.id }),
    type: call.custom ? "custom" : "function",
    [call.custom ? "custom" : "function"]: inner,
  };
  const { argumentsError: _early, ...part } = decodeToolCall(wire, "", shared.reader) as ToolCallPart;
  call.skeleton = part as ToolCallPart;
  call.origin = origin;
  startPart(call, state, frame);
}

function startPart(call: OpenCall, state: CallState, frame: OpenFrame): void {
  const part = call.skeleton as ToolCallPart;
  const index = state.begin(part);
  call.part = index;
  settle(call, state);
  const { path } = call.origin;
  addEvent(frame, { type: "part_start", path, index, part, ...(!call.hasText && { unsettled: true }) }, state.choice);
}

/** Writes the pieces that were held. A piece for a call that has ended is only white space, or it is lost. */
function release(call: OpenCall, state: CallState, frame: OpenFrame, shared: CallReader): void {
  const index = call.part as number;
  for (const { at, path, text } of call.held) {
    if (call.ended) {
      if (text !== "") shared.losses.push({ code: "tool_call.late", stage: "decode", path: `/events/${at}${path}` });
      continue;
    }
    addEvent(frame, { type: "toolcall_delta", path, index, text }, state.choice);
    const added = frame.events.at(-1) as { at: number };
    added.at = at;
  }
  call.held.length = 0;
}

/** Ends calls whose arguments are whole: what follows them need not wait for the end of the answer. */
export function endOthers(except: OpenCall | undefined, state: CallState, frame: OpenFrame): void {
  const whole = [...(state.whole.items ?? [])].filter((call) => call !== except);
  for (const call of whole.sort((left, right) => (left.part as number) - (right.part as number)))
    endCall(call, state, frame);
}

function endCall(call: OpenCall, state: CallState, frame: OpenFrame): void {
  call.ended = true;
  settle(call, state);
  state.running.delete(call);
  addEvent(frame, { type: "part_end", path: "", index: call.part as number }, state.choice);
}

/** Ends all calls. A call without an id gets one; one without a name cannot be run by anybody. */
export function endCalls(state: CallState, frame: OpenFrame, shared: CallReader): StreamFailure | undefined {
  for (const call of state.running.items ?? []) {
    if (call.part !== undefined) continue;
    if (call.name === undefined) {
      return { message: "a tool call ended without the name of its tool", kind: "server", retryable: true };
    }
    beginCall(call, call.origin, state, frame, shared);
    const begun = frame.events.at(-1) as { at: number };
    begun.at = call.origin.at;
    release(call, state, frame, shared);
  }
  for (const call of state.running.items ?? []) endCall(call, state, frame);
  return undefined;
}

/** True where each call has whole arguments. */
export function areComplete(state: CallState): boolean {
  for (const call of state.running.items ?? [])
    if (call.name === undefined || !(call.progress.complete || call.custom || !call.hasText)) return false;
  return true;
}

/** The deprecated `function_call` of a delta: one call, without an id. */
export function readFunctionCall(
  value: JsonObject,
  path: string,
  state: CallState,
  frame: OpenFrame,
  shared: CallReader,
): void {
  keepResidue(frame, value, innerKeys, `${path.slice(1)}/`);
  let call = state.byIndex.get(-1);
  const name = typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : undefined;
  if (call === undefined) {
    // Some servers send an empty call with every answer; it calls nothing.
    if (name === undefined) {
      if (typeof value["arguments"] === "string" && value["arguments"] !== "")
        keep(frame.ledger, `${path.slice(1)}/arguments`, value["arguments"]);
      return;
    }
    call = createCall(-1, { at: frame.at, path }, state);
    call.name = name;
    call.skeleton = {
      type: "toolCall",
      kind: "function",
      id: (decodeToolCall({ function: { name } }, "", shared.reader) as ToolCallPart).id,
      name,
      argumentsText: "",
      wire: { protocol: "openai-chat", form: { function_call: true } },
    };
    startPart(call, state, frame);
  } else if (name !== undefined) readName(name, path, `${path}/name`, call, state, frame, shared);
  const text = readText(value["arguments"], `${path}/arguments`, frame, shared);
  if (text === undefined) return;
  call.progress.push(text);
  if (text !== "") call.hasText = true;
  settle(call, state);
  call.held.push({ at: frame.at, path: `${path}/arguments`, text });
  release(call, state, frame, shared);
}
