import { unreportedUsage } from "../codec/usage.ts";
import type { AssistantMessage, Citation, Json, OpaqueState, Part, ProtocolId, WireForm } from "../ir/index.ts";
import { isJsonObject, jsonEqual, readArguments, setOwn } from "../ir/index.ts";
import { inexactArguments } from "../json/argument-text.ts";
import type { LossDraft } from "../loss/index.ts";
import { createReport } from "../loss/index.ts";
import type { LateField } from "./decode/frame.ts";
import { mergeDetails } from "./details.ts";
import { inferredStop, loseRaw } from "./encode/stop.ts";
import { loseFrame } from "./encode/sweep.ts";
import type { ErrorEvent, StartEvent, StreamEvent } from "./events.ts";
import { eventPointer } from "./events.ts";
import { failedEnd } from "./failure.ts";
import type { LateFields } from "./late.ts";
import { createLateFields } from "./late.ts";

/** Builds one message from the events of a stream, in the order in which they came. */
export interface Reducer {
  push(event: StreamEvent): void;
  /** The message so far. While nothing has ended it, `stopReason` is "pending". */
  message(): AssistantMessage;
  /** A part of the first candidate as far as it has come. */
  part(index: number): Part | undefined;
  /** What the events so far say and the message does not hold. */
  losses(): LossDraft[];
}

/** A part while its deltas arrive. */
interface OpenPart {
  part: Part;
  /** Pieces of its text or of its arguments. */
  readonly pieces: string[];
  readonly citations: Citation[];
  readonly state: OpaqueState[];
  /** Fields that deltas of a block gave that is kept whole. */
  readonly fields: { [key: string]: Json };
  /** Where the last piece of its arguments stands. */
  place: string | undefined;
}

interface Answer {
  readonly parts: OpenPart[];
  readonly late: LateFields;
  stop?: Pick<AssistantMessage, "stopReason" | "stopDetail" | "rawStopReason" | "stopSequence" | "errorMessage">;
}

const emptyHead: Omit<AssistantMessage, "api"> = {
  role: "assistant",
  content: [],
  provider: "unknown",
  model: "unknown",
  usage: unreportedUsage,
  stopReason: "pending",
  timestamp: 0,
};

/** `protocol` is the one that a stream is of which nothing came but an error. */
export function createReducer(protocol: ProtocolId): Reducer {
  let head: AssistantMessage = { ...emptyHead, api: protocol };
  let failure: ErrorEvent["error"] | undefined;
  /** The counts that came last: in some streams with each piece. */
  let usage: AssistantMessage["usage"] | undefined;
  /** Where the head stands, with its residue. */
  let origin: StartEvent | undefined;
  const lost = createReport();
  const answers = new Map<number, Answer>();

  const answerOf = (choice = 0): Answer => {
    let answer = answers.get(choice);
    if (answer === undefined) {
      answer = { parts: [], late: createLateFields() };
      answers.set(choice, answer);
    }
    return answer;
  };

  /** Takes over what a whole response holds of the residue of a frame, and notes the rest of it. */
  const readResidue = (event: StreamEvent): void => {
    const { wire } = event;
    if (wire?.form === undefined) return;
    const late = wire.form["late"] as unknown as readonly LateField[] | undefined;
    if (late === undefined) {
      loseFrame(event, lost);
      return;
    }
    for (const [place, choice, pointer, grows] of late)
      if (pointer !== "")
        answerOf(choice).late.add(pointer, wire.rest?.[place] as Json, `/events/${event.at}/${place}`, grows);
    loseFrame(event, lost, new Set(late.map(([place]) => place)));
  };

  return {
    push(event) {
      readResidue(event);
      switch (event.type) {
        case "start":
          head = event.message;
          usage = undefined;
          origin = event;
          return;
        case "usage":
          usage = event.usage;
          return;
        case "stop": {
          const { stopReason, stopDetail, rawStopReason, stopSequence, errorMessage } = event;
          if (event.inferred === true) lost.drafts.push(inferredStop(event, protocol));
          answerOf(event.choice).stop = {
            stopReason,
            ...(stopDetail !== undefined && { stopDetail }),
            ...(rawStopReason !== undefined && { rawStopReason }),
            ...(stopSequence !== undefined && { stopSequence }),
            ...(errorMessage !== undefined && { errorMessage }),
          };
          return;
        }
        case "done":
          return;
        case "error":
          failure = event.error;
          return;
        default:
          if (!pushPart(answerOf(event.choice).parts, event)) loseRaw(event, lost);
      }
    },
    message() {
      const first = answerOf();
      const numbers = [...answers.keys()].filter((choice) => choice !== 0).sort((left, right) => left - right);
      const others = numbers.map((choice) => answers.get(choice) as Answer);
      const rest = first.late.rest();
      const wire = rest === undefined ? head.wire : withRest(head, rest);
      const message: AssistantMessage = {
        ...head,
        ...(usage !== undefined && { usage }),
        content: contentOf(first),
        ...first.stop,
        ...(others.length > 0 && { alternatives: others.map((answer) => alternativeOf(head, answer)) }),
        ...(wire !== undefined && { wire }),
      };
      return failure === undefined ? message : failed(message, failure);
    },
    part(index) {
      const open = answerOf().parts[index];
      return open === undefined ? undefined : closePart(open);
    },
    losses() {
      const drafts = [...lost.drafts];
      for (const { late, parts } of answers.values()) {
        for (const path of late.replaced) drafts.push({ code: "field.no_counterpart", stage: "decode", path });
        for (const part of parts) if (part !== undefined) drafts.push(...inexactCall(part));
      }
      for (const pointer in origin?.message.wire?.rest) {
        const { wire } = origin?.message ?? {};
        const value = wire?.rest?.[pointer];
        const later = answerOf().late.rest()?.[pointer];
        if (origin !== undefined && later !== undefined && value !== null && !jsonEqual(value as Json, later))
          drafts.push({ code: "field.no_counterpart", stage: "decode", path: eventPointer(origin, pointer) });
      }
      return drafts;
    },
  };
}

/** The message that the events give. */
export function reduce(events: Iterable<StreamEvent>, protocol: ProtocolId): AssistantMessage {
  const reducer = createReducer(protocol);
  for (const event of events) reducer.push(event);
  return reducer.message();
}

/** A part that never began leaves no hole. */
function contentOf(answer: Answer): readonly Part[] {
  return answer.parts.filter((part) => part !== undefined).map(closePart);
}

function withRest(head: AssistantMessage, rest: NonNullable<WireForm["rest"]>): WireForm {
  const { wire } = head;
  if (wire === undefined) return { protocol: head.api, rest };
  return { ...wire, rest: { ...wire.rest, ...rest } };
}

function alternativeOf(head: AssistantMessage, answer: Answer): AssistantMessage {
  const { responseId: _id, wire: _wire, ...shared } = head;
  const rest = answer.late.rest();
  const wire: WireForm = { protocol: head.api, ...(rest !== undefined && { rest }) };
  return { ...shared, content: contentOf(answer), ...answer.stop, usage: unreportedUsage, wire };
}

/** A failed answer keeps what came, but never a good reason to end. */
function failed(message: AssistantMessage, failure: ErrorEvent["error"]): AssistantMessage {
  const { stopDetail: _detail, rawStopReason: _raw, stopSequence: _sequence, ...others } = message;
  return { ...others, ...failedEnd(failure) };
}

/** False for an event that the message has no place for. */
function pushPart(parts: OpenPart[], event: StreamEvent): boolean {
  if (!("index" in event) || event.index === undefined) return false;
  if (event.type === "part_start") {
    parts[event.index] = { part: event.part, pieces: [], citations: [], state: [], fields: {}, place: undefined };
    return true;
  }
  const open = parts[event.index];
  if (open === undefined) return false;
  switch (event.type) {
    case "toolcall_name":
      open.part = event.part;
      return true;
    case "toolcall_delta":
      if (event.text.trim() !== "") open.place = eventPointer(event);
      open.pieces.push(event.text);
      return true;
    case "text_delta":
    case "thinking_delta":
      open.pieces.push(event.text);
      return true;
    case "citation":
      open.citations.push(event.citation);
      return true;
    case "state":
      addState(open.state, event.state);
      return true;
    case "raw":
      return assignRaw(open, event.value);
    default:
      return true;
  }
}

/** Arguments are read where the protocol has objects; what their text says beyond that is gone. */
function inexactCall({ part, pieces, place }: OpenPart): LossDraft[] {
  const isRead = part.type === "serverToolCall" || (part.type === "toolCall" && part.argumentsText === undefined);
  if (!isRead || place === undefined) return [];
  const text = pieces.join("");
  const read = readArguments(text);
  if ("error" in read || !inexactArguments(text, read.value)) return [];
  return [{ code: "tool_call.precision", stage: "decode", path: place }];
}

/** Details come in pieces of one list, a signature as a whole. */
function addState(list: OpaqueState[], state: OpaqueState): void {
  const index = list.findIndex((item) => item.kind === state.kind);
  const before = list[index];
  const isList = state.kind === "details" && Array.isArray(state.value);
  if (before === undefined) list.push(isList ? { ...state, value: mergeDetails([], state.value as Json[]) } : state);
  else if (isList && Array.isArray(before.value))
    list[index] = { ...state, value: mergeDetails(before.value as Json[], state.value as Json[]) };
  else list[index] = state;
}

/** A delta of a block that is kept whole assigns its fields, as the official client does it. */
function assignRaw({ part, fields }: OpenPart, value: Json | undefined): boolean {
  if (part.type !== "opaque" || !isJsonObject(part.value) || !isJsonObject(value)) return false;
  for (const key in value) if (key !== "type") setOwn(fields, key, value[key] as Json);
  return true;
}

function closePart(open: OpenPart): Part {
  const part = closeContent(withFields(open), open.pieces);
  const stated =
    open.state.length === 0 ? part : { ...part, state: [...(part.state ?? []), ...closeState(open.state)] };
  if (stated.type !== "text" || open.citations.length === 0) return stated;
  return { ...stated, citations: [...(stated.citations ?? []), ...open.citations] };
}

/** The lists of details go on growing, so the message gets copies. */
function closeState(list: readonly OpaqueState[]): readonly OpaqueState[] {
  return list.map((state) => (Array.isArray(state.value) ? { ...state, value: [...(state.value as Json[])] } : state));
}

function withFields({ part, fields }: OpenPart): Part {
  if (part.type !== "opaque" || !isJsonObject(part.value)) return part;
  return { ...part, value: { ...part.value, ...fields } };
}

function closeContent(part: Part, pieces: readonly string[]): Part {
  const joined = pieces.join("");
  switch (part.type) {
    case "text":
    case "refusal":
      return joined === "" ? part : { ...part, text: part.text + joined };
    case "thinking":
      return joined === "" ? part : { ...part, thinking: part.thinking + joined };
    case "toolCall":
      return closeCall(part, joined);
    case "serverToolCall":
      return joined === "" ? part : { ...part, input: readInput(joined) };
    default:
      return part;
  }
}

/** Text stays text; arguments of a protocol with objects are read once, at the end. */
function closeCall(part: Extract<Part, { readonly type: "toolCall" }>, joined: string): Part {
  if (part.argumentsText !== undefined) {
    const text = part.argumentsText + joined;
    const read = part.kind === "custom" ? undefined : readArguments(text);
    return {
      ...part,
      argumentsText: text,
      ...(read !== undefined && "error" in read && { argumentsError: read.error }),
    };
  }
  if (joined === "") return part;
  const read = readArguments(joined);
  if ("value" in read) return { ...part, arguments: read.value };
  const { arguments: _empty, ...others } = part;
  return { ...others, argumentsText: joined, argumentsError: read.error };
}

function readInput(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
