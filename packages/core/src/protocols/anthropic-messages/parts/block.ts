import { isBlank } from "../../../codec/content/blank.ts";
import { plainName, reportCallKind } from "../../../codec/content/calls.ts";
import { loseCitation } from "../../../codec/content/citations.ts";
import { assignCallId } from "../../../codec/identity/call-ids.ts";
import { sendCallId, sendToolName } from "../../../codec/identity/names.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { Open } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, plainWire, wireField, wireOf } from "../../../codec/ledger.ts";
import { mediaName, unsupportedMedia } from "../../../codec/media/media.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { restore } from "../../../codec/restore.ts";
import type {
  Json,
  JsonObject,
  Part,
  Pointer,
  RefusalPart,
  ServerToolCallPart,
  TextPart,
  ToolCallPart,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { serverToolUseKeys, textKeys, toolReferenceKeys, toolUseKeys } from "../wire.ts";
import { decodeCacheControl, encodeCacheControl, noteVerbatimMark } from "./cache.ts";
import { encodeArguments } from "./calls.ts";
import { decodeCitations, encodeCitations } from "./citations.ts";
import { decodeDocument, decodeImage, decodeSearchResult, encodeDocument, encodeImage } from "./media.ts";
import { readRedactedThinking, readThinking, writeThinking } from "./reasoning.ts";

const protocol = "anthropic-messages";

/** Decodes the content blocks of a list. */
export function decodeBlocks(list: readonly Json[], pointer: Pointer, reader: Reader): Part[] {
  // Most lists have one block, and for that no function needs to be made.
  if (list.length === 1) return [decodeBlock(list[0] as Json, pointer, reader, 0)];
  return list.map((value, index) => decodeBlock(value, pointer, reader, index));
}

/**
 * Decodes one content block. A block that is not known, or not of its documented form, is kept whole. `index` is its place in the list at
 * `pointer`, where it is an item of one.
 */
export function decodeBlock(value: Json, pointer: Pointer, reader: Reader, index?: number): Part {
  const part = (isJsonObject(value) ? readBlock(value, pointer, reader, index) : undefined) ?? {
    type: "opaque",
    protocol,
    ...(isSealed(value) && issuedBy(reader.provider)),
    slot: "block",
    value,
  };
  reader.trace.pointers.set(part, pointer, index);
  return part;
}

/** True for a block with a payload that only its issuer can read, such as a compaction. */
function isSealed(value: Json): boolean {
  return (
    isJsonObject(value) && (typeof value["encrypted_content"] === "string" || typeof value["signature"] === "string")
  );
}

function readBlock(block: JsonObject, pointer: Pointer, reader: Reader, index?: number): Part | undefined {
  switch (block["type"]) {
    case "text":
      return readText(block, pointer, reader, index);
    case "thinking":
      return readThinking(block, reader);
    case "redacted_thinking":
      return readRedactedThinking(block, reader);
    case "tool_use":
      return readToolUse(block, reader);
    case "image":
      return decodeImage(block, itemPointer(pointer, index), reader);
    case "document":
      return decodeDocument(block, itemPointer(pointer, index), reader, decodeBlocks);
    case "search_result":
      return decodeSearchResult(block, itemPointer(pointer, index), reader, decodeBlocks);
    case "server_tool_use":
    case "mcp_tool_use":
      return readServerToolUse(block, reader);
    case "tool_reference":
      return readToolReference(block, reader);
    default:
      return readServerToolResult(block, reader);
  }
}

function itemPointer(pointer: Pointer, index: number | undefined): Pointer {
  return index === undefined ? pointer : `${pointer}/${index}`;
}

function readText(block: JsonObject, pointer: Pointer, reader: Reader, index?: number): TextPart | undefined {
  const { text } = block;
  if (typeof text !== "string") return undefined;
  if (isBare(block)) return { type: "text", text };
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, textKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, block);
  const citations =
    block["citations"] === undefined ? undefined : decodeCitations(ledger, block, itemPointer(pointer, index), reader);
  const wire = wireOf(ledger);
  const part: Open<TextPart> = { type: "text", text };
  if (citations !== undefined) part.citations = citations;
  if (cacheBreakpoint !== undefined) part.cacheBreakpoint = cacheBreakpoint;
  if (wire !== undefined) part.wire = wire;
  return part;
}

/** Most texts are nothing but that, and need no ledger. */
function isBare(block: JsonObject): boolean {
  for (const key in block) if (key !== "type" && key !== "text") return false;
  return true;
}

function readToolUse(block: JsonObject, reader: Reader): Part | undefined {
  const { id, name, input, caller } = block;
  if (typeof id !== "string" || typeof name !== "string" || !isJsonObject(input)) return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, toolUseKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, block);
  if (caller === null) keepOdd(ledger, "caller", caller);
  const wire = wireOf(ledger);
  const assigned = assignCallId(reader.callIds, id, name);
  const part: Open<ToolCallPart> = { type: "toolCall", kind: "function", id: assigned.id, name, arguments: input };
  if (assigned.state !== undefined) part.state = assigned.state;
  if (caller !== undefined && caller !== null) part.caller = caller;
  if (cacheBreakpoint !== undefined) part.cacheBreakpoint = cacheBreakpoint;
  if (wire !== undefined) part.wire = wire;
  return part;
}

function readServerToolUse(block: JsonObject, reader: Reader): Part | undefined {
  const { id, name, input, caller, server_name: server } = block;
  if (typeof id !== "string" || typeof name !== "string" || input === undefined) return undefined;
  if (block["type"] === "mcp_tool_use" && typeof server !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, serverToolUseKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, block);
  if (caller === null) keepOdd(ledger, "caller", caller);
  return {
    type: "serverToolCall",
    id,
    name,
    input,
    ...(typeof server === "string" && { server }),
    ...issuedBy(reader.provider),
    ...(caller !== undefined && caller !== null && { caller }),
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

function readToolReference(block: JsonObject, reader: Reader): Part | undefined {
  const { tool_name: name } = block;
  if (typeof name !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, toolReferenceKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, block);
  return {
    type: "toolReference",
    name,
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    ...wireField(ledger),
  };
}

/** Results of hosted tools: every block type that ends in `_tool_result` and names its call. */
function readServerToolResult(block: JsonObject, reader: Reader): Part | undefined {
  const { type, tool_use_id: toolCallId, ...value } = block;
  if (typeof type !== "string" || !type.endsWith("_tool_result") || typeof toolCallId !== "string") return undefined;
  return { type: "serverToolResult", toolCallId, protocol, ...issuedBy(reader.provider), value: { type, ...value } };
}

/** Encodes one part as a block, or reports why there is none. */
export function encodeBlock(part: Part, writer: Writer): JsonObject | undefined {
  const block = writeBlock(part, writer);
  if (block !== undefined) writer.link?.(part, block);
  return block;
}

function writeBlock(part: Part, writer: Writer): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return writeText(part, writer);
    case "thinking":
      return writeThinking(part, writer);
    case "toolCall": {
      const name = plainName(part, writer.response, writer.report);
      const object: WireObject = {
        type: "tool_use",
        id: sendCallId(writer.names, part.id, part.state, part),
        name: sendToolName(writer.names, name, part),
        input: encodeArguments(part, writer),
      };
      if (part.caller !== undefined) {
        if (part.wire === undefined || part.wire.protocol === protocol) object["caller"] = part.caller;
        else lose(writer.report, "tool_call.caller", part, "caller");
      }
      reportCallKind(part, writer.report);
      return finish(object, part, writer);
    }
    case "image":
    case "document":
      if (writer.response && !writer.faithful) return unshownMedia(part, writer);
      return part.type === "image" ? encodeImage(part, writer) : encodeDocument(part, writer, encodeBlock);
    case "audio":
    case "video":
      return unsupportedMedia(writer.report, part, part.source, writer.target, protocol);
    case "refusal":
      if (isBlank(part.text)) return leaveOut(part, writer);
      lose(writer.report, "refusal.text", part, "type", { values: { sent: "text" } });
      if (part.category !== undefined) lose(writer.report, "refusal.detail", part, "category");
      if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
      return { type: "text", text: part.text };
    case "serverToolCall":
      return writeServerToolCall(part, writer);
    case "serverToolResult":
      if (!acceptsState(writer.target, part)) return foreignRecord(part, writer);
      noteVerbatimMark(part.value, part, writer);
      return finish({ ...part.value, tool_use_id: part.toolCallId }, part, writer);
    case "toolReference":
      return finish({ type: "tool_reference", tool_name: part.name }, part, writer);
    case "opaque":
      if (acceptsState(writer.target, part)) {
        noteVerbatimMark(part.value, part, writer);
        return part.value as JsonObject;
      }
      lose(writer.report, "part.opaque", part, "", {
        values: { slot: part.slot, from: part.provider ?? part.protocol },
      });
      return undefined;
  }
}

/** Answers of the API hold no media. */
function unshownMedia(part: Part, writer: Writer): undefined {
  lose(writer.report, "media.unsupported", part, "", {
    values: { type: mediaName(part), source: "part of an answer" },
  });
  return undefined;
}

function finish(object: WireObject, part: Part, writer: Writer): JsonObject {
  encodeCacheControl(object, part, part, writer);
  restore(object, part.wire, protocol);
  return object as JsonObject;
}

function writeText(part: TextPart, writer: Writer): JsonObject | undefined {
  // Only requests are refused for white space; a client that shows an answer may need it between two parts.
  const unsendable = writer.response ? part.text === "" : isBlank(part.text);
  if (unsendable && writer.mends) return leaveOut(part, writer);
  const object: WireObject = { type: "text", text: part.text };
  encodeCitations(object, part, writer);
  if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
  return finish(object, part, writer);
}

/** Of an empty text nothing is lost, of white space the text itself. What else the part holds goes with it. */
function leaveOut(part: TextPart | RefusalPart, writer: Writer): undefined {
  if (part.text === "") lose(writer.report, "text.empty", part);
  else lose(writer.report, "text.empty", part, "text", { kind: "dropped" });
  if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  if (part.type !== "text") return undefined;
  for (const citation of part.citations ?? []) loseCitation(citation, writer.report);
  if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
  return undefined;
}

function writeServerToolCall(part: ServerToolCallPart, writer: Writer): JsonObject | undefined {
  const { provider } = part;
  if (!acceptsState(writer.target, { protocol: part.wire?.protocol ?? protocol, ...issuedBy(provider) }))
    return foreignRecord(part, writer);
  const object: WireObject = {
    type: part.server === undefined ? "server_tool_use" : "mcp_tool_use",
    id: part.id,
    name: part.name,
    input: part.input,
  };
  if (part.server !== undefined) object["server_name"] = part.server;
  if (part.caller !== undefined) object["caller"] = part.caller;
  return finish(object, part, writer);
}

function foreignRecord(part: Part, writer: Writer): undefined {
  const issuer = part.type === "serverToolResult" ? part : part.wire;
  const from = ("provider" in part ? part.provider : undefined) ?? issuer?.protocol ?? "another service";
  lose(writer.report, "server_tool.record", part, "", { values: { from } });
  return undefined;
}
