import { continueText, reportScope } from "../../../codec/content/instructions.ts";
import { isAnswered, pairResults } from "../../../codec/pairing.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, Message, Part, SystemMessage, UserMessage } from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { encodePart, isBareText } from "../parts/block.ts";
import { writeItemId, writeStatus } from "../parts/item.ts";
import { encodeResult } from "../parts/results.ts";
import { encodeTool } from "../tools.ts";
import { encodeItems, isOfModel } from "./items.ts";

const protocol = "openai-responses";

/** True where the message is the top-level instruction, as it was or as it can be: one text of the operator before all else. */
export function isInstructions(message: Message | undefined, writer: Writer): message is SystemMessage {
  if (message?.role !== "system") return false;
  if (message.wire?.protocol === protocol && writer.faithful)
    return formOf(message.wire, protocol, "instructions") === true && isPlain(message);
  return !writer.faithful && message.authority === "system" && isPlain(message);
}

function isPlain({ content, sections, effort }: SystemMessage): boolean {
  const [only] = content;
  const isOne = content.length === 1 && only !== undefined && isBareText(only) && only.phase === undefined;
  return isOne && (sections?.length ?? 0) === 0 && effort === undefined;
}

/** The text of the top-level instruction. */
export function encodeInstructions(message: SystemMessage, writer: Writer): string {
  reportLimits(message, writer);
  const [only] = message.content;
  return only?.type === "text" ? only.text : "";
}

function reportLimits(message: SystemMessage, writer: Writer): void {
  reportScope(message, writer.report);
  if (message.lifetime !== undefined && message.lifetime !== "always")
    lose(writer.report, "instruction.lifetime", message, "lifetime");
}

/** Puts results behind their calls. Those of this protocol may stand anywhere behind them, and calls in what the service has stored. */
export function inPairs(messages: readonly Message[], { faithful, mends, stored, report }: Writer): readonly Message[] {
  return faithful && (!mends || stored || isAnswered(messages)) ? messages : pairResults(messages, report);
}

/** Encodes a history as items. `sent` are the tools that are declared among the turns. */
export function encodeInput(messages: readonly Message[], sent: ReadonlySet<object>, writer: Writer): JsonObject[] {
  const items: JsonObject[] = [];
  let before: Message | undefined;
  for (const message of messages) {
    // What the model said is one turn, however often it spoke.
    if (message.role === "assistant" && before?.role === "assistant")
      lose(writer.report, "turn.merged", message, "role");
    before = message;
    const own = encodeMessage(message, sent, writer);
    if (message.role === "assistant" && own.length === 0 && !writer.faithful) {
      const isEmpty = message.content.length === 0;
      lose(writer.report, isEmpty ? "turn.empty" : "message.dropped", message, isEmpty ? "role" : "container");
    }
    items.push(...own);
    // What is said of a message is said of its first item.
    if (own[0] !== undefined) writer.link?.(message, own[0]);
  }
  return items;
}

/** Completes what the API demands of all items. `last` is the message that was written last. */
export function completeInput(items: JsonObject[], last: Message | undefined, writer: Writer): JsonObject[] {
  const output = writer.mends ? withoutDangling(items, writer) : items;
  if (!writer.faithful && last?.role === "assistant" && output.length > 0) completePrefill(last, output, writer);
  return output;
}

/** Leaves out reasoning that led to nothing, which the API refuses. */
function withoutDangling(items: readonly JsonObject[], writer: Writer): JsonObject[] {
  const kept: JsonObject[] = [];
  let leads = false;
  for (const item of items.toReversed()) {
    if (item["type"] === "reasoning" && !leads) {
      lose(writer.report, "reasoning.dangling", writer.reasoning.get(item), "", { values: { to: protocol } });
      continue;
    }
    leads = isOfModel(item);
    kept.push(item);
  }
  return kept.reverse();
}

/** A started answer: followed by a user turn where the server cannot go on with it. */
function completePrefill(message: Message, output: JsonObject[], writer: Writer): void {
  const { prefill } = writer.target;
  if (prefill === undefined) lose(writer.report, "profile.unverified", message, "role");
  if (prefill !== false) return;
  lose(writer.report, "turn.prefill", message, "role");
  output.push({ role: "user", content: continueText });
}

function encodeMessage(message: Message, sent: ReadonlySet<object>, writer: Writer): readonly JsonObject[] {
  switch (message.role) {
    case "system":
      return encodeSystem(message, sent, writer);
    case "user":
      return encodeUser(message, writer);
    case "assistant":
      return encodeItems(message, writer);
    case "toolResult":
      return [encodeResult(message, writer)];
  }
}

const roles = { system: "system", developer: "developer", user: "user", guideline: "user" } as const;

/** An instruction, the tools that it adds, and the effort from then on are items of their own. */
function encodeSystem(message: SystemMessage, sent: ReadonlySet<object>, writer: Writer): JsonObject[] {
  reportLimits(message, writer);
  const items: JsonObject[] = [];
  const said = encodeInstruction(message, writer);
  items.push(...said);
  const tools = (message.toolsAdded ?? []).filter((tool) => sent.has(tool));
  if (tools.length > 0) {
    const declared = tools.flatMap((tool) => encodeTool(tool, writer));
    if (declared.length > 0)
      items.push(finish({ type: "additional_tools", role: "developer", tools: declared }, message, items, writer));
  }
  if (message.effort !== undefined) {
    if (writer.target.toolChanges) {
      const object: WireObject = { type: "configuration_update", reasoning: { effort: message.effort } };
      items.push(finish(object, message, items, writer));
    } else {
      lose(writer.report, "instruction.effort", message, "effort");
      const rest = message.wire?.protocol === protocol && items.length === 0 ? (message.wire.rest ?? {}) : {};
      loseResidue(writer.report, message, rest, Object.keys(rest));
    }
  }
  return items;
}

/** The first item of a message has its id, status and residue. */
function finish(object: WireObject, message: Message, before: readonly JsonObject[], writer: Writer): JsonObject {
  if (before.length > 0) return object as JsonObject;
  writeItemId(object, message, "msg", writer, false);
  writeStatus(object, message);
  restore(object, message.wire, protocol);
  return object as JsonObject;
}

function encodeInstruction(message: SystemMessage, writer: Writer): JsonObject[] {
  const parts: Part[] = [];
  const kept: JsonObject[] = [];
  for (const part of message.content) {
    if (part.type === "toolReference") lose(writer.report, "tool.reference", part);
    else if (part.type === "opaque" && part.slot === "item" && part.protocol === protocol)
      kept.push(part.value as JsonObject);
    else parts.push(part);
  }
  const texts = (message.sections ?? []).flatMap(({ text }): Part[] =>
    text === null || text === "" ? [] : [{ type: "text", text }],
  );
  if ((message.sections?.length ?? 0) > 0) lose(writer.report, "instruction.sections", message, "sections");
  parts.push(...texts);
  const isHome = message.toolsAdded !== undefined || message.toolsRemoved !== undefined || message.effort !== undefined;
  // The home of tools without text is no message of its own, and neither is an item that is kept whole.
  const isEmptyItem = Array.isArray(formOf(message.wire, protocol, "content"));
  if (parts.length === 0 && !isEmptyItem && (isHome || kept.length > 0 || !writer.faithful)) {
    if (kept.length === 0 && message.content.length > 0 && !isHome)
      lose(writer.report, "message.dropped", message, "container");
    return kept;
  }
  let role: string = roles[message.authority];
  if (role === "developer" && !writer.target.developerRole) {
    lose(writer.report, "instruction.authority", message, "role", {
      values: { authority: "developer", sent: "system" },
    });
    role = "system";
  }
  if (message.authority === "guideline") lose(writer.report, "instruction.lowered", message, "role");
  const content = encodeContent(parts, message, writer);
  if (isGone(content, message.content, message, writer)) return kept;
  return [...kept, messageItem(role, content, message, kept, writer)];
}

/** True for a message of another protocol of which nothing was left; that is reported for the message itself. */
function isGone(content: Json, parts: readonly Part[], message: Message, writer: Writer): boolean {
  if (writer.faithful || !Array.isArray(content) || content.length > 0 || parts.length === 0) return false;
  lose(writer.report, "message.dropped", message, "container");
  return true;
}

function messageItem(
  role: string,
  content: Json,
  message: Message,
  before: readonly JsonObject[],
  writer: Writer,
): JsonObject {
  const isTyped = formOf(message.wire, protocol, "type") === "message";
  const object: WireObject = { ...(isTyped && { type: "message" }), role, content };
  return finish(object, message, before, writer);
}

function encodeUser(message: UserMessage, writer: Writer): readonly JsonObject[] {
  if (message.content.length === 0 && !writer.faithful) {
    lose(writer.report, "turn.empty", message, "role");
    return [];
  }
  const content = encodeContent(message.content, message, writer);
  if (isGone(content, message.content, message, writer)) return [];
  if (message.name !== undefined) lose(writer.report, "message.name", message, "name");
  return [messageItem("user", content, message, [], writer)];
}

/** Content as a string where it is one bare text, else as parts. */
function encodeContent(parts: readonly Part[], message: Message, writer: Writer): Json {
  const only = parts[0];
  const array = formOf(message.wire, protocol, "content") === "array";
  if (parts.length === 1 && only !== undefined && !array && isBareText(only)) {
    if (only.phase !== undefined) lose(writer.report, "text.phase", only, "phase");
    return only.text;
  }
  const encoded = parts.map((part) => encodePart(part, "input", writer)).filter((part) => part !== undefined);
  return encoded;
}
