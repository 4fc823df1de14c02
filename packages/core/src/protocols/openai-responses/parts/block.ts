import { loseReasoning } from "../../../codec/content/reasoning.ts";
import { createLedger, keepUnknown, plainWire, spell, wireOf } from "../../../codec/ledger.ts";
import { unsupportedMedia } from "../../../codec/media/media.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, Part, Pointer, RefusalPart, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { outputTextKeys, refusalKeys, textKeys } from "../wire.ts";
import { decodeMark, encodeMark } from "./cache.ts";
import { decodeAnnotations, encodeCitations } from "./citations.ts";
import { decodeFile, decodeImage, encodeDocument, encodeImage } from "./media.ts";

const protocol = "openai-responses";

/** Where a part stands: in what a user or an instruction says, in a result, or in what the model said. */
export type Place = "input" | "result" | "output";

const textTypes: { readonly [place in Place]: string } = {
  input: "input_text",
  result: "input_text",
  output: "output_text",
};

/** Decodes one content part. A part that is not known, or not of its documented form, is kept whole. */
export function decodePart(value: Json, pointer: Pointer, index: number, place: Place, reader: Reader): Part {
  const part = (isJsonObject(value) ? readPart(value, `${pointer}/${index}`, place, reader) : undefined) ?? {
    type: "opaque",
    protocol,
    slot: "part",
    value,
  };
  reader.trace.pointers.set(part, pointer, index);
  return part;
}

function readPart(part: JsonObject, pointer: Pointer, place: Place, reader: Reader): Part | undefined {
  switch (part["type"]) {
    case "input_text":
      return readInputText(part, place, reader);
    case "output_text":
      return readOutputText(part, pointer, place, reader);
    case "refusal":
      return readRefusal(part, reader);
    case "input_image":
      return decodeImage(part);
    case "input_file":
      return decodeFile(part);
    default:
      return undefined;
  }
}

function readInputText(part: JsonObject, place: Place, reader: Reader): TextPart | undefined {
  const { text } = part;
  if (typeof text !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, textKeys);
  if (textTypes[place] !== "input_text") spell(ledger, "type", "input_text");
  const cacheBreakpoint = decodeMark(ledger, part);
  const wire = wireOf(ledger);
  return {
    type: "text",
    text,
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    ...(wire !== undefined && { wire }),
  };
}

function readOutputText(part: JsonObject, pointer: Pointer, place: Place, reader: Reader): TextPart | undefined {
  const { text } = part;
  if (typeof text !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, outputTextKeys);
  if (reader.response && Array.isArray(part["logprobs"]) && part["logprobs"].length === 0) {
    delete ledger.rest?.["logprobs"];
    spell(ledger, "logprobs", []);
  }
  if (textTypes[place] !== "output_text") spell(ledger, "type", "output_text");
  const citations = decodeAnnotations(ledger, part, pointer, reader);
  const { form } = ledger;
  const rest = ledger.rest !== undefined && Object.keys(ledger.rest).length > 0 ? ledger.rest : undefined;
  return {
    type: "text",
    text,
    ...(citations !== undefined && { citations }),
    wire:
      rest === undefined && form === undefined
        ? plainWire(protocol)
        : { protocol, ...(rest !== undefined && { rest }), ...(form !== undefined && { form }) },
  };
}

function readRefusal(part: JsonObject, reader: Reader): RefusalPart | undefined {
  const { refusal } = part;
  if (typeof refusal !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, refusalKeys);
  return { type: "refusal", text: refusal, wire: wireOf(ledger) ?? plainWire(protocol) };
}

/** Encodes one part as content, or reports why there is none. Calls and reasoning are items of their own. */
export function encodePart(part: Part, place: Place, writer: Writer): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return encodeText(part, place, writer);
    case "refusal":
      return encodeRefusal(part, place, writer);
    case "image":
      return encodeImage(part, place === "input", writer);
    case "document":
      return encodeDocument(part, writer);
    case "audio":
    case "video":
      return unsupportedMedia(writer.report, part, part.source, writer.target, protocol);
    case "thinking":
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

function encodeText(part: TextPart, place: Place, writer: Writer): JsonObject {
  const stated = formOf(part.wire, protocol, "type");
  const type = typeof stated === "string" ? stated : textTypes[place];
  const object: WireObject = { type, text: part.text };
  if (type === "output_text") {
    encodeMark(undefined, part, writer);
    const annotations = encodeCitations(part, writer);
    if (annotations.length > 0 || part.wire?.protocol !== protocol) object["annotations"] = annotations;
  } else {
    encodeMark(object, part, writer);
    for (const citation of part.citations ?? []) lose(writer.report, "citation.foreign", citation);
  }
  if (place !== "output" && part.phase !== undefined) lose(writer.report, "text.phase", part, "phase");
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object as JsonObject;
}

function encodeRefusal(part: RefusalPart, place: Place, writer: Writer): JsonObject {
  reportRefusalFields(part, writer);
  if (place === "output" || part.wire?.protocol === protocol) {
    const object: WireObject = { type: "refusal", refusal: part.text };
    restore(object, part.wire, protocol);
    writer.link?.(part, object);
    return object as JsonObject;
  }
  lose(writer.report, "refusal.text", part, "type", { values: { sent: "text" } });
  return { type: textTypes[place], text: part.text };
}

/** What a refusal loses wherever it is written. */
function reportRefusalFields(part: RefusalPart, writer: Writer): void {
  if (part.category !== undefined) lose(writer.report, "refusal.detail", part, "category");
  if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
}

/** True where the text can stand as a bare string: it carries nothing else that would be written. */
export function isBareText(part: Part): part is TextPart {
  return part.cacheBreakpoint === undefined && isBareButForMark(part);
}

/** The same for what the model said, which takes no cache mark: one that is lost changes nothing else. */
export function isBareButForMark(part: Part): part is TextPart {
  if (part.type !== "text" || part.citations !== undefined) return false;
  const { wire } = part;
  return wire === undefined || wire.protocol !== protocol || (wire.rest === undefined && isBareForm(wire.form));
}

/** A text that was a string has no spelling of its own. */
function isBareForm(form: { readonly [key: string]: Json } | undefined): boolean {
  return form === undefined || Object.keys(form).length === 0;
}
