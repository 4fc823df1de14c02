import { append } from "../../../codec/append.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type {
  AssistantTurn,
  AudioPart,
  Json,
  JsonObject,
  Part,
  RefusalPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
} from "../../../ir/index.ts";
import { valueAt } from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodePart, isBareText, reportRefusalFields, reportTextFields } from "../parts/block.ts";
import { encodeFunctionCall, encodeToolCall, isFunctionCall } from "../parts/calls.ts";
import { encodeCitations, readAnnotations } from "../parts/citations.ts";
import { encodeReasoning } from "../parts/reasoning.ts";
import { isInContent } from "../parts/reasoning-content.ts";

const protocol = "openai-chat";
const none: readonly never[] = [];

/** The parts of a turn by the place that they have in an assistant message. */
interface Sorted {
  content: Part[] | undefined;
  thinking: ThinkingPart[] | undefined;
  refusals: RefusalPart[] | undefined;
  calls: (ToolCallPart | Part)[] | undefined;
  /** Parts that stand after such as the message has before them. */
  late: Set<Part> | undefined;
  audio: AudioPart | undefined;
}

/** An assistant message of a history. */
export function encodeAssistant(turn: AssistantTurn, writer: Writer): WireObject {
  const object = encodeAssistantParts(turn, writer, "");
  if (turn.name !== undefined) {
    if (turn.wire === undefined || turn.wire.protocol === protocol) object["name"] = turn.name;
    else lose(writer.report, "message.name", turn, "name");
  }
  restore(object, turn.wire, protocol, staleKeys(object, turn, ""));
  if (object["content"] === undefined && formOf(turn.wire, protocol, "content") !== "omitted") {
    const hasOther = ["tool_calls", "function_call", "refusal", "audio"].some(
      (key) => object[key] !== undefined && object[key] !== null,
    );
    object["content"] = hasOther ? null : "";
  }
  return object;
}

/** Residue that would come back as content, because what it stood beside changed: annotations of an answer that had no text. */
export function staleKeys(message: unknown, { wire }: AssistantTurn, prefix: string): readonly string[] {
  const rest = wire?.rest;
  if (rest === undefined) return none;
  const hasText = prefix !== "" && typeof valueAt(message, "content") === "string";
  return [...(hasText && readAnnotations(rest[`${prefix}annotations`]) !== undefined ? [`${prefix}annotations`] : [])];
}

/** Role, content and everything beside it. `prefix` is the place of the message in the form of its node. */
export function encodeAssistantParts(turn: AssistantTurn, writer: Writer, prefix: string): WireObject {
  const sorted = sortParts(turn.content, writer);
  const object: WireObject = {};
  object["role"] = "assistant";
  if (sorted.content !== undefined) {
    const content = encodeTexts(sorted.content, turn, object, writer, `${prefix}content`);
    if (content !== undefined) object["content"] = content;
  }
  if (sorted.thinking !== undefined) {
    encodeReasoning(sorted.thinking, sorted.late, object, writer);
    reportTaken(object, turn, writer, prefix);
  }
  if (sorted.refusals !== undefined) encodeRefusals(sorted.refusals, object, writer);
  if (sorted.audio !== undefined) object["audio"] = encodeAudioAnswer(sorted.audio, writer);
  if (sorted.calls !== undefined) encodeCalls(sorted.calls, object, writer);
  return object;
}

function encodeRefusals(refusals: readonly RefusalPart[], object: WireObject, writer: Writer): void {
  object["refusal"] = refusals.map((part) => part.text).join("");
  refusals.forEach((part, index) => {
    reportRefusalFields(part, writer);
    if (index > 0) lose(writer.report, "text.joined", part, "type");
  });
}

/** Reports residue under a key in which the target takes reasoning that came in another. */
function reportTaken(object: WireObject, turn: AssistantTurn, writer: Writer, prefix: string): void {
  const rest = turn.wire?.protocol === protocol ? turn.wire.rest : undefined;
  if (rest === undefined) return;
  const taken = ["reasoning", "reasoning_content"].filter((key) => object[key] !== undefined);
  // An empty text said nothing.
  const pointers = taken.map((key) => prefix + key).filter((key) => Object.hasOwn(rest, key) && rest[key] !== "");
  loseResidue(writer.report, turn, rest, pointers);
}

function sortParts(parts: readonly Part[], writer: Writer): Sorted {
  const sorted: Sorted = {
    content: undefined,
    thinking: undefined,
    refusals: undefined,
    calls: undefined,
    late: undefined,
    audio: undefined,
  };
  let reached = 0;
  for (const part of parts) {
    const rank = rankOf(part);
    const isLate = rank < reached;
    if (isLate) {
      sorted.late ??= new Set();
      sorted.late.add(part);
    } else if (hasPlace(part, writer)) reached = rank;
    if (writer.response && !writer.faithful && isEmptyText(part) && (isLate || hasText(sorted))) {
      lose(writer.report, "text.empty", part);
      continue;
    }
    if (part.type === "toolCall" || (part.type === "opaque" && part.slot === "item" && part.protocol === protocol))
      sorted.calls = append(sorted.calls, part);
    else if (part.type === "thinking" && !isInContent(part)) sorted.thinking = append(sorted.thinking, part);
    else if (part.type === "refusal" && formOf(part.wire, protocol, "refusal") !== "part")
      sorted.refusals = append(sorted.refusals, part);
    else if (
      part.type === "audio" &&
      part.wire?.protocol === protocol &&
      formOf(part.wire, protocol, "audio") !== undefined
    )
      sorted.audio = part;
    else sorted.content = append(sorted.content, part);
    if (isLate && hasPlace(part, writer)) lose(writer.report, "turn.order", part, "type");
  }
  return sorted;
}

const hasText = ({ content }: Sorted): boolean => content?.some((part) => part.type === "text") === true;

/** True for a text that says nothing. */
function isEmptyText(part: Part): boolean {
  return part.type === "text" && part.text === "" && part.citations === undefined;
}

/** True for parts that stand in the message for sure. Whether reasoning does is decided where it is written. */
function hasPlace(part: Part, writer: Writer): boolean {
  if (part.type === "thinking") return false;
  return writer.faithful || part.type === "text" || part.type === "refusal" || part.type === "toolCall";
}

/** The order of a message: reasoning, content, refusal, audio, the call of the deprecated form, other calls. */
function rankOf(part: Part): number {
  switch (part.type) {
    case "thinking":
      return isInContent(part) ? 1 : 0;
    case "refusal":
      return formOf(part.wire, protocol, "refusal") === "part" ? 1 : 2;
    case "audio":
      return 3;
    case "toolCall":
      return isFunctionCall(part) ? 4 : 5;
    case "opaque":
      return part.slot === "item" ? 5 : 1;
    default:
      return 1;
  }
}

/** Text as one string where Chat has one, else as parts. An answer has one string only. */
function encodeTexts(
  parts: readonly Part[],
  turn: AssistantTurn,
  object: WireObject,
  writer: Writer,
  formKey: string,
): Json | undefined {
  const array = formOf(turn.wire, protocol, formKey) === "array";
  // Most turns have one text; all that follows is for the others.
  const one = array ? undefined : encodeBareText(parts, writer);
  if (one !== undefined) return one;
  const usable = parts.filter((part) => !dropsInTurn(part, writer));
  if (usable.length === 0) return undefined;
  const texts = usable.filter((part) => part.type === "text");
  if (writer.response && !array) return joinTexts(usable, texts, object, writer);
  const only = array ? undefined : encodeBareText(usable, writer);
  if (only !== undefined) return only;
  if (!writer.target.contentParts) return joinTexts(usable, texts, object, writer);
  writeAnnotations(texts, object, writer);
  const encoded = usable.map((part) => encodePart(part, writer)).filter((part) => part !== undefined);
  return encoded.length === 0 ? undefined : encoded;
}

/** The text of a turn of a history that has one and nothing else; undefined for any other. */
function encodeBareText(parts: readonly Part[], writer: Writer): string | undefined {
  const only = parts[0];
  if (writer.response || parts.length !== 1 || only === undefined || !isBareText(only, writer)) return undefined;
  reportTextFields(only, writer);
  if (only.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", only, "cacheBreakpoint");
  return only.text;
}

/** Reports parts that an assistant message has no place for; true where the part is gone. */
function dropsInTurn(part: Part, writer: Writer): boolean {
  if (writer.faithful || part.type === "text" || part.type === "refusal") return false;
  if (part.type === "opaque" && part.protocol === protocol) return false;
  if (isInContent(part)) return false;
  if (part.type === "image" || part.type === "document" || part.type === "audio" || part.type === "video") {
    lose(writer.report, "media.unsupported", part, "", { values: { type: part.type, source: "part of an answer" } });
  } else encodePart(part, writer);
  return true;
}

function joinTexts(
  parts: readonly Part[],
  texts: readonly TextPart[],
  object: WireObject,
  writer: Writer,
): string | undefined {
  writeAnnotations(texts, object, writer);
  let said = 0;
  for (const part of texts) {
    reportTextFields(part, writer);
    if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
    if (part.text !== "" && said++ > 0) lose(writer.report, "text.joined", part, "type");
  }
  for (const part of parts) {
    if (part.type === "text") continue;
    const value = encodePart(part, writer);
    if (value !== undefined)
      lose(writer.report, "part.opaque", part, "", { values: { slot: part.type, from: protocol } });
  }
  return texts.length === 0 ? undefined : texts.map((part) => part.text).join("");
}

function writeAnnotations(texts: readonly TextPart[], object: WireObject, writer: Writer): void {
  if (!writer.response) return;
  const annotations: JsonObject[] = [];
  let offset = 0;
  for (const part of texts) {
    annotations.push(...encodeCitations(part, offset, writer));
    offset += part.text.length;
  }
  if (annotations.length > 0) object["annotations"] = annotations;
}

function encodeAudioAnswer(part: AudioPart, writer: Writer): JsonObject {
  const id =
    part.source.type === "file" ? part.source.fileId : part.state?.find((state) => state.kind === "itemId")?.value;
  const object: WireObject = { ...(id !== undefined && { id }) };
  if (part.source.type === "base64") object["data"] = part.source.data;
  if (part.transcript !== undefined) object["transcript"] = part.transcript;
  if (part.expiresAt !== undefined) object["expires_at"] = part.expiresAt;
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object as JsonObject;
}

function encodeCalls(calls: readonly Part[], object: WireObject, writer: Writer): void {
  let list: Json[] | undefined;
  for (const part of calls) {
    if (part.type === "opaque") list = append(list, part.value);
    else if (part.type === "toolCall" && isFunctionCall(part))
      object["function_call"] = encodeFunctionCall(part, writer);
    else if (part.type === "toolCall" && writer.functionCalls === true) {
      if (object["function_call"] === undefined) object["function_call"] = encodeFunctionCall(part, writer);
      else lose(writer.report, "tool_call.single", part);
    } else if (part.type === "toolCall") list = append(list, encodeToolCall(part, writer));
  }
  if (list !== undefined) object["tool_calls"] = list;
}
