import { issuedBy } from "../../../codec/issuer.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keep, keepOdd, keepUnknown, plainWire, spell, wireOf } from "../../../codec/ledger.ts";
import { entryOf } from "../../../codec/table.ts";
import type { Json, JsonObject, Part, Pointer, TextPart, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { decodePart } from "../parts/block.ts";
import { decodeCall } from "../parts/calls.ts";
import { itemState, itemType, readStatus } from "../parts/item.ts";
import { decodeReasoning } from "../parts/reasoning.ts";
import { decodeHostedCall } from "../parts/server-tools.ts";
import { outputMessageKeys } from "../wire.ts";

const protocol = "openai-responses";
const phases = ["commentary", "final_answer"] as const;

/** The parts of one item of what the model said. An item that is not known, or not of its documented form, is kept whole. */
export function decodeItem(value: Json, pointer: Pointer, reader: Reader): readonly Part[] {
  const parts = isJsonObject(value) ? readItem(value, pointer, reader) : undefined;
  if (parts !== undefined) return parts;
  const part: Part = {
    type: "opaque",
    protocol,
    ...(isSealed(value) && issuedBy(reader.provider)),
    slot: "item",
    value,
  };
  reader.trace.pointers.set(part, pointer);
  return [part];
}

/** True for an item with a payload that only its issuer can read, such as a compaction, or a reference to what it stores. */
function isSealed(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return typeof value["encrypted_content"] === "string" || value["type"] === "item_reference";
}

function readItem(item: JsonObject, pointer: Pointer, reader: Reader): readonly Part[] | undefined {
  if (isAssistantMessage(item)) return decodeMessage(item, pointer, reader);
  const part = item["type"] === "reasoning" ? decodeReasoning(item, reader) : decodeCall(item, reader);
  if (part === undefined) return decodeHostedCall(item, pointer, reader);
  reader.trace.pointers.set(part, pointer);
  return [part];
}

/** True for a message of the model whose content can be read. One without any is kept whole. */
export function isAssistantMessage({ type, role, content }: JsonObject): boolean {
  if ((type !== "message" && type !== undefined) || role !== "assistant") return false;
  return typeof content === "string" || (Array.isArray(content) && content.length > 0);
}

/** A message item: each of its contents is a part, and the first one carries what the item says itself. */
function decodeMessage(item: JsonObject, pointer: Pointer, reader: Reader): readonly Part[] {
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, outputMessageKeys);
  // In a request a role is enough to tell what an item is.
  if (item["type"] === undefined) spell(ledger, "type", reader.response ? "absent" : "omitted");
  readStatus(ledger, item);
  const state = itemState(item, ledger, reader);
  const parts = decodeContent(item["content"] as Json, pointer, ledger, reader);
  const phase = readPhase(item, parts, ledger);
  const isString = !Array.isArray(item["content"]);
  return parts.map((part, index) => {
    const own: Part = {
      ...part,
      ...(phase !== undefined && part.type === "text" && { phase }),
      ...(index === 0 && state !== undefined && { state }),
      wire: index === 0 ? opening(part, ledger) : joined(part),
    };
    if (isString) reader.trace.pointers.set(own, pointer, "content");
    else reader.trace.pointers.set(own, `${pointer}/content`, index);
    reader.trace.containers.set(own, pointer);
    if (parts.length > 1) reader.trace.shared.add(own);
    return own;
  });
}

function decodeContent(content: Json, pointer: Pointer, ledger: Ledger, reader: Reader): Part[] {
  if (Array.isArray(content))
    return content.map((part: Json, index) => decodePart(part, `${pointer}/content`, index, "output", reader));
  spell(ledger, "content", "string");
  return [{ type: "text", text: content as string }];
}

/** The phase stands on the texts; without one it is kept. */
function readPhase(item: JsonObject, parts: readonly Part[], ledger: Ledger): TextPart["phase"] {
  const { phase } = item;
  const found = phases.find((word) => word === phase);
  if (found !== undefined && parts.some((part) => part.type === "text")) return found;
  if (found === undefined) keepOdd(ledger, "phase", phase);
  else keep(ledger, "phase", found);
  return undefined;
}

function opening(part: Part, ledger: Ledger): WireForm {
  const own = part.wire ?? plainWire(protocol);
  const group = wireOf(ledger);
  if (group === undefined) return own;
  return {
    ...own,
    group: {
      ...(group.rest !== undefined && { rest: group.rest }),
      ...(group.form !== undefined && { form: group.form }),
    },
  };
}

function joined(part: Part): WireForm {
  return part.wire === undefined ? plainWire(protocol, true) : { ...part.wire, joined: true };
}

/** Items that are no part of a turn of the model. Everything else that is not known is one. */
const others: { readonly [type: string]: true } = {
  additional_tools: true,
  configuration_update: true,
};

/** True for items that stand among instructions where they are not understood. */
export const isInstructionItem = (item: Json): boolean =>
  isJsonObject(item) &&
  (entryOf(others, itemType(item)) === true || item["role"] === "system" || item["role"] === "developer");
