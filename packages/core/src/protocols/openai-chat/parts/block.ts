import { loseCitation } from "../../../codec/content/citations.ts";
import { loseReasoning } from "../../../codec/content/reasoning.ts";
import { createLedger, keepUnknown, wireOf } from "../../../codec/ledger.ts";
import { unsupportedMedia } from "../../../codec/media/media.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, Part, Pointer, RefusalPart, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { refusalKeys, textKeys } from "../wire.ts";
import { decodeMark, encodeMark, orphanedMarks } from "./cache.ts";
import { decodeAudio, decodeFile, decodeImage, encodeAudio, encodeDocument, encodeImage } from "./media.ts";
import { encodeThinking, isInContent } from "./reasoning-content.ts";

const protocol = "openai-chat";

/**
 * Decodes one content part. A part that is not known, or not of its documented form, is kept whole. `index` is its place in the list at
 * `pointer`, where it is an item of one.
 */
export function decodePart(value: Json, pointer: Pointer, reader: Reader, index?: number): Part {
  const part = (isJsonObject(value) ? readPart(value) : undefined) ?? { type: "opaque", protocol, slot: "part", value };
  reader.trace.pointers.set(part, pointer, index);
  return part;
}

function readPart(part: JsonObject): Part | undefined {
  switch (part["type"]) {
    case "text":
      return readText(part);
    case "image_url":
      return decodeImage(part);
    case "input_audio":
      return decodeAudio(part);
    case "file":
      return decodeFile(part);
    case "refusal":
      return readRefusal(part);
    default:
      return undefined;
  }
}

function readText(part: JsonObject): TextPart | undefined {
  const { text } = part;
  if (typeof text !== "string") return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, part, textKeys);
  const cacheBreakpoint = decodeMark(ledger, part);
  const wire = wireOf(ledger);
  const decoded: { -readonly [K in keyof TextPart]: TextPart[K] } = { type: "text", text };
  if (cacheBreakpoint !== undefined) decoded.cacheBreakpoint = cacheBreakpoint;
  if (wire !== undefined) decoded.wire = wire;
  return decoded;
}

function readRefusal(part: JsonObject): RefusalPart | undefined {
  const { refusal } = part;
  if (typeof refusal !== "string") return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, part, refusalKeys);
  const wire = wireOf(ledger);
  return { type: "refusal", text: refusal, wire: { protocol, ...wire, form: { refusal: "part" } } };
}

/** Encodes one part as content, or reports why there is none. Calls, thinking and refusals of an answer have places of their own. */
export function encodePart(part: Part, writer: Writer): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return encodeText(part, writer);
    case "image":
      return encodeImage(part, writer);
    case "audio":
      return encodeAudio(part, writer);
    case "document":
      return encodeDocument(part, writer);
    case "video":
      return unsupportedMedia(writer.report, part, part.source, writer.target, protocol);
    case "refusal": {
      reportRefusalFields(part, writer);
      const object: WireObject = { type: "refusal", refusal: part.text };
      restore(object, part.wire, protocol);
      writer.link?.(part, object);
      return object as JsonObject;
    }
    case "thinking":
      if (isInContent(part)) return encodeThinking(part, writer);
      loseReasoning(part, writer.report);
      return undefined;
    case "serverToolCall":
    case "serverToolResult":
      lose(writer.report, "server_tool.record", part, "", {
        values: { from: part.wire?.protocol ?? "another service" },
      });
      return undefined;
    case "toolCall":
    case "toolReference":
      lose(writer.report, "tool_result.part", part, "", { values: { type: part.type } });
      return undefined;
    case "opaque":
      if (part.protocol === protocol) {
        writer.link?.(part, part.value as object);
        return part.value as JsonObject;
      }
      lose(writer.report, "part.opaque", part, "", { values: { slot: part.slot, from: part.protocol } });
      return undefined;
  }
}

function encodeText(part: TextPart, writer: Writer): JsonObject {
  const object: WireObject = { type: "text", text: part.text };
  encodeMark(object, part, writer);
  reportTextFields(part, writer);
  restore(object, part.wire, protocol, orphanedMarks(object, part, writer));
  writer.link?.(part, object);
  return object as JsonObject;
}

/** What a text loses whether it is written as a part or as a string. Citations are not accepted in a history. */
export function reportTextFields(part: TextPart, writer: Writer): void {
  if (!writer.response && part.citations !== undefined)
    for (const citation of part.citations) loseCitation(citation, writer.report);
  if (part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
}

/** What a refusal loses wherever it is written. */
export function reportRefusalFields(part: RefusalPart, writer: Writer): void {
  if (part.category !== undefined) lose(writer.report, "refusal.detail", part, "category");
  if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
}

/** True where the text can stand as a bare string: it carries nothing else that Chat would write. */
export function isBareText(part: Part, writer: Writer): part is TextPart {
  if (part.type !== "text") return false;
  if (part.wire?.protocol === protocol && part.wire.rest !== undefined) return false;
  return part.cacheBreakpoint === undefined || writer.target.marks === "none";
}
