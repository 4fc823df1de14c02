import { loseCitation } from "../../../codec/content/citations.ts";
import { sentCallId } from "../../../codec/identity/names.ts";
import { documentText, isTextDocument } from "../../../codec/media/document-text.ts";
import { isAnsweredInNumber, isMadeUp, pairResults, reportMissing } from "../../../codec/pairing.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import type { Json, JsonObject, Message, Part, ToolResultMessage } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Report } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodePart } from "../parts/block.ts";
import { reportMark } from "../parts/cache.ts";
import { writeMedia } from "../parts/media.ts";
import { finishGroup, finishObject } from "../spelling.ts";
import { tellsFailure } from "./decode.ts";
import { encodeInstruction } from "./system.ts";

const protocol = "gemini-generate-content";

interface Container {
  readonly role: "user" | "model";
  readonly parts: JsonObject[];
  readonly object: WireObject;
  /** The node that opened it. */
  readonly first: Message;
}

/** Puts results behind their calls. The service counts results; which call one answers it tells by their order as well. */
export function inPairs(messages: readonly Message[], { faithful, mends, report }: Writer): readonly Message[] {
  if (faithful && (!mends || isAnsweredInNumber(messages))) return messages;
  return pairResults(messages, report, faithful);
}

/** Encodes the turns of a conversation: everything but the leading instructions. `lowered` are instructions that are turns of the user. */
export function encodeContents(
  messages: readonly Message[],
  writer: Writer,
  lowered: ReadonlySet<Message>,
): WireObject[] {
  const output: WireObject[] = [];
  let open: Container | undefined;
  for (const message of messages) {
    if (message.role === "system" && !lowered.has(message)) continue;
    const parts = encodeTurn(message, writer);
    if (parts.length === 0 && writer.mends) {
      const isEmpty = message.content.length === 0;
      lose(writer.report, isEmpty ? "turn.empty" : "message.dropped", message, isEmpty ? "role" : "container");
      continue;
    }
    const role = message.role === "assistant" ? "model" : "user";
    if (open === undefined || open.role !== role || startsContainer(message, open, writer)) {
      open = { role, parts, object: {}, first: message };
      writeContainer(open, message);
      output.push(open.object);
    } else open.parts.push(...parts);
    if (message.role !== "toolResult") writer.link?.(message, open.object);
  }
  return output;
}

/** A content with the spelling of the node that opens it. Its list of parts may still grow. */
function writeContainer({ role, parts, object }: Container, message: Message): void {
  const form = message.wire?.protocol === protocol ? message.wire.group?.form : undefined;
  const stated = form?.["role"];
  if (stated === undefined) object["role"] = role;
  else if (typeof stated === "string" && stated !== "absent") object["role"] = stated;
  const spelled = form?.["parts"];
  const [only] = parts;
  if (spelled === "object" && parts.length === 1 && only !== undefined) object["parts"] = only;
  else if (parts.length > 0 || (spelled !== "omitted" && spelled !== null)) object["parts"] = parts;
  finishGroup(object, message.wire);
}

/** A node of this protocol that is not joined opens a container of its own; of others only results share one, for they stand alone in their turn. */
function startsContainer(message: Message, open: Container, writer: Writer): boolean {
  if (!Array.isArray(open.object["parts"])) return true;
  const isResult = message.role === "toolResult";
  if (writer.faithful && message.wire?.protocol === protocol) return message.wire.joined !== true;
  return !(isResult && open.first.role === "toolResult");
}

function encodeTurn(message: Message, writer: Writer): JsonObject[] {
  if (message.role === "system") return encodeInstruction(message, writer);
  if (message.role === "toolResult") return [encodeResult(message, writer)];
  if (message.name !== undefined) lose(writer.report, "message.name", message, "name");
  const parts: JsonObject[] = [];
  for (const part of message.content) {
    const encoded = encodePart(part, writer);
    if (encoded !== undefined) parts.push(encoded);
  }
  return parts;
}

function encodeResult(message: ToolResultMessage, writer: Writer): JsonObject {
  const inner: WireObject = {};
  const id = sentCallId(writer.names, message.toolCallId, isMadeUp(message) ? undefined : message);
  const isUnnamed = isMadeUp(message) && writer.unnamedCalls.has(message.toolCallId);
  if (!isUnnamed && formOf(message.wire, protocol, "id") !== "omitted") inner["id"] = id;
  inner["name"] = nameOf(message, writer);
  const { texts, media } = divide(message, writer);
  if (message.value !== undefined)
    for (const part of message.content)
      if (part.type === "text") lose(writer.report, "tool_result.part", part, "", { values: { type: "text" } });
  inner["response"] = responseOf(message, texts, writer.report);
  if (media.length > 0) inner["parts"] = media;
  else if (formOf(message.wire, protocol, "parts") === "empty") inner["parts"] = [];
  const object: WireObject = { functionResponse: inner as JsonObject };
  reportMissing(message, inner, writer.report);
  reportMark(message, writer);
  finishObject(object, message.wire);
  writer.link?.(message, object);
  return object as JsonObject;
}

/** The name of the function that was called. A result that says another keeps it only within its own protocol. */
function nameOf(message: ToolResultMessage, writer: Writer): string {
  const { toolName, toolCallId } = message;
  const called = writer.callNames.get(toolCallId);
  if (toolName === undefined || (isMadeUp(message) && called !== undefined)) return called ?? toolCallId;
  if (!writer.mends || called === undefined) return toolName;
  const isSame = (writer.names.ownNames.get(called) ?? called) === toolName;
  lose(writer.report, isSame ? "field.repeated" : "message.name", message, "toolName");
  return called;
}

function responseOf(message: ToolResultMessage, texts: readonly string[], report: Report): JsonObject {
  const { value, isError } = message;
  const key = isError ? "error" : "output";
  if (value === undefined) return { [key]: texts.join("\n\n") };
  if (isJsonObject(value) && tellsFailure(value) === isError) return value;
  lose(report, "tool_result.value", message, "value");
  return { [key]: value as Json };
}

interface Divided {
  readonly texts: readonly string[];
  readonly media: readonly JsonObject[];
}

/** The API takes one text, and media beside it. */
function divide(message: ToolResultMessage, writer: Writer): Divided {
  const texts: string[] = [];
  const media: JsonObject[] = [];
  for (const part of message.content) {
    const text = textOf(part, writer);
    if (text !== undefined) {
      if (texts.length > 0) lose(writer.report, "text.joined", part, "type");
      if (media.length > 0) lose(writer.report, "tool_result.order", part, "type");
      texts.push(text);
      continue;
    }
    const object = mediaOf(part, writer);
    if (object !== undefined) media.push(object);
  }
  return { texts, media };
}

function textOf(part: Part, writer: Writer): string | undefined {
  const isDocument = part.type === "document" && isTextDocument(part);
  if (!isDocument && part.type !== "text") return undefined;
  reportMark(part, writer);
  if (isDocument) return documentText(part, writer.report);
  if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
  for (const citation of part.citations ?? []) loseCitation(citation, writer.report);
  return part.text;
}

function mediaOf(part: Part, writer: Writer): JsonObject | undefined {
  switch (part.type) {
    case "image":
      return linked(part, writeMedia(part, writer, writer.faithful), writer);
    case "audio":
    case "video":
    case "document":
    case "toolReference":
    case "opaque":
      return encodePart(part, writer);
    default:
      if (writer.faithful) return encodePart(part, writer);
      lose(writer.report, "tool_result.part", part, "", { values: { type: part.type } });
      return undefined;
  }
}

function linked(part: Part, object: JsonObject | undefined, writer: Writer): JsonObject | undefined {
  if (object !== undefined) writer.link?.(part, object);
  return object;
}
