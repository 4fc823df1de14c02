import { isBlank } from "../../../codec/content/blank.ts";
import { reportScope } from "../../../codec/content/instructions.ts";
import {
  createLedger,
  expectArray,
  keepOdd,
  keepUnknown,
  knownKeys,
  plainWire,
  spell,
  wireOf,
} from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type {
  Json,
  JsonObject,
  Part,
  Pointer,
  SystemMessage,
  SystemPart,
  Tool,
  ToolReference,
  WireForm,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { decodeBlock, decodeBlocks, encodeBlock } from "../parts/block.ts";
import { decodeCacheControl, encodeCacheControl } from "../parts/cache.ts";
import { decodeTool, encodeTool } from "../tools.ts";
import { markedChangeKeys, namedReferenceKeys, systemMessageKeys, toolChangeKeys } from "../wire.ts";

const protocol = "anthropic-messages";
const effortKeys = knownKeys("effort");

/** The top-level `system`: a string or text blocks. */
export function decodeSystem(value: Json | undefined, reader: Reader): SystemMessage | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    const part: SystemPart = { type: "text", text: value };
    reader.trace.pointers.set(part, "/system");
    const message: SystemMessage = {
      role: "system",
      authority: "system",
      content: [part],
      wire: { protocol, form: { system: "string" } },
    };
    reader.trace.pointers.set(message, "/system");
    return message;
  }
  const blocks = expectArray(value, "/system", "system");
  const message: SystemMessage = {
    role: "system",
    authority: "system",
    content: decodeBlocks(blocks, "/system", reader) as readonly Part[] as readonly SystemPart[],
    wire: blocks.length === 0 ? { protocol, form: { system: [] } } : plainWire(protocol),
  };
  reader.trace.pointers.set(message, "/system");
  return message;
}

/** A system message within the conversation (`leading`: with nothing before it): text, tools that are added and withdrawn, a change of effort. */
export function decodeSystemMessage(
  message: JsonObject,
  pointer: Pointer,
  reader: Reader,
  leading: boolean,
): SystemMessage {
  const ledger = createLedger(protocol);
  keepUnknown(ledger, message, systemMessageKeys);
  const { content, clear_at: clearAt, output_config: config } = message;
  const nextUserTurn = clearAt === "next_user_message";
  if (!nextUserTurn) keepOdd(ledger, "clear_at", clearAt);
  const effort = isJsonObject(config) && typeof config["effort"] === "string" ? config["effort"] : undefined;
  if (effort === undefined || !isJsonObject(config) || Object.keys(config).length > 1) {
    if (isJsonObject(config) && effort !== undefined) keepUnknown(ledger, config, effortKeys, "output_config/");
    else keepOdd(ledger, "output_config", config);
  }
  if (leading) spell(ledger, "place", "messages");
  const read = readChanges(content, pointer, reader);
  if (typeof content === "string") spell(ledger, "content", "string");
  else if (read.order !== undefined) spell(ledger, "blocks", read.order);
  const wire: WireForm = wireOf(ledger) ?? plainWire(protocol);
  const decoded: SystemMessage = {
    role: "system",
    authority: "system",
    content: read.parts,
    ...(read.added.length > 0 && { toolsAdded: read.added }),
    ...(read.removed.length > 0 && { toolsRemoved: read.removed }),
    ...(nextUserTurn && { lifetime: "nextUserTurn" as const }),
    ...(effort !== undefined && { effort }),
    wire,
  };
  reader.trace.pointers.set(decoded, pointer);
  return decoded;
}

interface Changes {
  readonly parts: SystemPart[];
  readonly added: Tool[];
  readonly removed: ToolReference[];
  /** The kinds of the blocks in order, where it is not parts, additions, withdrawals. */
  readonly order?: readonly string[];
}

function readChanges(content: Json | undefined, pointer: Pointer, reader: Reader): Changes {
  const place = `${pointer}/content`;
  if (typeof content === "string") {
    const part: SystemPart = { type: "text", text: content };
    reader.trace.pointers.set(part, place);
    return { parts: [part], added: [], removed: [] };
  }
  const parts: SystemPart[] = [];
  const added: Tool[] = [];
  const removed: ToolReference[] = [];
  const order = expectArray(content, place, "the content of a system message").map((block, index): string => {
    const at = `${place}/${index}`;
    const change = isJsonObject(block) ? readChange(block, at, reader) : undefined;
    if (change === undefined) {
      parts.push(decodeBlock(block, place, reader, index) as SystemPart);
      return "part";
    }
    if (change.kind === "part") parts.push(change.part);
    else if (change.kind === "added") added.push(change.tool);
    else removed.push(change.reference);
    return change.kind;
  });
  const usual = [...parts.map(() => "part"), ...added.map(() => "added"), ...removed.map(() => "removed")];
  const asUsual = order.every((kind, index) => kind === usual[index]);
  return { parts, added, removed, ...(!asUsual && { order }) };
}

type Change =
  | { readonly kind: "part"; readonly part: SystemPart }
  | { readonly kind: "added"; readonly tool: Tool }
  | { readonly kind: "removed"; readonly reference: ToolReference };

function readChange(block: JsonObject, pointer: Pointer, reader: Reader): Change | undefined {
  const { type, tool } = block;
  if ((type !== "tool_addition" && type !== "tool_removal") || !isJsonObject(tool)) return undefined;
  const isReference = tool["type"] === "tool_reference" && typeof tool["name"] === "string";
  const ledger = createLedger(protocol);
  const takesMark = type === "tool_addition" && isReference;
  keepUnknown(ledger, block, takesMark ? markedChangeKeys : toolChangeKeys);
  const cacheBreakpoint = takesMark ? decodeCacheControl(ledger, block) : undefined;
  if (isReference) keepUnknown(ledger, tool, namedReferenceKeys, "tool/");
  const wire = wireOf(ledger);
  if (type === "tool_removal") {
    if (!isReference) return undefined;
    const reference: ToolReference = { name: tool["name"] as string, ...(wire !== undefined && { wire }) };
    reader.trace.pointers.set(reference, pointer);
    return { kind: "removed", reference };
  }
  if (isReference) {
    const part: SystemPart = {
      type: "toolReference",
      name: tool["name"] as string,
      ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
      ...(wire !== undefined && { wire }),
    };
    reader.trace.pointers.set(part, pointer);
    return { kind: "part", part };
  }
  if (
    tool["type"] !== "tool_definition" ||
    !isJsonObject(tool["definition"]) ||
    Object.keys(tool).length !== 2 ||
    wire !== undefined
  )
    return undefined;
  return { kind: "added", tool: decodeTool(tool["definition"], `${pointer}/tool/definition`, reader) };
}

/** Writes an instruction as blocks for the top-level `system`. */
export function encodeInstruction(message: SystemMessage, writer: Writer): JsonObject[] {
  // As a string an instruction may be empty.
  const own = formOf(message.wire, protocol, "system") === "string" ? { ...writer, mends: !writer.faithful } : writer;
  const blocks = message.content.flatMap((part) => encodeInstructionPart(part, own));
  if (message.sections !== undefined && message.sections.length > 0) {
    lose(writer.report, "instruction.sections", message, "sections");
    for (const { text } of message.sections) if (text !== null && !isBlank(text)) blocks.push({ type: "text", text });
  }
  return blocks;
}

function encodeInstructionPart(part: SystemPart, writer: Writer): JsonObject[] {
  switch (part.type) {
    case "image":
    case "document":
      if (writer.faithful) break;
      lose(writer.report, "instruction.media", part);
      return [];
    case "toolReference":
      lose(writer.report, "tool.reference", part);
      return [];
    default:
      break;
  }
  const block = encodeBlock(part as Part, writer);
  return block === undefined ? [] : [block];
}

/** Writes a system message at its place in the conversation; undefined where nothing of it is left. */
export function encodeSystemMessage(message: SystemMessage, writer: Writer): JsonObject | undefined {
  const blocks = { part: [] as JsonObject[], added: [] as JsonObject[], removed: [] as JsonObject[] };
  for (const part of message.content) {
    if (part.type === "toolReference" && writer.target.toolChanges)
      blocks.part.push(change("tool_addition", { type: "tool_reference", name: part.name }, part, writer));
    else blocks.part.push(...encodeInstructionPart(part, writer));
  }
  for (const { text } of message.sections ?? [])
    if (text !== null && !isBlank(text)) blocks.part.push({ type: "text", text });
  if ((message.sections?.length ?? 0) > 0) lose(writer.report, "instruction.sections", message, "sections");
  reportScope(message, writer.report);
  if (!writer.target.toolChanges) return writeKept(message, blocks.part, writer);
  for (const tool of message.toolsAdded ?? []) {
    for (const declaration of encodeTool(tool, writer)) {
      blocks.added.push({ type: "tool_addition", tool: { type: "tool_definition", definition: declaration } });
    }
  }
  for (const tool of message.toolsRemoved ?? []) {
    blocks.removed.push(change("tool_removal", { type: "tool_reference", name: tool.name }, tool, writer));
  }
  return finishSystem(message, ordered(message, blocks), writer);
}

/** Toward another protocol tools are declared with the request; only text stays within the conversation. */
function writeKept(message: SystemMessage, blocks: readonly JsonObject[], writer: Writer): JsonObject | undefined {
  if (blocks.length > 0) return finishSystem(message, blocks, writer);
  lose(writer.report, "turn.empty", message, "role");
  if (message.effort !== undefined) lose(writer.report, "instruction.effort", message, "effort");
  return undefined;
}

function finishSystem(message: SystemMessage, content: Json, writer: Writer): JsonObject {
  const object: WireObject = { role: "system", content };
  if (message.lifetime === "nextUserTurn") object["clear_at"] = "next_user_message";
  else if (message.lifetime !== undefined && message.lifetime !== "always")
    lose(writer.report, "instruction.lifetime", message, "lifetime");
  if (message.effort !== undefined) object["output_config"] = { effort: message.effort };
  restore(object, message.wire, protocol);
  writer.link?.(message, object);
  return object as JsonObject;
}

function change(type: string, tool: JsonObject, node: ToolReference | SystemPart, writer: Writer): JsonObject {
  const object: WireObject = { type, tool: { ...tool } };
  if ("type" in node) encodeCacheControl(object, node, node, writer);
  restore(object, node.wire, protocol);
  writer.link?.(node, object);
  return object as JsonObject;
}

function ordered(
  message: SystemMessage,
  blocks: { part: JsonObject[]; added: JsonObject[]; removed: JsonObject[] },
): Json {
  const form = message.wire?.protocol === protocol ? message.wire.form : undefined;
  const only = message.content[0];
  const { part, added, removed } = blocks;
  const texts = message.content.length === 1 && message.sections === undefined && added.length + removed.length === 0;
  if (form?.["content"] === "string" && texts && only?.type === "text" && Object.keys(part[0] ?? {}).length === 2)
    return only.text;
  const order = form?.["blocks"];
  if (Array.isArray(order) && order.length === part.length + added.length + removed.length) {
    const queues: { [kind: string]: JsonObject[] } = { part: [...part], added: [...added], removed: [...removed] };
    const sorted = order.map((kind: Json) => entryOf(queues, kind)?.shift());
    if (sorted.every((block) => block !== undefined)) return sorted as Json[];
  }
  return [...part, ...added, ...removed];
}
