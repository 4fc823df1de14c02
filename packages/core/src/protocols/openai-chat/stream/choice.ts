import { issuedBy } from "../../../codec/issuer.ts";
import { createLedger, knownKeys } from "../../../codec/ledger.ts";
import type { Json, JsonObject, Part } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { OpenFrame } from "../../../stream/decode/frame.ts";
import {
  addEvent,
  isEmptyValue,
  keepLate,
  keepResidue,
  keepUnread,
  noteAbsent,
  noteRepeated,
} from "../../../stream/decode/frame.ts";
import type { StreamFailure } from "../../../stream/events.ts";
import { decodePart } from "../parts/block.ts";
import { decodeAnnotations } from "../parts/citations.ts";
import { isTextList, plainTextKeys, thinkingKeys } from "../parts/reasoning-content.ts";
import { decodeStop } from "../stop-reason.ts";
import type { CallReader, CallState } from "./calls.ts";
import { createCallState, endCalls, endOthers, readCallPieces, readFunctionCall } from "./calls.ts";

const protocol = "openai-chat";
const choiceKeys = knownKeys("index", "delta", "finish_reason");
const deltaKeys = knownKeys(
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "annotations",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
);

interface ChoicePlace {
  readonly at: number;
  readonly path: string;
}

/** Where a reason to end would stand that never came. */
interface EndPlace {
  /** The last choice without any reason, and the first one since the last content that says nothing. */
  missing: ChoicePlace | undefined;
  quiet: ChoicePlace | undefined;
  last: ChoicePlace;
  /** The server states a null where there is no reason yet. */
  statesNull: boolean;
}

type Kind = "text" | "thinking" | "refusal";

/** How the things of one choice are addressed: the choice itself, as the start of a residue's pointer, and its delta. */
interface Names {
  readonly pointer: string;
  readonly prefix: string;
  readonly delta: string;
  readonly deltaPrefix: string;
  readonly content: string;
}

const names: Names[] = [];

/** They are the same in each chunk, so they are made once. */
function namesOf(position: number): Names {
  const known = names[position];
  if (known !== undefined) return known;
  const pointer = `/choices/${position}`;
  const prefix = `choices/${position}/`;
  const made = {
    pointer,
    prefix,
    delta: `${pointer}/delta`,
    deltaPrefix: `${prefix}delta/`,
    content: `${pointer}/delta/content`,
  };
  if (position < 16) names[position] = made;
  return made;
}

/** One candidate while its deltas arrive. */
export interface Candidate {
  readonly number: number;
  /** The first of its parts of each type: what a reason to end is read beside. */
  readonly seen: Part[];
  /** The part that text goes to. Calls stay open beside it. */
  open: { readonly kind: Kind; readonly index: number } | undefined;
  lastText: number | undefined;
  lastThinking: number | undefined;
  finished: boolean;
  readonly end: EndPlace;
  readonly calls: CallState;
}

export function createCandidate(number: number): Candidate {
  const seen: Part[] = [];
  let parts = 0;
  const begin = (part: Part): number => {
    if (!seen.some(({ type }) => type === part.type)) seen.push(part);
    return parts++;
  };
  return {
    number,
    seen,
    open: undefined,
    lastText: undefined,
    lastThinking: undefined,
    finished: false,
    end: { missing: undefined, quiet: undefined, last: { at: 0, path: "" }, statesNull: false },
    calls: createCallState(number, begin),
  };
}

/** Reads what one chunk says of one candidate. */
export function readChoice(
  choice: JsonObject,
  position: number,
  candidate: Candidate,
  frame: OpenFrame,
  shared: CallReader,
): StreamFailure | undefined {
  const place = namesOf(position);
  const { prefix } = place;
  keepLate(frame, choice, choiceKeys, prefix, inResponse(candidate, ""));
  const { delta, finish_reason: raw } = choice;
  const before = frame.events.length;
  if (isJsonObject(delta)) {
    const failure = readDelta(delta, place, candidate, frame, shared);
    if (failure !== undefined) return failure;
  } else keepUnread(frame, `${prefix}delta`, delta);
  if (typeof raw !== "string" || raw === "") {
    noteEnd(candidate.end, { at: frame.at, path: place.pointer }, raw, frame.events.length > before);
    if (raw !== undefined && raw !== null) keepUnread(frame, `${prefix}finish_reason`, raw);
    if (raw === undefined && candidate.end.statesNull) noteAbsent(frame, `${prefix}finish_reason`);
    return undefined;
  }
  closeOpenPart(candidate, frame);
  const failure = endCalls(candidate.calls, frame, shared);
  if (failure !== undefined) return failure;
  candidate.finished = true;
  const native = choice["native_finish_reason"];
  const stop = decodeStop(raw, candidate.seen);
  addEvent(
    frame,
    {
      type: "stop",
      path: place.pointer,
      ...stop,
      rawStopReason: raw,
      ...(stop.stopReason === "error" &&
        stop.stopDetail === undefined && { errorMessage: typeof native === "string" ? native : raw }),
    },
    candidate.number,
  );
  return undefined;
}

/** Where a whole response has the fields of a candidate: the first is the message itself. */
const inResponse = ({ number }: Candidate, below: string): { readonly choice: number; readonly pointer: string } => ({
  choice: number,
  pointer: number === 0 ? `choices/0/${below}` : below,
});

function noteEnd(end: EndPlace, place: ChoicePlace, raw: Json | undefined, says: boolean): void {
  end.last = place;
  if (raw === null) end.statesNull = true;
  if (raw === undefined) end.missing = place;
  if (says) end.quiet = undefined;
  else end.quiet ??= place;
}

/** The same for a choice that says what the one before said, but for its text. */
export function noteAgain({ end }: Candidate, at: number): void {
  const place = { at, path: end.last.path };
  if (end.missing === end.last) end.missing = place;
  end.last = place;
  end.quiet = undefined;
}

/** The choice that should have said why the answer ended: the one that leaves it out where others state null, else the one after the content. */
export function endPlace({ end }: Candidate): ChoicePlace {
  return (end.statesNull ? end.missing : undefined) ?? end.quiet ?? end.last;
}

function readDelta(
  delta: JsonObject,
  { delta: path, deltaPrefix: prefix, content: contentPath }: Names,
  candidate: Candidate,
  frame: OpenFrame,
  shared: CallReader,
): StreamFailure | undefined {
  keepLate(frame, delta, deltaKeys, prefix, inResponse(candidate, "message/"));
  const { role, content, refusal, function_call: deprecated, tool_calls: pieces } = delta;
  if (role !== undefined && role !== "assistant") keepUnread(frame, `${prefix}role`, role);
  readReasoning(delta, path, candidate, frame, shared);
  if (content !== undefined) readContent(content, contentPath, candidate, frame, shared);
  readAnnotations(delta, path, candidate, frame, shared);
  if (typeof refusal === "string") readText(refusal, "refusal", `${path}/refusal`, candidate, frame);
  else if (refusal !== undefined) keepUnread(frame, `${prefix}refusal`, refusal);
  if (isJsonObject(deprecated)) {
    if (typeof deprecated["name"] === "string" && deprecated["name"] !== "") closeOpenPart(candidate, frame);
    readFunctionCall(deprecated, `${path}/function_call`, candidate.calls, frame, shared);
  } else if (deprecated !== undefined) keepUnread(frame, `${prefix}function_call`, deprecated);
  if (!Array.isArray(pieces)) {
    if (pieces !== undefined) keepUnread(frame, `${prefix}tool_calls`, pieces);
    return undefined;
  }
  if (pieces.length > 0) closeOpenPart(candidate, frame);
  return readCallPieces(pieces, `${path}/tool_calls`, candidate.calls, frame, shared);
}

/** A piece of text for the part of its kind, which begins with the first piece that says something. */
function readText(text: string, kind: Kind, path: string, candidate: Candidate, frame: OpenFrame): void {
  if (candidate.open?.kind !== kind) {
    if (text === "") return;
    const skeleton: Part =
      kind === "thinking"
        ? { type: "thinking", thinking: "", wire: { protocol, form: fieldForm(path) } }
        : { type: kind, text: "" };
    openPart(skeleton, kind, path, candidate, frame);
  }
  const { index } = candidate.open as NonNullable<Candidate["open"]>;
  addEvent(frame, { type: kind === "thinking" ? "thinking_delta" : "text_delta", path, index, text }, candidate.number);
}

/** The field that the reasoning came in. Reasoning within the content has none: it must not go back as text. */
function fieldForm(path: string): { readonly field?: string } {
  const field = path.slice(path.lastIndexOf("/") + 1);
  return field.startsWith("reasoning") ? { field } : {};
}

function openPart(part: Part, kind: Kind, path: string, candidate: Candidate, frame: OpenFrame): void {
  closeOpenPart(candidate, frame);
  endOthers(undefined, candidate.calls, frame);
  const index = candidate.calls.begin(part);
  candidate.open = { kind, index };
  if (kind === "text") candidate.lastText = index;
  if (kind === "thinking") candidate.lastThinking = index;
  addEvent(frame, { type: "part_start", path, index, part }, candidate.number);
}

/** Ends the part that text went to. */
export function closeOpenPart(candidate: Candidate, frame: OpenFrame): void {
  const { open } = candidate;
  if (open === undefined) return;
  candidate.open = undefined;
  addEvent(frame, { type: "part_end", path: "", index: open.index }, candidate.number);
}

/** Content is text; some servers send a list of parts. */
function readContent(
  content: Json | undefined,
  path: string,
  candidate: Candidate,
  frame: OpenFrame,
  shared: CallReader,
): void {
  if (typeof content === "string") {
    readText(content, "text", path, candidate, frame);
    return;
  }
  if (!Array.isArray(content)) {
    keepUnread(frame, path.slice(1), content);
    return;
  }
  content.forEach((item: Json, position) => {
    const place = `${path}/${position}`;
    if (isJsonObject(item) && item["type"] === "text" && typeof item["text"] === "string") {
      readText(item["text"], "text", `${place}/text`, candidate, frame);
      keepResidue(frame, item, plainTextKeys, `${place.slice(1)}/`);
      return;
    }
    if (isJsonObject(item) && item["type"] === "thinking" && isTextList(item["thinking"])) {
      item["thinking"].forEach((inner, at) => {
        readText(inner.text, "thinking", `${place}/thinking/${at}/text`, candidate, frame);
        keepResidue(frame, inner, plainTextKeys, `${place.slice(1)}/thinking/${at}/`);
      });
      keepResidue(frame, item, thinkingKeys, `${place.slice(1)}/`);
      return;
    }
    closeOpenPart(candidate, frame);
    const part = decodePart(item, place, shared.reader);
    const index = candidate.calls.begin(part);
    addEvent(frame, { type: "part_start", path: place, index, part }, candidate.number);
    addEvent(frame, { type: "part_end", path: "", index }, candidate.number);
  });
}

/** Reasoning comes in one of two text fields, or in both, and as details that only their server understands. */
function readReasoning(
  delta: JsonObject,
  path: string,
  candidate: Candidate,
  frame: OpenFrame,
  shared: CallReader,
): void {
  const { reasoning_content: first, reasoning: second, reasoning_details: details } = delta;
  if (first === undefined && second === undefined && details === undefined) return;
  const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== "";
  const field = isText(first) || (typeof first === "string" && !isText(second)) ? "reasoning_content" : "reasoning";
  const text = delta[field];
  if (typeof text === "string") readText(text, "thinking", `${path}/${field}`, candidate, frame);
  const other = field === "reasoning" ? "reasoning_content" : "reasoning";
  if (isText(delta[other]) && delta[other] === text) noteRepeated(frame, `${path.slice(1)}/${other}`);
  else keepUnread(frame, `${path.slice(1)}/${other}`, delta[other]);
  if (typeof text !== "string") keepUnread(frame, `${path.slice(1)}/${field}`, text);
  if (!Array.isArray(details)) {
    keepUnread(frame, `${path.slice(1)}/reasoning_details`, details);
    return;
  }
  if (isEmptyValue(details)) return;
  if (candidate.lastThinking === undefined) {
    const skeleton: Part = { type: "thinking", thinking: "", wire: { protocol, form: {} } };
    openPart(skeleton, "thinking", `${path}/reasoning_details`, candidate, frame);
  }
  addEvent(
    frame,
    {
      type: "state",
      path: `${path}/reasoning_details`,
      index: candidate.lastThinking as number,
      state: { protocol, ...issuedBy(shared.reader.provider), kind: "details", value: details },
    },
    candidate.number,
  );
}

/** Annotations stand on the text before them. */
function readAnnotations(
  delta: JsonObject,
  path: string,
  candidate: Candidate,
  frame: OpenFrame,
  shared: CallReader,
): void {
  if (isEmptyValue(delta["annotations"])) return;
  const ledger = createLedger(protocol, "empty");
  const citations =
    candidate.lastText === undefined ? undefined : decodeAnnotations(ledger, delta, "", path, shared.reader);
  if (citations === undefined) {
    keepUnread(frame, `${path.slice(1)}/annotations`, delta["annotations"]);
    return;
  }
  const index = candidate.lastText as number;
  citations.forEach((citation, position) => {
    addEvent(frame, { type: "citation", path: `${path}/annotations/${position}`, index, citation }, candidate.number);
  });
}
