import { createLedger, keepUnknown, plainWire, readString, spell, wireOf } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import { DecodeError } from "../../../errors/index.ts";
import type { Json, JsonObject, Part, Pointer, SystemMessage, SystemPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { decodePart, encodePart } from "../parts/block.ts";
import { finishObject } from "../spelling.ts";
import { contentKeys } from "../wire.ts";
import { partsOf } from "./decode.ts";

const protocol = "gemini-generate-content";

/** The system instruction: a content whose role means nothing, or a text. */
export function decodeSystem(value: Json | undefined, pointer: Pointer, reader: Reader): SystemMessage | undefined {
  if (value === undefined || value === null) return undefined;
  const message = typeof value === "string" ? fromText(value, pointer, reader) : fromContent(value, pointer, reader);
  reader.trace.pointers.set(message, pointer);
  return message;
}

function fromText(text: string, pointer: Pointer, reader: Reader): SystemMessage {
  const part: SystemPart = { type: "text", text };
  reader.trace.pointers.set(part, pointer);
  return { role: "system", authority: "system", content: [part], wire: { protocol, form: { system: "string" } } };
}

function fromContent(value: Json, pointer: Pointer, reader: Reader): SystemMessage {
  if (!isJsonObject(value)) throw new DecodeError(pointer, `the system instruction at ${pointer} must be an object`);
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, value, contentKeys);
  const role = readString(ledger, value, "role");
  if (role !== undefined) spell(ledger, "role", role);
  if (value["parts"] === undefined) spell(ledger, "parts", "omitted");
  else if (isJsonObject(value["parts"])) spell(ledger, "parts", "object");
  else if (value["parts"] === null) spell(ledger, "parts", null);
  const { list, at } = partsOf(value, pointer);
  const content = list.map((part, index) => {
    const [place, item] = at(index);
    return decodePart(part, place, reader, item) as SystemPart;
  });
  return { role: "system", authority: "system", content, wire: wireOf(ledger) ?? plainWire(protocol) };
}

/** Writes an instruction as parts of the system instruction. */
export function encodeInstruction(message: SystemMessage, writer: Writer): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const part of message.content) {
    if ((part.type === "image" || part.type === "document") && !writer.faithful) {
      lose(writer.report, "instruction.media", part);
      continue;
    }
    const encoded = encodePart(part as Part, writer);
    if (encoded !== undefined) parts.push(encoded);
  }
  if (message.sections !== undefined && message.sections.length > 0) {
    lose(writer.report, "instruction.sections", message, "sections");
    for (const { text } of message.sections) if (text !== null && text !== "") parts.push({ text });
  }
  return parts;
}

/** The content of the system instruction, as its first message spells it; undefined where there is nothing to say. */
export function writeSystem(instructions: readonly SystemMessage[], writer: Writer): Json | undefined {
  const parts = instructions.flatMap((message) => {
    const encoded = encodeInstruction(message, writer);
    if (encoded.length === 0 && !writer.faithful) lose(writer.report, "turn.empty", message, "role");
    return encoded;
  });
  const [head] = instructions;
  const own = head?.wire?.protocol === protocol;
  if (head === undefined || (parts.length === 0 && !own)) return undefined;
  const only = parts[0];
  if (formOf(head.wire, protocol, "system") === "string" && parts.length === 1 && isOnlyText(only)) return only["text"];
  const object: WireObject = {};
  const form = formOf(head.wire, protocol, "parts");
  const role = formOf(head.wire, protocol, "role");
  if (typeof role === "string" && role !== "") object["role"] = role;
  if (form === "object" && parts.length === 1) object["parts"] = only;
  else if (parts.length > 0 || (form !== "omitted" && form !== null)) object["parts"] = parts;
  finishObject(object, head.wire);
  for (const message of instructions) writer.link?.(message, object);
  return object as JsonObject;
}

function isOnlyText(part: JsonObject | undefined): part is JsonObject & { readonly text: string } {
  return part !== undefined && typeof part["text"] === "string" && Object.keys(part).length === 1;
}
