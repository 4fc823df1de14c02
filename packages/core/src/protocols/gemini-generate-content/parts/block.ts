import { loseCitation } from "../../../codec/content/citations.ts";
import { hashName } from "../../../codec/identity/hash.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { Open } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, knownKeys, spell } from "../../../codec/ledger.ts";
import { documentText, isTextDocument } from "../../../codec/media/document-text.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { assignOwn, formOf } from "../../../codec/restore.ts";
import type {
  Json,
  JsonObject,
  Part,
  Pointer,
  ServerToolCallPart,
  ServerToolResultPart,
  TextPart,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { finishObject, inCamelCase, snakeOfWire, spelledWire, spellPointer } from "../spelling.ts";
import type { RecordKind } from "../wire.ts";
import { dataKeys, partShape, recordKinds, textKeys } from "../wire.ts";
import { reportMark } from "./cache.ts";
import { readFunctionCall, writeFunctionCall } from "./calls.ts";
import { readFileData, readInlineData, writeMedia } from "./media.ts";
import { readSignature, readThinking, writeSignature, writeThinking } from "./reasoning.ts";

const protocol = "gemini-generate-content";

/** Decodes the parts of a list. */
export function decodeParts(list: readonly Json[], pointer: Pointer, reader: Reader): Part[] {
  return list.map((value, index) => decodePart(value, pointer, reader, index));
}

/**
 * Decodes one part. A part that is not known, or not of its documented form, is kept whole. `index` is its place in the list at `pointer`,
 * where it is an item of one.
 */
export function decodePart(value: Json, pointer: Pointer, reader: Reader, index?: number): Part {
  const part = (isJsonObject(value) ? readPart(value, reader) : undefined) ?? {
    type: "opaque",
    protocol,
    ...(isSealed(value) && issuedBy(reader.provider)),
    slot: "part",
    value,
  };
  const place = index === undefined ? pointer : `${pointer}/${index}`;
  // Of an empty text nothing is lost with its signature.
  if (part.type === "thinking" && part.wire?.form?.["text"] === "" && part.wire.rest === undefined)
    reader.trace.pointers.set(part, `${place}/${spellPointer(snakeOfWire(part.wire), "thoughtSignature")}`);
  else reader.trace.pointers.set(part, pointer, index);
  return part;
}

/** True for a part with a signature, which only its issuer can read. */
function isSealed(value: Json): boolean {
  return (
    isJsonObject(value) &&
    (typeof value["thoughtSignature"] === "string" || typeof value["thought_signature"] === "string")
  );
}

function readPart(source: JsonObject, reader: Reader): Part | undefined {
  if (isBareText(source)) return { type: "text", text: source["text"] as string };
  const { value: part, snake } = inCamelCase(source, partShape);
  const held = dataKeys.filter((key) => part[key] !== undefined);
  const [key] = held;
  if (held.length > 1) return undefined;
  const isSigned = typeof part["thoughtSignature"] === "string" && part["thoughtSignature"] !== "";
  if (key === undefined) return isSigned ? readThinking(part, snake, reader) : undefined;
  const data = part[key];
  if (key === "text") {
    if (typeof data !== "string") return undefined;
    const isThought = part["thought"] === true || (data === "" && isSigned);
    return isThought ? readThinking(part, snake, reader) : readText(part, data, snake, reader);
  }
  if (!isJsonObject(data)) return undefined;
  switch (key) {
    case "inlineData":
      return readInlineData(part, data, snake, reader);
    case "fileData":
      return readFileData(part, data, snake, reader);
    case "functionCall":
      return readFunctionCall(part, data, snake, reader);
    case "functionResponse":
      return undefined;
    case "executableCode":
    case "toolCall":
      return readRecordCall(part, data, key, snake, reader);
    case "codeExecutionResult":
    case "toolResponse":
      return readRecordResult(part, data, key, snake, reader);
  }
}

/** Most parts are a text and nothing else. */
function isBareText(part: JsonObject): boolean {
  for (const key in part) if (key !== "text") return false;
  return typeof part["text"] === "string";
}

function readText(part: JsonObject, text: string, snake: readonly Pointer[] | undefined, reader: Reader): TextPart {
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, textKeys);
  const state = readSignature(ledger, part, reader);
  if (part["thought"] === false) spell(ledger, "thought", false);
  else keepOdd(ledger, "thought", part["thought"]);
  const wire = spelledWire(ledger, snake);
  const decoded: Open<TextPart> = { type: "text", text };
  if (state !== undefined) decoded.state = state;
  if (wire !== undefined) decoded.wire = wire;
  return decoded;
}

const recordKeys = {
  executableCode: knownKeys("executableCode", "thoughtSignature"),
  toolCall: knownKeys("toolCall", "thoughtSignature"),
  codeExecutionResult: knownKeys("codeExecutionResult", "thoughtSignature"),
  toolResponse: knownKeys("toolResponse", "thoughtSignature"),
};
const toolCallKeys = knownKeys("id", "toolType", "args");

/** What a tool of the service was asked. Code has no name of its own. */
function readRecordCall(
  part: JsonObject,
  data: JsonObject,
  kind: "executableCode" | "toolCall",
  snake: readonly Pointer[] | undefined,
  reader: Reader,
): Part | undefined {
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, recordKeys[kind]);
  const state = readSignature(ledger, part, reader);
  const { id: stated, ...others } = data;
  if (typeof stated !== "string") {
    spell(ledger, "id", "omitted");
    keepOdd(ledger, `${kind}/id`, stated);
  }
  const id =
    typeof stated === "string" ? stated : `tool_${hashName(`${protocol}\n${reader.callIds.calls++}\n${kind}`)}`;
  reader.latestRecord = id;
  spell(ledger, "kind", kind);
  const name = kind === "toolCall" ? data["toolType"] : "code_execution";
  if (typeof name !== "string") return undefined;
  if (kind === "toolCall") {
    keepUnknown(ledger, data, toolCallKeys, "toolCall/");
    if (data["args"] === undefined) spell(ledger, "args", "omitted");
  }
  const wire = spelledWire(ledger, snake);
  return {
    type: "serverToolCall",
    id,
    name,
    input: kind === "toolCall" ? (data["args"] === undefined ? {} : data["args"]) : others,
    ...issuedBy(reader.provider),
    ...(state !== undefined && { state }),
    ...(wire !== undefined && { wire }),
  };
}

function readRecordResult(
  part: JsonObject,
  data: JsonObject,
  kind: "codeExecutionResult" | "toolResponse",
  snake: readonly Pointer[] | undefined,
  reader: Reader,
): Part {
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, recordKeys[kind]);
  const state = readSignature(ledger, part, reader);
  const { id: stated, ...others } = data;
  if (typeof stated !== "string") {
    spell(ledger, "id", "omitted");
    keepOdd(ledger, `${kind}/id`, stated);
  }
  const wire = spelledWire(ledger, snake);
  return {
    type: "serverToolResult",
    toolCallId: typeof stated === "string" ? stated : (reader.latestRecord ?? ""),
    protocol,
    ...issuedBy(reader.provider),
    value: { [kind]: others },
    ...(state !== undefined && { state }),
    ...(wire !== undefined && { wire }),
  };
}

/** Encodes one part, or reports why there is none. */
export function encodePart(part: Part, writer: Writer): JsonObject | undefined {
  const object = writePart(part, writer);
  if (isJsonObject(object)) writer.link?.(part, object);
  return object;
}

function writePart(part: Part, writer: Writer): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return writeText(part, writer);
    case "thinking":
      reportMark(part, writer);
      return writeThinking(part, writer);
    case "toolCall":
      return writeFunctionCall(part, writer);
    case "image":
    case "audio":
    case "video":
      return writeMedia(part, writer);
    case "document": {
      if (!isTextDocument(part)) return writeMedia(part, writer);
      reportMark(part, writer);
      return { text: documentText(part, writer.report) };
    }
    case "refusal":
      lose(writer.report, "refusal.text", part, "type", { values: { sent: "text" } });
      if (part.category !== undefined) lose(writer.report, "refusal.detail", part, "category");
      reportMark(part, writer);
      return { text: part.text };
    case "serverToolCall":
      return writeRecordCall(part, writer);
    case "serverToolResult":
      return writeRecordResult(part, writer);
    case "toolReference":
      lose(writer.report, "tool.reference", part);
      return undefined;
    case "opaque":
      // What is no object is none of any part; it goes back where it came from.
      if (acceptsState(writer.target, part) && (writer.faithful || isJsonObject(part.value)))
        return part.value as JsonObject;
      lose(writer.report, "part.opaque", part, "", {
        values: { slot: part.slot, from: part.provider ?? part.protocol },
      });
      return undefined;
  }
}

function writeText(part: TextPart, writer: Writer): JsonObject | undefined {
  reportMark(part, writer);
  if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
  // Citations are output only. Of an answer they stand beside its content.
  if (!writer.response) for (const citation of part.citations ?? []) loseCitation(citation, writer.report);
  const object: WireObject = { text: part.text };
  const thought = formOf(part.wire, protocol, "thought");
  if (thought === false) object["thought"] = false;
  writeSignature(object, part, writer);
  return finishObject(object, part.wire) as JsonObject;
}

function writeRecordCall(part: ServerToolCallPart, writer: Writer): JsonObject | undefined {
  const kind = formOf(part.wire, protocol, "kind") as RecordKind | undefined;
  if (kind === undefined || !acceptsState(writer.target, { protocol, ...issuedBy(part.provider) }))
    return foreignRecord(part, writer);
  reportMark(part, writer);
  const inner: WireObject = {};
  if (formOf(part.wire, protocol, "id") !== "omitted") inner["id"] = part.id;
  if (kind === "toolCall") {
    inner["toolType"] = part.name;
    const isEmpty = isJsonObject(part.input) && Object.keys(part.input).length === 0;
    if (!isEmpty || formOf(part.wire, protocol, "args") !== "omitted") inner["args"] = part.input;
  } else if (isJsonObject(part.input)) assignOwn(inner, part.input);
  const object: WireObject = { [kind]: inner as JsonObject };
  writeSignature(object, part, writer);
  return finishObject(object, part.wire) as JsonObject;
}

function writeRecordResult(part: ServerToolResultPart, writer: Writer): JsonObject | undefined {
  if (!acceptsState(writer.target, part)) return foreignRecord(part, writer);
  reportMark(part, writer);
  const kind = recordKinds.find((key) => isJsonObject(part.value[key]));
  if (kind === undefined) return foreignRecord(part, writer);
  const inner: WireObject = {};
  if (formOf(part.wire, protocol, "id") !== "omitted") inner["id"] = part.toolCallId;
  assignOwn(inner, part.value[kind] as JsonObject);
  const object: WireObject = { [kind]: inner as JsonObject };
  writeSignature(object, part, writer);
  return finishObject(object, part.wire) as JsonObject;
}

function foreignRecord(part: ServerToolCallPart | ServerToolResultPart, writer: Writer): undefined {
  const issuer = part.type === "serverToolResult" ? part : part.wire;
  const from = part.provider ?? issuer?.protocol ?? "another service";
  lose(writer.report, "server_tool.record", part, "", { values: { from } });
  return undefined;
}
