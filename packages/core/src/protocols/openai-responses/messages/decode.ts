import type { DecodeProgress } from "../../../codec/course.ts";
import { decodedBefore, keepDecoded } from "../../../codec/course.ts";
import { startTurn } from "../../../codec/identity/call-ids.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, describe, keepOdd, keepUnknown, plainWire, spell, wireOf } from "../../../codec/ledger.ts";
import { DecodeError } from "../../../errors/index.ts";
import type {
  Json,
  JsonObject,
  Message,
  Part,
  Pointer,
  SystemMessage,
  SystemPart,
  Tool,
  UserMessage,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { copyReader } from "../context.ts";
import { decodePart } from "../parts/block.ts";
import { itemState, readStatus } from "../parts/item.ts";
import { decodeResult } from "../parts/results.ts";
import { efforts } from "../settings/decode.ts";
import { decodeTool } from "../tools.ts";
import { configurationKeys, effortKeys, messageKeys, toolsItemKeys } from "../wire.ts";
import { decodeItem, isInstructionItem } from "./turn.ts";

const protocol = "openai-responses";

/** The top-level `instructions`. */
export function decodeInstructions(value: Json | undefined, ledger: Ledger, reader: Reader): SystemMessage | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") {
    if (value !== null)
      throw new DecodeError("/instructions", `instructions at /instructions must be a string, not ${describe(value)}`);
    spell(ledger, "instructions", null);
    return undefined;
  }
  const part: SystemPart = { type: "text", text: value };
  const message: SystemMessage = {
    role: "system",
    authority: "system",
    content: [part],
    wire: { protocol, form: { instructions: true } },
  };
  reader.trace.pointers.set(part, "/instructions");
  reader.trace.pointers.set(message, "/instructions");
  return message;
}

/** What stands before the input. */
export interface Head {
  readonly instructions?: SystemMessage | undefined;
  readonly tools: readonly Tool[];
}

/** The input: a text of the user, or items. All items of the model between two others are one turn. */
export function decodeInput(
  value: Json | undefined,
  ledger: Ledger,
  reader: Reader,
  head: Head,
  progress?: DecodeProgress,
): Message[] {
  if (value === undefined || value === null) {
    spell(ledger, "input", value === null ? null : "omitted");
    return withHead([], head, reader);
  }
  if (typeof value === "string") {
    spell(ledger, "input", "string");
    const part: Part = { type: "text", text: value };
    const message: UserMessage = { role: "user", content: [part], wire: plainWire(protocol) };
    reader.trace.pointers.set(part, "/input");
    reader.trace.pointers.set(message, "/input");
    return withHead([message], head, reader);
  }
  if (!Array.isArray(value))
    throw new DecodeError("/input", `input at /input must be a string or an array, not ${describe(value)}`);
  if (value.length === 0) spell(ledger, "input", []);
  return decodeItems(value as readonly Json[], reader, head, progress);
}

/** Tools ride on the first message: the leading instruction, or a synthetic one without text. */
function withHead(said: readonly Message[], { instructions, tools }: Head, reader: Reader): Message[] {
  const messages = instructions === undefined ? [...said] : [instructions, ...said];
  if (tools.length === 0) return messages;
  const first = messages[0];
  // An item that adds tools itself has its place among the turns.
  if (first?.role !== "system" || first.toolsAdded !== undefined)
    return [{ role: "system", authority: "system", content: [], toolsAdded: tools }, ...messages];
  const home: SystemMessage = { ...first, toolsAdded: tools };
  reader.trace.pointers.set(home, first === instructions ? "/instructions" : "/input/0");
  messages[0] = home;
  return messages;
}

function decodeItems(
  items: readonly Json[],
  reader: Reader,
  head: Head,
  progress: DecodeProgress | undefined,
): Message[] {
  const before = progress?.from;
  let messages: Message[] = decodedBefore(progress);
  let open: Part[] | undefined;
  // The head waits for the first item, on which tools may ride.
  let isHeaded = before !== undefined;
  for (let index = before?.items ?? 0; index < items.length; index++) {
    if (index > 0 && !isHeaded) {
      messages = withHead(messages, head, reader);
      isHeaded = true;
    }
    if (open === undefined) keepDecoded(progress, index, messages, () => copyReader(reader));
    const item = items[index] as Json;
    const pointer = `/input/${index}`;
    if (!isJsonObject(item))
      throw new DecodeError(pointer, `an item at ${pointer} must be an object, not ${describe(item)}`);
    const message = decodeMessageItem(item, pointer, reader);
    if (message !== undefined) {
      open = undefined;
      reader.trace.pointers.set(message, pointer);
      messages.push(message);
      continue;
    }
    if (open === undefined) {
      startTurn(reader.callIds);
      open = [];
      const turn: Message = { role: "assistant", content: open, wire: plainWire(protocol) };
      reader.trace.pointers.set(turn, pointer);
      messages.push(turn);
    }
    open.push(...decodeItem(item, pointer, reader));
  }
  if (!isHeaded) messages = withHead(messages, head, reader);
  if (open === undefined) keepDecoded(progress, items.length, messages, () => copyReader(reader));
  return messages;
}

/** A message of its own; undefined for an item of the model. */
function decodeMessageItem(item: JsonObject, pointer: Pointer, reader: Reader): Message | undefined {
  const { type } = item;
  if (type === "message" || type === undefined || type === null) return decodeMessage(item, pointer, reader);
  if (type === "additional_tools") return decodeTools(item, pointer, reader) ?? keptItem(item, pointer, reader);
  if (type === "configuration_update") return decodeConfiguration(item, reader) ?? keptItem(item, pointer, reader);
  return decodeResult(item, pointer, reader);
}

function decodeMessage(item: JsonObject, pointer: Pointer, reader: Reader): Message | undefined {
  const { role, content } = item;
  if (role === "assistant") return undefined;
  if (role !== "user" && role !== "system" && role !== "developer") {
    // Without a type and a role it is the reference to an item, which has an id and maybe no more.
    if (item["type"] === "message" || (role === undefined && typeof item["id"] === "string")) return undefined;
    throw new DecodeError(
      `${pointer}/role`,
      `an item has a type, or the role "user", "assistant", "system" or "developer" (at ${pointer})`,
    );
  }
  if (typeof content !== "string" && !Array.isArray(content)) {
    const place = `${pointer}/content`;
    throw new DecodeError(place, `content at ${place} must be a string or an array, not ${describe(content)}`);
  }
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, messageKeys);
  if (item["type"] === "message") spell(ledger, "type", "message");
  else keepOdd(ledger, "type", item["type"]);
  readStatus(ledger, item);
  const state = itemState(item, ledger, reader);
  const parts = decodeContent(content, pointer, ledger, reader);
  const common = { ...(state !== undefined && { state }), wire: wireOf(ledger) ?? plainWire(protocol) };
  if (role === "user") return { role, content: parts, ...common };
  return { role: "system", authority: role, content: parts as readonly SystemPart[], ...common };
}

/** Content as parts. One bare text is a string on the wire unless the form says otherwise. */
function decodeContent(content: Json, pointer: Pointer, ledger: Ledger, reader: Reader): readonly Part[] {
  if (typeof content === "string") {
    const part: Part = { type: "text", text: content };
    reader.trace.pointers.set(part, pointer, "content");
    return [part];
  }
  const list = content as readonly Json[];
  const parts = list.map((part, index) => decodePart(part, `${pointer}/content`, index, "input", reader));
  if (parts.length === 0) spell(ledger, "content", []);
  else if (parts.length === 1 && parts[0]?.type === "text") spell(ledger, "content", "array");
  return parts;
}

/** Tools that are added among the turns. */
function decodeTools(item: JsonObject, pointer: Pointer, reader: Reader): SystemMessage | undefined {
  const { tools, role } = item;
  if (!Array.isArray(tools) || tools.length === 0 || !tools.every(isJsonObject) || role !== "developer")
    return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, toolsItemKeys);
  readStatus(ledger, item);
  // Before all else they would be taken for those of the request.
  if (pointer === "/input/0") spell(ledger, "tools", "item");
  const state = itemState(item, ledger, reader);
  return {
    role: "system",
    authority: "developer",
    content: [],
    toolsAdded: tools.map((tool: Json, index) => decodeTool(tool, `${pointer}/tools/${index}`, reader)),
    ...(state !== undefined && { state }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

/** A change of effort from here on. Other changes are kept as they are. */
function decodeConfiguration(item: JsonObject, reader: Reader): SystemMessage | undefined {
  const { reasoning } = item;
  const effort = isJsonObject(reasoning) ? efforts.find((word) => word === reasoning["effort"]) : undefined;
  if (effort === undefined || !isJsonObject(reasoning)) return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, configurationKeys);
  keepUnknown(ledger, reasoning, effortKeys, "reasoning/");
  const state = itemState(item, ledger, reader);
  return {
    role: "system",
    authority: "developer",
    content: [],
    effort,
    ...(state !== undefined && { state }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

/** An item of the operator that is kept whole. */
function keptItem(item: JsonObject, pointer: Pointer, reader: Reader): SystemMessage | undefined {
  if (!isInstructionItem(item)) return undefined;
  const part: SystemPart = { type: "opaque", protocol, slot: "item", value: item };
  reader.trace.pointers.set(part, pointer);
  return { role: "system", authority: "developer", content: [part], wire: plainWire(protocol) };
}
