import { numberContainers } from "../../../codec/content/containers.ts";
import { continueText, reportScope } from "../../../codec/content/instructions.ts";
import { valueText } from "../../../codec/content/result-value.ts";
import { sentCallId } from "../../../codec/identity/names.ts";
import { mediaName } from "../../../codec/media/media.ts";
import type { MovedPart } from "../../../codec/media/moved.ts";
import { keptInResult, resultLabel } from "../../../codec/media/moved.ts";
import { isMadeUp, reportMissing } from "../../../codec/pairing.ts";
import { isOpenAi } from "../../../codec/profile.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type {
  Json,
  JsonObject,
  Message,
  Part,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodePart, isBareText, reportRefusalFields, reportTextFields } from "../parts/block.ts";
import { encodeMark } from "../parts/cache.ts";
import { refusedInMessages } from "../profile.ts";
import { encodeAssistant } from "./turn.ts";

const protocol = "openai-chat";

/**
 * Encodes the history, in which results stand directly behind their calls; media that results cannot hold follow in a user message. `messages`
 * are the same, in their own order.
 */
export function encodeMessages(
  ordered: readonly Message[],
  messages: readonly Message[],
  writer: Writer,
): JsonObject[] {
  const output: WireObject[] = [];
  const containers = writer.faithful ? undefined : numberContainers(messages);
  let media: MovedPart[] = [];
  /** The user message that others of its container join; `parts` is its content once one did, so that it is copied once. */
  let open: { readonly object: WireObject; readonly container: number | undefined; parts?: Json[] } | undefined;
  const flush = (): void => {
    const moved = media.length > 0 ? encodeMovedMedia(media, writer) : undefined;
    if (moved !== undefined) output.push(moved);
    media = [];
  };
  for (const message of ordered) {
    if (message.role !== "toolResult") flush();
    const object = encodeMessage(message, media, writer);
    if (object === undefined) continue;
    if (writer.faithful && writer.mends && saysNothing(object, writer)) {
      lose(writer.report, "turn.empty", message, "role");
      continue;
    }
    if (writer.target.refusedFields !== undefined) withholdRefused(object, message, writer);
    const container = message.role === "user" ? containers?.get(message) : undefined;
    if (message.role === "user" && open !== undefined && container !== undefined && open.container === container) {
      open.parts ??= [...asParts(open.object["content"])];
      for (const part of asParts(object["content"])) open.parts.push(part);
      open.object["content"] = open.parts;
      writer.link?.(message, open.object);
      continue;
    }
    output.push(object);
    writer.link?.(message, object);
    open = message.role === "user" ? { object, container } : undefined;
  }
  flush();
  const last = ordered.at(-1);
  if (last?.role === "assistant" && output.at(-1)?.["role"] === "assistant") completePrefill(last, output, writer);
  return output as JsonObject[];
}

/** True for a message that OpenAI refuses because nothing is in it. Results always stay: their calls need them. */
function saysNothing({ role, content, ...others }: WireObject, { target }: Writer): boolean {
  if (role === "tool" || role === "function") return false;
  const isEmpty = content === null || (Array.isArray(content) && content.length === 0 && isOpenAi(target));
  const carriers = ["tool_calls", "function_call", "refusal", "audio"];
  return isEmpty && carriers.every((key) => others[key] === undefined || others[key] === null);
}

/** A started answer: marked where the server wants a mark, followed by a user turn where it cannot go on with it. */
function completePrefill(message: Message, output: WireObject[], writer: Writer): void {
  const { prefill, prefillField } = writer.target;
  const object = output.at(-1) as WireObject;
  if (prefill === undefined && !writer.faithful) lose(writer.report, "profile.unverified", message, "role");
  if (prefill === undefined) return;
  if (!prefill) {
    lose(writer.report, "turn.prefill", message, "role");
    output.push({ role: "user", content: continueText });
  } else if (prefillField !== undefined && object[prefillField] === undefined) object[prefillField] = true;
}

function asParts(content: Json | undefined): readonly Json[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function encodeMessage(message: Message, media: MovedPart[], writer: Writer): WireObject | undefined {
  switch (message.role) {
    case "system":
      return encodeSystem(message, writer);
    case "user":
      return encodeUser(message, writer);
    case "assistant":
      return encodeAssistant(message, writer);
    case "toolResult":
      return encodeToolResult(message, media, writer);
  }
}

/** Takes names and unknown fields that the target refuses from a message, and reports them. Reasoning is decided where it is written. */
function withholdRefused(object: WireObject, message: Message, writer: Writer): void {
  const { protocol: from, rest } = message.wire ?? {};
  for (const key of refusedInMessages(writer.target)) {
    if (object[key] === undefined) continue;
    if (from === protocol && rest !== undefined && Object.hasOwn(rest, key)) {
      loseResidue(writer.report, message, rest, [key]);
    } else if (object[key] === null) lose(writer.report, "field.null", message, `form:${key}`);
    // The deprecated results have nothing else that names their call.
    else if (key !== "name" || object["role"] === "function") continue;
    else lose(writer.report, "message.name", message, message.role === "toolResult" ? "toolName" : "name");
    delete object[key];
  }
}

/** Content as a string where it is one bare text, else as parts. */
function encodeContent(parts: readonly Part[], message: Message, writer: Writer): Json {
  const only = parts[0];
  const array = formOf(message.wire, protocol, "content") === "array";
  if (parts.length === 1 && only !== undefined && !array && isBareText(only, writer)) {
    reportTextFields(only, writer);
    if (only.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", only, "cacheBreakpoint");
    return only.text;
  }
  // A string has no place for marks.
  const joins = !writer.target.contentParts && parts.every((part) => part.type === "text" || part.type === "refusal");
  const encoded = (joins ? parts.map((part) => unmarked(part, writer)) : parts)
    .map((part) => encodePart(textOfRefusal(part, writer), writer))
    .filter((part) => part !== undefined);
  if (!writer.target.contentParts && encoded.length > 0 && encoded.every((part) => part["type"] === "text")) {
    for (const part of parts.slice(1)) lose(writer.report, "text.joined", part, "type");
    return encoded.map((part) => part["text"] as string).join("\n\n");
  }
  return encoded;
}

/** The part without its cache mark, which is reported. */
function unmarked(part: Part, writer: Writer): Part {
  if (part.cacheBreakpoint === undefined) return part;
  lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  return withoutMark(part);
}

/** Other parts than texts stay what they are: their losses are reported for themselves. */
function withoutMark(part: Part): Part {
  if (part.type !== "text" || part.cacheBreakpoint === undefined) return part;
  const { cacheBreakpoint: _mark, ...rest } = part;
  return rest;
}

/** Only a message of the assistant holds refusals. */
function textOfRefusal(part: Part, writer: Writer): Part {
  if (part.type !== "refusal" || formOf(part.wire, protocol, "refusal") === "part") return part;
  lose(writer.report, "refusal.text", part, "type", { values: { sent: "text" } });
  reportRefusalFields(part, writer);
  return { type: "text", text: part.text };
}

const roles = { system: "system", developer: "developer", user: "user", guideline: "user" } as const;

function encodeSystem(message: SystemMessage, writer: Writer): WireObject | undefined {
  const texts = (message.sections ?? []).flatMap(({ text }): Part[] =>
    text === null || text === "" ? [] : [{ type: "text", text }],
  );
  reportScope(message, writer.report);
  if (message.lifetime !== undefined && message.lifetime !== "always")
    lose(writer.report, "instruction.lifetime", message, "lifetime");
  const parts: Part[] = [];
  for (const part of message.content) {
    if (part.type === "toolReference") lose(writer.report, "tool.reference", part);
    else if ((part.type === "image" || part.type === "document") && !writer.faithful)
      lose(writer.report, "instruction.media", part);
    else parts.push(part);
  }
  if ((message.sections?.length ?? 0) > 0) lose(writer.report, "instruction.sections", message, "sections");
  parts.push(...texts);
  // The home of tools without text is no message of its own.
  if (parts.length === 0 && message.wire?.protocol !== protocol) {
    if (message.content.length > 0) isGone([], message, writer);
    return undefined;
  }
  let role: string = roles[message.authority];
  if (role === "developer" && !writer.target.developerRole) {
    lose(writer.report, "instruction.authority", message, "role", {
      values: { authority: "developer", sent: "system" },
    });
    role = "system";
  }
  if (message.authority === "guideline") lose(writer.report, "instruction.lowered", message, "role");
  const content = encodeContent(parts, message, writer);
  if (isGone(content, message, writer)) return undefined;
  const object: WireObject = { role, content };
  restoreEmpty(object, message, parts.length === 0);
  return object;
}

/** True for a message of another protocol of which nothing was left; that is reported for the message itself. */
function isGone(content: Json, message: SystemMessage | UserMessage, writer: Writer): boolean {
  if (writer.faithful || !Array.isArray(content) || content.length > 0) return false;
  const changesTools =
    message.role === "system" && ((message.toolsAdded?.length ?? 0) > 0 || (message.toolsRemoved?.length ?? 0) > 0);
  if (!changesTools) lose(writer.report, "message.dropped", message, "container");
  return true;
}

/** A stated null or empty list comes back while there is still no content. */
function restoreEmpty(object: WireObject, message: Message, isEmpty = message.content.length === 0): void {
  if (isEmpty) delete object["content"];
  restore(object, message.wire, protocol);
  if (object["content"] === undefined) object["content"] = "";
}

function encodeUser(message: UserMessage, writer: Writer): WireObject | undefined {
  const content = encodeContent(message.content, message, writer);
  if (message.content.length > 0 && isGone(content, message, writer)) return undefined;
  const object: WireObject = { role: "user", content };
  if (message.name !== undefined) object["name"] = message.name;
  restoreEmpty(object, message);
  return object;
}

function encodeToolResult(message: ToolResultMessage, media: MovedPart[], writer: Writer): WireObject {
  const object: WireObject = {};
  const deprecated = formOf(message.wire, protocol, "role") === "function";
  object["role"] = deprecated ? "function" : "tool";
  if (deprecated)
    object["name"] = writer.functionNames.get(message.toolCallId) ?? message.toolName ?? message.toolCallId;
  else {
    object["tool_call_id"] = sentCallId(writer.names, message.toolCallId, isMadeUp(message) ? undefined : message);
    if (message.toolName !== undefined && message.wire?.protocol === protocol) object["name"] = message.toolName;
  }
  const kept = writer.target.imagesInToolResults ? message.content : keptInResult(message, media);
  object["content"] = resultContent(message, kept, object, writer);
  restoreEmpty(object, message, kept.length === 0 && message.value === undefined && !message.isError);
  if (message.cacheBreakpoint !== undefined) markResult(object, message, writer);
  return object;
}

/** Media behind the results that they stood in. What cannot be sent at all is no longer there to be named. */
function encodeMovedMedia(media: readonly MovedPart[], writer: Writer): WireObject | undefined {
  const content: JsonObject[] = [];
  let named: ToolResultMessage | undefined;
  for (const { part, result } of media) {
    const encoded = encodePart(part, writer);
    if (encoded === undefined) continue;
    lose(writer.report, "media.moved", part, "type", { values: { type: mediaName(part) } });
    if (result !== named) {
      const text = resultLabel(sentCallId(writer.names, result.toolCallId, undefined));
      content.push({ type: "text", text });
    }
    named = result;
    content.push(encoded);
  }
  return content.length === 0 ? undefined : { role: "user", content };
}

function resultContent(message: ToolResultMessage, kept: readonly Part[], object: WireObject, writer: Writer): Json {
  if (message.value !== undefined) return valueContent(message, kept, object, writer);
  const sent = message.isError ? kept.map(withoutMark) : kept;
  const encoded = sent.length === 0 ? "" : encodeContent(sent, message, writer);
  // Parts that Chat cannot have leave nothing behind, and an empty list is refused.
  const content = Array.isArray(encoded) && encoded.length === 0 ? "" : encoded;
  if (!message.isError) return content;
  if (!reportMissing(message, object, writer.report)) lose(writer.report, "tool_result.error_flag", message, "isError");
  const texts =
    typeof content === "string" ? [content] : (content as readonly JsonObject[]).map((part) => part["text"] as string);
  const text = JSON.stringify({ error: texts.length === 1 ? texts[0] : texts });
  return markFailure(text, kept, object, writer);
}

/** A value, and what stands beside it. */
function valueContent(message: ToolResultMessage, kept: readonly Part[], object: WireObject, writer: Writer): Json {
  const text = valueText(message, object, writer.report);
  const others = kept.length === 0 ? "" : encodeContent(kept, message, writer);
  if (typeof others !== "string") return [{ type: "text", text }, ...(others as readonly JsonObject[])];
  if (others === "") return text;
  for (const part of kept) lose(writer.report, "text.joined", part, "type");
  return `${text}\n\n${others}`;
}

/** The texts of a failure become one: it takes the last of their marks, and the others are gone. */
function markFailure(text: string, kept: readonly Part[], object: WireObject, writer: Writer): Json {
  const marked = kept.filter((part) => part.type === "text" && part.cacheBreakpoint !== undefined);
  const last = takesMark(object, writer) ? marked.pop() : undefined;
  for (const part of marked) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  if (last === undefined) return text;
  const part: WireObject = { type: "text", text };
  encodeMark(part, last, writer);
  return [part as JsonObject];
}

/** True where the content of a result may be parts with marks. */
const takesMark = (object: WireObject, { target }: Writer): boolean =>
  target.marks !== "none" && target.contentParts && object["role"] !== "function";

/** Parts that take marks; of others nobody knows. */
const markable: ReadonlySet<Json | undefined> = new Set(["text", "image_url", "input_audio", "file"]);

/** The mark of a whole result goes on its last part, unless that has one already. */
function markResult(object: WireObject, message: ToolResultMessage, writer: Writer): void {
  const content = asParts(object["content"]);
  const last = content.at(-1);
  // Nothing can be marked in a result that says nothing.
  const takes = isJsonObject(last) && markable.has(last["type"]) && last["text"] !== "";
  const isMarked = isJsonObject(last) && ("prompt_cache_breakpoint" in last || "cache_control" in last);
  if (!takesMark(object, writer) || !takes || isMarked) {
    lose(writer.report, "cache.mark", message, "cacheBreakpoint");
    return;
  }
  const marked: WireObject = { ...last };
  encodeMark(marked, message, writer);
  object["content"] = [...content.slice(0, -1), marked as JsonObject];
}
