import type { WireObject } from "../../../codec/restore.ts";
import { restoreGroup } from "../../../codec/restore.ts";
import type { AssistantTurn, Json, JsonObject, Part, TextPart } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodePart, isBareButForMark, isBareText } from "../parts/block.ts";
import { encodeCall } from "../parts/calls.ts";
import { itemIdOf, makeItemId } from "../parts/item.ts";
import { encodeReasoning } from "../parts/reasoning.ts";
import { addHostedResult, encodeHostedCall } from "../parts/server-tools.ts";

const protocol = "openai-responses";

/** A message item while its parts are written. */
interface OpenMessage {
  readonly object: WireObject;
  readonly content: Json[];
  /** The phase of its texts; unknown until there is one. */
  phase: TextPart["phase"];
  hasText: boolean;
}

/** The items of a turn of the model, in the order of its parts. */
export function encodeItems(turn: AssistantTurn, writer: Writer): JsonObject[] {
  const items: WireObject[] = [];
  let open: OpenMessage | undefined;
  let hosted: WireObject | undefined;
  if (turn.name !== undefined && !writer.response) lose(writer.report, "message.name", turn, "name");
  for (const part of turn.content) {
    if (joins(part, open)) {
      addPart(part, open, writer);
      continue;
    }
    open = undefined;
    if (part.type === "serverToolResult") {
      addHostedResult(part, hosted, writer);
      continue;
    }
    hosted = undefined;
    if (isContent(part, writer)) {
      open = openMessage(part, writer);
      items.push(open.object);
      continue;
    }
    const item = encodeItem(part, writer);
    if (item === undefined) continue;
    if (part.type === "serverToolCall") hosted = item;
    items.push(item);
  }
  return items as JsonObject[];
}

/** Items that answer the model, or that the operator adds. */
const ofOthers = /(?:_output|^additional_tools|^configuration_update|^mcp_approval_response)$/;

/** True for an item of the model, which can follow the reasoning that it came from. */
export function isOfModel({ type, role }: JsonObject): boolean {
  if (type === undefined || type === "message") return role === "assistant";
  return typeof type === "string" && !ofOthers.test(type);
}

/** True for what the user says, and for the result of a call. */
export function isOfOthers({ type, role }: JsonObject): boolean {
  if (type === undefined || type === "message") return role === "user";
  return type === "function_call_output" || type === "custom_tool_call_output";
}

/** True for a part that stands in a message, and is no item of its own. */
function isContent(part: Part, writer: Writer): boolean {
  switch (part.type) {
    case "text":
    case "refusal":
      return true;
    case "image":
    case "document":
      return writer.faithful;
    case "opaque":
      return part.protocol === protocol && part.slot === "part";
    default:
      return false;
  }
}

/** True for a part that shares the message of the part before it. */
function joins(part: Part, open: OpenMessage | undefined): open is OpenMessage {
  if (open === undefined || part.wire?.protocol !== protocol || part.wire.joined !== true) return false;
  return part.type !== "text" || !open.hasText || part.phase === open.phase;
}

function addPart(part: Part, open: OpenMessage, writer: Writer): void {
  if (part.type === "text" && !open.hasText) {
    open.hasText = true;
    open.phase = part.phase;
    if (part.phase !== undefined) open.object["phase"] = part.phase;
  }
  const encoded = encodePart(part, "output", writer);
  if (encoded !== undefined) open.content.push(encoded);
}

/** An item that is no message; undefined for what has no place here, which is reported. */
function encodeItem(part: Part, writer: Writer): WireObject | undefined {
  switch (part.type) {
    case "toolCall":
      return encodeCall(part, writer) as WireObject;
    case "thinking":
      return encodeReasoning(part, writer) as WireObject | undefined;
    case "serverToolCall":
      return encodeHostedCall(part, writer);
    case "opaque":
      if (part.protocol === protocol) return encodeOpaque(part, writer);
      break;
    case "audio":
    case "video":
    case "image":
    case "document": {
      const values = { type: part.type, source: "part of an answer" };
      lose(writer.report, "media.unsupported", part, "", { values });
      return undefined;
    }
    default:
      break;
  }
  return encodePart(part, "output", writer);
}

function encodeOpaque(part: Extract<Part, { readonly type: "opaque" }>, writer: Writer): WireObject | undefined {
  const { provider } = part;
  if (!acceptsState(writer.target, { protocol, ...(provider !== undefined && { provider }) })) {
    lose(writer.report, "part.opaque", part, "", { values: { slot: part.slot, from: provider ?? protocol } });
    return undefined;
  }
  writer.link?.(part, part.value as object);
  return part.value as WireObject;
}

/** A message that the service wrote has an id and a status; without them it is what a client says that the model said. */
function openMessage(part: Part, writer: Writer): OpenMessage {
  const { wire } = part;
  const isOwn = wire?.protocol === protocol;
  const form = isOwn ? (wire.group?.form ?? {}) : undefined;
  const isBare = isOwn ? isBareText(part) : isBareButForMark(part);
  const isOutput = !isOwn && (writer.response || !isBare);
  const object: WireObject = {};
  if (isOwn ? form?.["type"] === undefined : isOutput) object["type"] = "message";
  const id = itemIdOf(part, writer) ?? (isOutput ? makeItemId("msg", writer) : undefined);
  if (id !== undefined) object["id"] = id;
  object["role"] = "assistant";
  if (isOutput || form?.["status"] === "completed") object["status"] = "completed";
  const content: Json[] = [];
  const open: OpenMessage = { object, content, phase: undefined, hasText: false };
  const isString = isOwn ? form?.["content"] === "string" : !isOutput;
  if (isString && isBare && part.type === "text") {
    if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
    writer.link?.(part, object);
    object["content"] = part.text;
    if (part.phase !== undefined) object["phase"] = part.phase;
    open.hasText = true;
    open.phase = part.phase;
  } else {
    addPart(part, open, writer);
    object["content"] = content;
  }
  if (isOwn) restoreGroup(object, wire, protocol);
  return open;
}
