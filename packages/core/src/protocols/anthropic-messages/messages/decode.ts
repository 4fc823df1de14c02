import type { DecodeProgress } from "../../../codec/course.ts";
import { keepDecoded } from "../../../codec/course.ts";
import { resolveCallId, startTurn } from "../../../codec/identity/call-ids.ts";
import type { Ledger, Open } from "../../../codec/ledger.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keepOdd,
  keepUnknown,
  plainWire,
  readBoolean,
  spell,
  wireOf,
} from "../../../codec/ledger.ts";
import { DecodeError } from "../../../errors/index.ts";
import type { Form, Json, JsonObject, Message, Part, Pointer, ToolResultMessage, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { copyReader } from "../context.ts";
import { decodeBlock, decodeBlocks } from "../parts/block.ts";
import { decodeCacheControl } from "../parts/cache.ts";
import { messageKeys, toolResultKeys } from "../wire.ts";
import { decodeSystemMessage } from "./system.ts";

const protocol = "anthropic-messages";

/** Content that was one string, without other residue. */
const stringContent: WireForm = Object.freeze({
  protocol,
  group: Object.freeze({ form: Object.freeze({ content: "string" }) }),
});

export function decodeMessages(
  value: Json | undefined,
  reader: Reader,
  messages: Message[],
  progress: DecodeProgress | undefined,
): void {
  const items = expectArray(value, "/messages", "messages");
  for (let index = progress?.from?.items ?? 0; index < items.length; index++) {
    keepDecoded(progress, index, messages, () => copyReader(reader));
    decodeMessage(items[index] as Json, `/messages/${index}`, reader, messages);
  }
  keepDecoded(progress, items.length, messages, () => copyReader(reader));
}

function decodeMessage(item: Json, pointer: Pointer, reader: Reader, messages: Message[]): void {
  const message = expectObject(item, pointer, "a message");
  switch (message["role"]) {
    case "user":
      decodeUser(message, pointer, reader, messages);
      return;
    case "assistant":
      decodeAssistant(message, pointer, reader, messages);
      return;
    case "system":
      messages.push(decodeSystemMessage(message, pointer, reader, messages.length === 0));
      return;
    default:
      throw new DecodeError(
        `${pointer}/role`,
        `a message has the role "user", "assistant" or "system" (at ${pointer}/role)`,
      );
  }
}

/** The wire form of the first node of a message: its residue goes to `group`. */
function containerWire(message: JsonObject): WireForm {
  if (hasOnlyKnownKeys(message)) return typeof message["content"] === "string" ? stringContent : plainWire(protocol);
  const ledger = createLedger(protocol);
  keepUnknown(ledger, message, messageKeys);
  if (typeof message["content"] === "string") spell(ledger, "content", "string");
  const wire = wireOf(ledger);
  if (wire === undefined) return plainWire(protocol);
  return {
    protocol,
    group: { ...(wire.rest !== undefined && { rest: wire.rest }), ...(wire.form !== undefined && { form: wire.form }) },
  };
}

function hasOnlyKnownKeys(message: JsonObject): boolean {
  for (const key in message) if (messageKeys[key] === undefined) return false;
  return true;
}

function contentOf(message: JsonObject, pointer: Pointer): string | readonly Json[] {
  const { content } = message;
  if (typeof content === "string") return content;
  return expectArray(content, `${pointer}/content`, "the content of a message");
}

function textPart(text: string, pointer: Pointer, reader: Reader): Part {
  const part: Part = { type: "text", text };
  reader.trace.pointers.set(part, pointer);
  return part;
}

function decodeAssistant(message: JsonObject, pointer: Pointer, reader: Reader, messages: Message[]): void {
  startTurn(reader.callIds);
  const content = contentOf(message, pointer);
  const place = `${pointer}/content`;
  const turn: Message = {
    role: "assistant",
    content: typeof content === "string" ? [textPart(content, place, reader)] : decodeBlocks(content, place, reader),
    wire: containerWire(message),
  };
  reader.trace.pointers.set(turn, pointer);
  messages.push(turn);
}

/** A user turn holds results and what the user says; each result is a message of its own, what stands between them another. */
function decodeUser(message: JsonObject, pointer: Pointer, reader: Reader, messages: Message[]): void {
  const content = contentOf(message, pointer);
  const place = `${pointer}/content`;
  const wire = containerWire(message);
  if (typeof content === "string" || !content.some(isResult)) {
    const said =
      typeof content === "string" ? [textPart(content, place, reader)] : decodeBlocks(content, place, reader);
    add({ role: "user", content: said, wire }, pointer, undefined, pointer, undefined, reader, messages);
    return;
  }
  let opener: Message | undefined;
  let said: Part[] | undefined;
  for (let index = 0; index < content.length; index++) {
    const block = content[index] as Json;
    const result = decodeToolResult(block, place, index, reader, index === 0 ? wire : undefined);
    if (result !== undefined) {
      said = undefined;
      opener = add(result, place, index, pointer, opener, reader, messages);
    } else if (said === undefined) {
      said = [decodeBlock(block, place, reader, index)];
      const own = index === 0 ? wire : plainWire(protocol, true);
      opener = add({ role: "user", content: said, wire: own }, place, index, pointer, opener, reader, messages);
    } else said.push(decodeBlock(block, place, reader, index));
  }
}

const isResult = (block: Json): boolean => isJsonObject(block) && block["type"] === "tool_result";

/** Adds a node of the container at `container`, where it is an item of `pointer`; gives the node that opened it, which is the first one. */
function add(
  node: Message,
  pointer: Pointer,
  index: number | undefined,
  container: Pointer,
  opener: Message | undefined,
  reader: Reader,
  messages: Message[],
): Message {
  reader.trace.pointers.set(node, pointer, index);
  messages.push(node);
  if (opener === undefined) reader.trace.containers.set(node, container);
  else reader.trace.shared.add(opener);
  return opener ?? node;
}

/** `container` is the wire form of the message, for the node that opens it. */
function decodeToolResult(
  value: Json,
  list: Pointer,
  index: number,
  reader: Reader,
  container: WireForm | undefined,
): ToolResultMessage | undefined {
  if (!isJsonObject(value) || value["type"] !== "tool_result") return undefined;
  const { tool_use_id: id, content, is_error: isError } = value;
  if (typeof id !== "string") return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, toolResultKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, value);
  readBoolean(ledger, value, "is_error");
  let parts: readonly Part[] = [];
  if (typeof content === "string") {
    spell(ledger, "content", "string");
    parts = [textPart(content, `${list}/${index}/content`, reader)];
  } else if (Array.isArray(content)) {
    if (content.length === 0) spell(ledger, "content", []);
    parts = decodeBlocks(content, `${list}/${index}/content`, reader);
  } else keepOdd(ledger, "content", content);
  const result: Open<ToolResultMessage> = {
    role: "toolResult",
    toolCallId: resolveCallId(reader.callIds, id),
    content: parts,
    isError: isError === true,
    wire: resultWire(ledger, isError === false, container),
  };
  if (cacheBreakpoint !== undefined) result.cacheBreakpoint = cacheBreakpoint;
  return result;
}

/** What most results say: that they are no error. Two constants hold it for all of them. */
const successForm: Form = Object.freeze({ is_error: false });
const success: WireForm = Object.freeze({ protocol, form: successForm });
const joinedSuccess: WireForm = Object.freeze({ protocol, form: successForm, joined: true });

/** A result that opens its container carries the residue of that too; any other is joined. */
function resultWire({ rest, form }: Ledger, isSuccess: boolean, container: WireForm | undefined): WireForm {
  const joined = container === undefined;
  if (rest === undefined && form === undefined && container?.group === undefined) {
    return isSuccess ? (joined ? joinedSuccess : success) : plainWire(protocol, joined);
  }
  const wire: Open<WireForm> = { protocol };
  if (rest !== undefined) wire.rest = rest;
  if (isSuccess || form !== undefined) wire.form = isSuccess ? { ...successForm, ...form } : (form as Form);
  if (joined) wire.joined = true;
  else if (container.group !== undefined) wire.group = container.group;
  return wire;
}
