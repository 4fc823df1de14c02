import { knownKeys } from "../../../codec/ledger.ts";
import type { Json, JsonObject, Part, Pointer, StopReason, ToolCallPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import type { EventDraft, OpenFrame } from "../../../stream/decode/frame.ts";
import {
  addEvent,
  isEmptyValue,
  keepResidue,
  keepUnread,
  noteAbsent,
  noteRepeated,
} from "../../../stream/decode/frame.ts";
import type { Reader } from "../context.ts";
import { decodePart } from "../parts/block.ts";
import { keepGrounding, readGrounding } from "../parts/citations.ts";
import type { CitedText } from "../parts/cited-text.ts";
import { createCitedText } from "../parts/cited-text.ts";
import { decodeStop } from "../stop-reason.ts";
import { candidateKeys, contentKeys } from "../wire.ts";
import type { PartialArguments } from "./partial.ts";
import { createPartialArguments } from "./partial.ts";

/** One candidate while its chunks arrive. */
export interface Choice {
  readonly number: number;
  parts: number;
  /** A text or a thought that has not ended; the next chunk may continue it unless it is signed. */
  open: { readonly index: number; readonly type: "text" | "thinking"; signed: boolean } | undefined;
  /** Where it is told that a reason to end came again, which only the frames themselves hold. */
  readonly told: LossDraft[] | undefined;
  /** A call whose arguments come in pieces. */
  partial: { readonly index: number; readonly args: PartialArguments; path: Pointer; continues: boolean } | undefined;
  /** The texts so far, for the places that citations name. */
  readonly texts: CitedText[];
  called: boolean;
  /** Why it ended, and where it said so. */
  stop: { readonly raw: string; readonly reason: StopReason; readonly path: Pointer } | undefined;
}

export function createChoice(number: number, told: LossDraft[] | undefined): Choice {
  return { number, told, parts: 0, open: undefined, partial: undefined, texts: [], called: false, stop: undefined };
}

/** Reads one candidate of a chunk, which stands at `candidates/{position}`. */
export function readCandidate(
  value: JsonObject,
  position: number,
  choice: Choice,
  frame: OpenFrame,
  reader: Reader,
): void {
  const prefix = `candidates/${position}/`;
  keepResidue(frame, value, candidateKeys, prefix);
  const { content, finishReason: raw, groundingMetadata: grounding } = value;
  const add = (event: EventDraft): void => addEvent(frame, event, choice.number);
  if (isJsonObject(content)) readContent(content, prefix, choice, frame, reader, add);
  else keepUnread(frame, `${prefix}content`, content);
  if (grounding !== undefined) readCitations(grounding, prefix, choice, frame, add);
  readEnd(value, raw, prefix, choice, frame, add);
}

type Add = (event: EventDraft) => void;

function readContent(
  content: JsonObject,
  prefix: string,
  choice: Choice,
  frame: OpenFrame,
  reader: Reader,
  add: Add,
): void {
  keepResidue(frame, content, contentKeys, `${prefix}content/`);
  if (content["role"] !== "model") keepUnread(frame, `${prefix}content/role`, content["role"]);
  const { parts } = content;
  if (!Array.isArray(parts)) {
    keepUnread(frame, `${prefix}content/parts`, parts);
    return;
  }
  (parts as readonly Json[]).forEach((part, index) => {
    // Only the first part of a chunk goes on with one that was open: within a chunk parts are apart.
    if (index > 0) closeOpen(choice, add);
    readPart(part, `/${prefix}content/parts/${index}`, choice, frame, reader, add);
  });
}

/** Ends the text or thought that is open. */
export function closeOpen(choice: Choice, add: Add): void {
  if (choice.open === undefined) return;
  add({ type: "part_end", path: "", index: choice.open.index });
  choice.open = undefined;
}

function readPart(value: Json, path: Pointer, choice: Choice, frame: OpenFrame, reader: Reader, add: Add): void {
  const call = isJsonObject(value) ? value["functionCall"] : undefined;
  if (isJsonObject(value) && isJsonObject(call) && isPiece(call, choice)) {
    readPiece(value, call, path, choice, frame, reader, add);
    return;
  }
  endPartial(choice, add);
  const part = decodePart(value, path, reader);
  const { state: [signature] = [], ...rest } = part;
  switch (part.type) {
    case "text":
    case "thinking": {
      const text = part.type === "text" ? part.text : part.thinking;
      const isAlone = isSignatureAlone(part);
      const continues = choice.open?.signed === false && (choice.open.type === part.type || isAlone);
      if (!continues || (part.wire !== undefined && !isAlone)) begin(rest as Part, path, choice, add);
      else
        for (const pointer in part.wire?.rest)
          keepUnread(frame, `${path.slice(1)}/${pointer}`, part.wire.rest[pointer]);
      readText(text, path, choice, add);
      const { open } = choice;
      if (signature === undefined || open === undefined) return;
      add({ type: "state", path: `${path}/thoughtSignature`, index: open.index, state: signature });
      // A signature belongs to its own part: what follows is another.
      open.signed = true;
      return;
    }
    case "toolCall":
      closeOpen(choice, add);
      choice.called = true;
      startCall(part, path, choice, add);
      add({
        type: "toolcall_delta",
        path: `${path}/functionCall/args`,
        index: choice.parts - 1,
        text: JSON.stringify(part.arguments),
      });
      add({ type: "part_end", path: "", index: choice.parts - 1 });
      return;
    default:
      closeOpen(choice, add);
      add({ type: "part_start", path, index: choice.parts, part });
      add({ type: "part_end", path: "", index: choice.parts++ });
  }
}

/** A signature that comes with an empty text signs the text before it. */
const isSignatureAlone = (part: Part): boolean =>
  part.type === "thinking" && part.thinking === "" && part.wire?.form?.["text"] === "";

/** Starts a text or thought with its skeleton. */
function begin(part: Part, path: Pointer, choice: Choice, add: Add): void {
  closeOpen(choice, add);
  const index = choice.parts++;
  const skeleton = part.type === "text" ? { ...part, text: "" } : { ...part, thinking: "" };
  choice.open = { index, type: part.type === "text" ? "text" : "thinking", signed: false };
  if (part.type === "text") choice.texts.push(createCitedText(index));
  add({ type: "part_start", path, index, part: skeleton as Part });
}

function readText(text: string, path: Pointer, choice: Choice, add: Add): void {
  const { open } = choice;
  if (open === undefined) return;
  const type = open.type === "text" ? "text_delta" : "thinking_delta";
  add({ type, path: `${path}/text`, index: open.index, text });
  if (open.type === "text") choice.texts.at(-1)?.add(text);
}

function startCall(part: ToolCallPart, path: Pointer, choice: Choice, add: Add): void {
  const { argumentsText: _text, arguments: _object, ...others } = part;
  add({ type: "part_start", path, index: choice.parts++, part: { ...others, arguments: {} } });
}

const isNamed = ({ name }: JsonObject): boolean => name !== undefined && name !== "";

/** True for a call that is not whole: it says so, or it goes on with one that was not. What follows shows where it ends. */
function isPiece(call: JsonObject, choice: Choice): boolean {
  return "partialArgs" in call || "willContinue" in call || (choice.partial !== undefined && !isNamed(call));
}

const pieceKeys = knownKeys("jsonPath", "stringValue", "numberValue", "boolValue", "nullValue", "willContinue");
const callKeys = knownKeys("functionCall");

function readPiece(
  value: JsonObject,
  call: JsonObject,
  path: Pointer,
  choice: Choice,
  frame: OpenFrame,
  reader: Reader,
  add: Add,
): void {
  const { partialArgs: pieces, willContinue, ...begun } = call;
  if (isNamed(call)) {
    endPartial(choice, add);
    const part = decodePart({ ...value, functionCall: begun }, path, reader);
    if (part.type === "toolCall") {
      closeOpen(choice, add);
      choice.called = true;
      choice.partial = { index: choice.parts, args: createPartialArguments(part.arguments), path, continues: true };
      startCall(part, path, choice, add);
    } else keepUnread(frame, `${path.slice(1)}/functionCall`, begun);
  } else {
    keepResidue(frame, begun, pieceKeys, `${path.slice(1)}/functionCall/`);
    keepResidue(frame, value, callKeys, `${path.slice(1)}/`);
  }
  // The next piece shows it.
  if (willContinue === true) noteRepeated(frame, `${path.slice(1)}/functionCall/willContinue`);
  const place = `${path.slice(1)}/functionCall/partialArgs`;
  const { partial } = choice;
  if (partial !== undefined) partial.continues = willContinue === true;
  if (partial === undefined || !Array.isArray(pieces)) keepUnread(frame, place, pieces);
  else {
    partial.path = path;
    (pieces as readonly Json[]).forEach((piece, index) => {
      if (!partial.args.add(piece)) keepUnread(frame, `${place}/${index}`, piece);
      else if (isJsonObject(piece)) {
        keepResidue(frame, piece, pieceKeys, `${place}/${index}/`);
        if (piece["willContinue"] === true) noteRepeated(frame, `${place}/${index}/willContinue`);
      }
    });
  }
}

/** Ends a call whose arguments came in pieces: now they are whole, unless the last of them said that more would come. */
export function endPartial(choice: Choice, add: Add): void {
  const { partial } = choice;
  if (partial === undefined) return;
  choice.partial = undefined;
  const { index, args, path, continues } = partial;
  const whole = JSON.stringify(args.value);
  const text = continues ? whole.slice(0, -1) : whole;
  add({ type: "toolcall_delta", path: `${path}/functionCall/partialArgs`, index, text });
  add({ type: "part_end", path: "", index });
}

function readCitations(grounding: Json, prefix: string, choice: Choice, frame: OpenFrame, add: Add): void {
  const pointer = `/${prefix}groundingMetadata`;
  const found = isJsonObject(grounding) ? readGrounding(grounding, `/events/${frame.at}${pointer}`, choice.texts) : [];
  if (!isJsonObject(grounding) || found.length === 0) {
    keepUnread(frame, `${prefix}groundingMetadata`, grounding);
    return;
  }
  keepGrounding(frame.ledger, grounding, `${prefix}groundingMetadata/`, found);
  for (const { index, citation, support } of found)
    add({ type: "citation", path: `${pointer}/groundingSupports/${support}`, index, citation });
}

function readEnd(
  value: JsonObject,
  raw: Json | undefined,
  prefix: string,
  choice: Choice,
  frame: OpenFrame,
  add: Add,
): void {
  const message = value["finishMessage"];
  if (typeof raw !== "string") {
    // Some servers say with each chunk why the answer ends.
    if (raw === undefined && choice.stop !== undefined) noteAbsent(frame, `${prefix}finishReason`);
    else keepUnread(frame, `${prefix}finishReason`, raw);
    keepUnread(frame, `${prefix}finishMessage`, message);
    return;
  }
  endPartial(choice, add);
  const stop = decodeStop(raw, choice.called);
  if (stop.stopDetail === "refusal" && typeof message === "string" && message !== "") {
    closeOpen(choice, add);
    const index = choice.parts++;
    const path = `/${prefix}finishMessage`;
    add({ type: "part_start", path, index, part: { type: "refusal", text: "" } });
    add({ type: "text_delta", path, index, text: message });
    add({ type: "part_end", path: "", index });
  } else if (!isEmptyValue(message)) keepUnread(frame, `${prefix}finishMessage`, message);
  const path = `/${prefix.slice(0, -1)}`;
  const place = `/events/${frame.at}${path}`;
  if (choice.stop?.raw === raw && choice.stop.reason === stop.stopReason) {
    choice.told?.push({ code: "stop.repeated", stage: "decode", path: `${choice.stop.path}/finishReason` });
    choice.stop = { ...choice.stop, path: place };
    return;
  }
  choice.stop = { raw, reason: stop.stopReason, path: place };
  add({ type: "stop", path, ...stop, rawStopReason: raw });
}
