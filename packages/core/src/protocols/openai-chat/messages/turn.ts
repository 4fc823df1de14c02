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
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodePart, isBareText, reportTextFields } from "../parts/block.ts";
import { encodeFunctionCall, encodeToolCall, isFunctionCall } from "../parts/calls.ts";
import { encodeCitations } from "../parts/citations.ts";

const protocol = "openai-chat";

/** The parts of a turn by the place that they have in an assistant message. */
interface Sorted {
  readonly content: Part[];
  readonly thinking: ThinkingPart[];
  readonly refusals: RefusalPart[];
  readonly calls: (ToolCallPart | Part)[];
  audio?: AudioPart;
}

/** An assistant message of a history. */
export function encodeAssistant(turn: AssistantTurn, writer: Writer): WireObject {
  const object = encodeAssistantParts(turn, writer, "");
  if (turn.name !== undefined) {
    if (turn.wire === undefined || turn.wire.protocol === protocol) object["name"] = turn.name;
    else lose(writer.report, "message.name", turn, "name");
  }
  restore(object, turn.wire, protocol);
  if (object["content"] === undefined && formOf(turn.wire, protocol, "content") !== "omitted") {
    const hasOther = ["tool_calls", "function_call", "refusal", "audio"].some(
      (key) => object[key] !== undefined && object[key] !== null,
    );
    object["content"] = hasOther ? null : "";
  }
  return object;
}

/** Role, content and everything beside it. `prefix` is the place of the message in the form of its node. */
export function encodeAssistantParts(turn: AssistantTurn, writer: Writer, prefix: string): WireObject {
  const sorted = sortParts(turn.content, writer);
  const object: WireObject = { role: "assistant" };
  const content = encodeTexts(sorted.content, turn, object, writer, `${prefix}content`);
  if (content !== undefined) object["content"] = content;
  encodeReasoning(sorted.thinking, object, writer);
  if (sorted.refusals.length > 0) object["refusal"] = sorted.refusals.map((part) => part.text).join("");
  for (const part of sorted.refusals)
    if (part.category !== undefined) lose(writer.report, "refusal.detail", part, "category");
  if (sorted.audio !== undefined) object["audio"] = encodeAudioAnswer(sorted.audio, writer);
  encodeCalls(sorted.calls, object, writer);
  return object;
}

function sortParts(parts: readonly Part[], writer: Writer): Sorted {
  const sorted: Sorted = { content: [], thinking: [], refusals: [], calls: [] };
  for (const part of parts) {
    if (part.type === "toolCall" || (part.type === "opaque" && part.slot === "item" && part.protocol === protocol))
      sorted.calls.push(part);
    else if (part.type === "thinking") sorted.thinking.push(part);
    else if (part.type === "refusal" && formOf(part.wire, protocol, "refusal") !== "part") sorted.refusals.push(part);
    else if (
      part.type === "audio" &&
      part.wire?.protocol === protocol &&
      formOf(part.wire, protocol, "audio") !== undefined
    )
      sorted.audio = part;
    else {
      if (sorted.calls.length > 0 && part.type === "text") lose(writer.report, "turn.order", part, "type");
      sorted.content.push(part);
    }
  }
  return sorted;
}

/** Text as one string where Chat has one, else as parts. An answer has one string only. */
function encodeTexts(
  parts: readonly Part[],
  turn: AssistantTurn,
  object: WireObject,
  writer: Writer,
  formKey: string,
): Json | undefined {
  const usable = parts.filter((part) => !dropsInTurn(part, writer));
  if (usable.length === 0) return undefined;
  const texts = usable.filter((part) => part.type === "text");
  const array = formOf(turn.wire, protocol, formKey) === "array";
  if (writer.response && !writer.faithful) return joinTexts(usable, texts, object, writer);
  const only = usable[0];
  if (usable.length === 1 && only !== undefined && !array && isBareText(only, writer)) {
    reportTextFields(only, writer);
    if (only.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", only, "cacheBreakpoint");
    writeAnnotations(texts, object, writer);
    return only.text;
  }
  if (!writer.target.contentParts) return joinTexts(usable, texts, object, writer);
  writeAnnotations(texts, object, writer);
  const encoded = usable.map((part) => encodePart(part, writer)).filter((part) => part !== undefined);
  return encoded.length === 0 ? undefined : encoded;
}

/** Reports parts that an assistant message has no place for; true where the part is gone. */
function dropsInTurn(part: Part, writer: Writer): boolean {
  if (writer.faithful || part.type === "text" || part.type === "refusal") return false;
  if (part.type === "opaque" && part.protocol === protocol) return false;
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
  texts.forEach((part, index) => {
    reportTextFields(part, writer);
    if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
    if (index > 0) lose(writer.report, "text.joined", part, "type");
  });
  for (const part of parts) if (part.type !== "text") encodePart(part, writer);
  return texts.length === 0 ? undefined : texts.map((part) => part.text).join("");
}

function writeAnnotations(texts: readonly TextPart[], object: WireObject, writer: Writer): void {
  if (!writer.response) return;
  const annotations: JsonObject[] = [];
  let offset = 0;
  for (const part of texts) {
    annotations.push(...encodeCitations(part, offset, writer.report));
    offset += part.text.length;
  }
  if (annotations.length > 0) object["annotations"] = annotations;
}

/** Reasoning goes back only in the field in which its server gave it, or that the profile names. Never as text of the answer. */
function encodeReasoning(parts: readonly ThinkingPart[], object: WireObject, writer: Writer): void {
  const { reasoningField: named } = writer.target;
  for (const part of parts) {
    const own = part.wire?.protocol === protocol ? part.wire.form : undefined;
    const field = named ?? (writer.faithful || own !== undefined ? own?.["field"] : undefined);
    if (named === "none" || (field === undefined && !(own !== undefined && part.thinking === ""))) {
      lose(writer.report, "reasoning.foreign", part, "", {
        values: { from: part.state?.[0]?.protocol ?? part.wire?.protocol ?? "another model" },
      });
      continue;
    }
    if (typeof field === "string" && part.thinking !== "") {
      const before = object[field];
      object[field] = typeof before === "string" ? `${before}\n\n${part.thinking}` : part.thinking;
      if (own?.["repeated"] === "reasoning" && named === undefined) object["reasoning"] = part.thinking;
    }
    const details = part.state?.find((state) => state.kind === "details" && acceptsState(writer.target, state))?.value;
    if (details !== undefined) object["reasoning_details"] = details;
  }
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
  const list: Json[] = [];
  for (const part of calls) {
    if (part.type === "opaque") list.push(part.value);
    else if (part.type === "toolCall" && isFunctionCall(part))
      object["function_call"] = encodeFunctionCall(part, writer);
    else if (part.type === "toolCall" && writer.functionCalls === true) {
      if (object["function_call"] === undefined) object["function_call"] = encodeFunctionCall(part, writer);
      else lose(writer.report, "tool_call.single", part);
    } else if (part.type === "toolCall") list.push(encodeToolCall(part, writer));
  }
  if (list.length > 0) object["tool_calls"] = list;
}
