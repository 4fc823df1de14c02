import { isBlank } from "../../../codec/content/blank.ts";
import { numberContainers } from "../../../codec/content/containers.ts";
import { sentCallId } from "../../../codec/identity/names.ts";
import { documentText, isTextDocument } from "../../../codec/media/document-text.ts";
import { mediaName, sourceName } from "../../../codec/media/media.ts";
import type { MovedPart } from "../../../codec/media/moved.ts";
import { keptInResult, resultLabel } from "../../../codec/media/moved.ts";
import { isMadeUp, reportMissing } from "../../../codec/pairing.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore, restoreGroup } from "../../../codec/restore.ts";
import type {
  AssistantTurn,
  DocumentPart,
  Json,
  JsonObject,
  Message,
  Part,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodeBlock } from "../parts/block.ts";
import { encodeCacheControl } from "../parts/cache.ts";
import { reportAuthority } from "./arrange.ts";
import { createPlacement, overtake, release } from "./placement.ts";
import { encodeInstruction, encodeSystemMessage } from "./system.ts";

const protocol = "anthropic-messages";

interface Container {
  readonly role: "user" | "assistant";
  readonly content: JsonObject[];
  readonly object: WireObject;
  /** The node that opened it. */
  readonly first: Message;
}

export interface EncodedMessages {
  readonly output: WireObject[];
  /** Instructions that found no place among the messages. */
  readonly moved: readonly SystemMessage[];
  /** Instructions that stand among the messages, but elsewhere than before. */
  readonly displaced: readonly SystemMessage[];
  /** Instructions at the end waited for a turn of the model. */
  readonly waits: boolean;
}

/**
 * Encodes the turns of a conversation: everything but the leading instructions. In `ordered` results stand behind their calls; `messages` are the
 * same, in their own order. `lowered` are instructions that are turns of the user.
 */
export function encodeMessages(
  ordered: readonly Message[],
  messages: readonly Message[],
  writer: Writer,
  lowered: ReadonlySet<Message> = new Set(),
): EncodedMessages {
  const output: WireObject[] = [];
  const placement = createPlacement(output);
  // What was put into order keeps its company.
  const containers = writer.faithful && writer.mends ? numberContainers(messages) : undefined;
  let open: Container | undefined;
  const media: MovedPart[] = [];
  const flush = (): void => {
    if (media.length > 0) open?.content.push(...encodeMovedMedia(media.splice(0), writer));
  };
  let mergesInto: Message | undefined;
  for (const message of ordered) {
    if (message.role !== "toolResult") flush();
    if (message.role === "system" && !lowered.has(message)) {
      if (!writer.mends) {
        reportAuthority(message, writer);
        const object = encodeSystemMessage(message, writer);
        if (object !== undefined) output.push(object as WireObject);
        open = undefined;
      } else placement.held.push(message);
      continue;
    }
    const role = message.role === "assistant" ? "assistant" : "user";
    const moved: MovedPart[] = [];
    const blocks = encodeTurn(message, moved, writer);
    if (blocks.length === 0 && writer.mends) {
      const isEmpty = (message.content as readonly Part[]).every((part) => part.type === "text" && isBlank(part.text));
      lose(writer.report, isEmpty ? "turn.empty" : "message.dropped", message, isEmpty ? "role" : "container");
      continue;
    }
    if (role === "user") overtake(placement, writer);
    else if (release(placement, writer)) open = undefined;
    if (open === undefined || open.role !== role || startsContainer(message, open, mergesInto, writer, containers)) {
      flush();
      open = { role, content: blocks, object: { role, content: blocks }, first: message };
      output.push(open.object);
    } else {
      if (isMerge(mergesInto, message)) lose(writer.report, "turn.merged", message, "role");
      open.content.push(...blocks);
    }
    media.push(...moved);
    mergesInto = message;
    writer.link?.(message, open.object);
    if (message.wire?.protocol === protocol) restoreGroup(open.object, message.wire, protocol);
    restoreString(open, message);
  }
  flush();
  const waits = placement.held.length > 0;
  release(placement, writer);
  return { output, moved: placement.moved, displaced: placement.displaced, waits };
}

function encodeTurn(message: Message, media: MovedPart[], writer: Writer): JsonObject[] {
  switch (message.role) {
    case "system":
      return encodeInstruction(message, writer);
    case "toolResult":
      return [encodeToolResult(message, media, writer)];
    default:
      return encodeContent(message, writer);
  }
}

/** A node of this protocol that is not joined opens a container of its own; everything else joins its neighbour. */
function startsContainer(
  message: Message,
  open: Container,
  before: Message | undefined,
  writer: Writer,
  containers: ReadonlyMap<Message, number> | undefined,
): boolean {
  if (!writer.faithful) return false;
  const own = containers?.get(message);
  if (own !== undefined) return own !== containers?.get(open.first);
  // Two turns of the user in one container would come back as one.
  if (message.role === "user" && before?.role === "user") return true;
  if (message.wire?.protocol === protocol) return message.wire.joined !== true;
  // A node that was added to a decoded conversation: results stand with results, what follows them with them.
  return !(open.first.role === "toolResult" || message.role === "toolResult");
}

/** Results and the user message after them share a turn by rule; two turns of one role that become one are a loss. */
function isMerge(before: Message | undefined, message: Message): boolean {
  if (message.role === "toolResult" || before?.role === "toolResult") return false;
  return message.wire?.joined !== true;
}

/** Content that was a string stays one while it is a single bare text. */
function restoreString(open: Container, message: Message): void {
  const group = message.wire?.protocol === protocol ? message.wire.group : undefined;
  if (group?.form?.["content"] !== "string") {
    if (Array.isArray(open.object["content"])) return;
    open.object["content"] = open.content;
    return;
  }
  const block = open.content[0];
  const bare = open.content.length === 1 && block?.["type"] === "text" && Object.keys(block).length === 2;
  open.object["content"] = bare ? (block["text"] as string) : open.content;
}

function encodeContent(message: UserMessage | AssistantTurn, writer: Writer): JsonObject[] {
  if (message.role === "user" && message.name !== undefined) lose(writer.report, "message.name", message, "name");
  if (message.role === "assistant" && message.name !== undefined) lose(writer.report, "message.name", message, "name");
  const blocks: JsonObject[] = [];
  for (const part of message.content as readonly Part[]) {
    const block =
      part.type === "document" && message.role === "assistant" && !writer.target.repliesWithSources
        ? encodeReplyDocument(part, writer)
        : encodeBlock(part, writer);
    if (block === undefined) continue;
    blocks.push(block);
    if (message.role === "user" && !writer.target.repliesWithSources) withholdCitations(block, part, writer);
  }
  return blocks;
}

/** Only answers carry citations. */
function withholdCitations(block: WireObject, part: Part, writer: Writer): void {
  const { citations } = block;
  if (part.type !== "text" || !Array.isArray(citations) || citations.length === 0) return;
  delete block["citations"];
  lose(writer.report, "citation.foreign", part, "citations");
}

/** A document of an answer becomes its text, because none may stand there; a file has no text to send. */
function encodeReplyDocument(part: DocumentPart, writer: Writer): JsonObject | undefined {
  const { source, wire } = part;
  if (source.type === "searchResult") return encodeBlock(part, writer);
  if (!isTextDocument(part)) {
    const values = { type: mediaName(part), source: sourceName(source) };
    lose(writer.report, "media.unsupported", part, "", { values });
    return undefined;
  }
  if (wire?.protocol === protocol && wire.rest !== undefined)
    loseResidue(writer.report, part, wire.rest, Object.keys(wire.rest));
  const object: WireObject = { type: "text", text: documentText(part, writer.report) };
  encodeCacheControl(object, part, part, writer);
  writer.link?.(part, object);
  return object as JsonObject;
}

/** Media behind the results that they stood in. What cannot be sent at all is no longer there to be named. */
function encodeMovedMedia(media: readonly MovedPart[], writer: Writer): JsonObject[] {
  const blocks: JsonObject[] = [];
  let named: ToolResultMessage | undefined;
  for (const { part, result } of media) {
    const block = encodeBlock(part, writer);
    if (block === undefined) continue;
    lose(writer.report, "media.moved", part, "type", { values: { type: mediaName(part) } });
    if (result !== named) {
      const text = resultLabel(sentCallId(writer.names, result.toolCallId, undefined));
      blocks.push({ type: "text", text });
    }
    named = result;
    blocks.push(block);
  }
  return blocks;
}

function encodeToolResult(message: ToolResultMessage, media: MovedPart[], writer: Writer): JsonObject {
  const object: WireObject = {
    type: "tool_result",
    tool_use_id: sentCallId(writer.names, message.toolCallId, isMadeUp(message) ? undefined : message),
  };
  const content = resultContent(message, media, writer);
  if (content !== undefined) object["content"] = content;
  if (message.isError || formOf(message.wire, protocol, "is_error") === false) object["is_error"] = message.isError;
  if (message.toolName !== undefined && message.wire !== undefined && message.wire.protocol !== protocol) {
    lose(writer.report, "message.name", message, "toolName");
  }
  reportMissing(message, object, writer.report);
  encodeCacheControl(object, message, message, writer);
  restore(object, message.wire, protocol);
  writer.link?.(message, object);
  return object as JsonObject;
}

function resultContent(message: ToolResultMessage, media: MovedPart[], writer: Writer): Json | undefined {
  if (message.value !== undefined) {
    lose(writer.report, "tool_result.value", message, "value");
    const text = JSON.stringify(message.value);
    return message.content.length === 0 ? text : [{ type: "text", text }, ...resultBlocks(message, writer)];
  }
  const content = writer.target.imagesInToolResults ? message.content : keptInResult(message, media);
  const only = content[0];
  const wire = message.wire?.protocol === protocol ? message.wire : undefined;
  if (content.length === 0) return wire?.form?.["content"] === "string" ? "" : undefined;
  const bare =
    content.length === 1 &&
    only?.type === "text" &&
    only.cacheBreakpoint === undefined &&
    only.citations === undefined &&
    only.phase === undefined;
  if (bare && only.wire?.protocol !== protocol) {
    const asString =
      wire === undefined ? !(writer.faithful && message.wire !== undefined) : wire.form?.["content"] === "string";
    if (asString && (!writer.mends || only.text === "" || !isBlank(only.text))) return only.text;
  }
  const blocks = resultBlocks(message, writer);
  return blocks.length > 0 || writer.faithful ? blocks : undefined;
}

const none: readonly JsonObject[] = [];

function resultBlocks({ content }: ToolResultMessage, writer: Writer): readonly JsonObject[] {
  let blocks: JsonObject[] | undefined;
  for (const part of content) {
    if (writer.mends && !acceptedInResults.has(part.type)) {
      lose(writer.report, "tool_result.part", part, "", { values: { type: part.type } });
      continue;
    }
    const block = encodeBlock(part, writer);
    if (block === undefined) continue;
    // Most results are one text, and a list that grows from nothing takes room for 17 items.
    if (blocks === undefined) blocks = [block];
    else blocks.push(block);
  }
  return blocks ?? none;
}

const acceptedInResults: ReadonlySet<string> = new Set([
  "text",
  "image",
  "document",
  "toolReference",
  "opaque",
  "audio",
  "video",
]);
