import type { KnownKeys } from "../../../codec/ledger.ts";
import { createLedger, keepUnknown, knownKeys, wireOf } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, Part, Pointer, ThinkingPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader, Writer } from "../context.ts";

const protocol = "openai-chat";
export const plainTextKeys: KnownKeys = knownKeys("type", "text");
export const thinkingKeys: KnownKeys = knownKeys("type", "thinking");
/** The lengths of the texts that a part of the content had. */
const form = "texts";

/** True for a list of texts, in which some servers send their reasoning. */
export function isTextList(value: Json | undefined): value is readonly (JsonObject & { readonly text: string })[] {
  return (
    Array.isArray(value) &&
    value.every((item: Json) => isJsonObject(item) && item["type"] === "text" && typeof item["text"] === "string")
  );
}

/** Reasoning that stands as a part within the content (Mistral); undefined for any other part, and for one that says nothing. */
export function decodeThinking(value: Json, pointer: Pointer, reader: Reader, index: number): ThinkingPart | undefined {
  if (!isJsonObject(value) || value["type"] !== "thinking") return undefined;
  const texts = value["thinking"];
  if (!isTextList(texts) || texts.every(({ text }) => text === "")) return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, thinkingKeys);
  texts.forEach((text, at) => {
    keepUnknown(ledger, text, plainTextKeys, `thinking/${at}/`);
  });
  const part: ThinkingPart = {
    type: "thinking",
    thinking: texts.map(({ text }) => text).join(""),
    wire: { protocol, ...wireOf(ledger), form: { [form]: texts.map(({ text }) => text.length) } },
  };
  reader.trace.pointers.set(part, pointer, index);
  return part;
}

/** True for reasoning that stands in the content. */
export const isInContent = ({ wire }: Part): boolean => formOf(wire, protocol, form) !== undefined;

/** The part of the content again. Text that was changed is one. */
export function encodeThinking(part: ThinkingPart, writer: Writer): JsonObject {
  const lengths = formOf(part.wire, protocol, form) as readonly number[];
  const { thinking } = part;
  const isSame = lengths.reduce((sum, length) => sum + length, 0) === thinking.length;
  let start = 0;
  const texts = (isSame ? lengths : [thinking.length]).map((length) => {
    const text = thinking.slice(start, start + length);
    start += length;
    return { type: "text", text };
  });
  const object: WireObject = { type: "thinking", thinking: texts };
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object as JsonObject;
}
