import { resolveCallId, startTurn } from "../../../codec/identity/call-ids.ts";
import type { Open } from "../../../codec/ledger.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keepUnknown,
  plainWire,
  readBoolean,
  spell,
  wireOf,
} from "../../../codec/ledger.ts";
import { DecodeError } from "../../../errors/index.ts";
import type { Json, JsonObject, Message, Part, Pointer, ToolResultMessage, WireForm } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { decodeBlock } from "../parts/block.ts";
import { decodeCacheControl } from "../parts/cache.ts";
import { messageKeys, toolResultKeys } from "../wire.ts";
import { decodeSystemMessage } from "./system.ts";

const protocol = "anthropic-messages";

/** Content that was one string, without other residue. */
const stringContent: WireForm = Object.freeze({
  protocol,
  group: Object.freeze({ form: Object.freeze({ content: "string" }) }),
});

export function decodeMessages(value: Json | undefined, reader: Reader, messages: Message[]): void {
  expectArray(value, "/messages", "messages").forEach((item, index) => {
    const pointer = `/messages/${index}`;
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
  });
}

/** The wire form of the first node of a message: its residue goes to `group`. */
function containerWire(message: JsonObject): WireForm {
  if (typeof message["content"] === "string" && hasOnlyKnownKeys(message)) return stringContent;
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
    content:
      typeof content === "string"
        ? [textPart(content, place, reader)]
        : content.map((block, index) => decodeBlock(block, `${place}/${index}`, reader)),
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
  let opener: Message | undefined;
  const add = (node: Message, at: Pointer): void => {
    reader.trace.pointers.set(node, at);
    if (opener === undefined) {
      opener = node;
      reader.trace.containers.set(node, pointer);
    } else reader.trace.shared.add(opener);
    messages.push(node);
  };
  if (typeof content === "string") {
    add({ role: "user", content: [textPart(content, place, reader)], wire }, pointer);
    return;
  }
  if (!content.some((block) => isJsonObject(block) && block["type"] === "tool_result")) {
    add(
      { role: "user", content: content.map((block, index) => decodeBlock(block, `${place}/${index}`, reader)), wire },
      pointer,
    );
    return;
  }
  let parts: Part[] = [];
  const flush = (end: number): void => {
    if (parts.length === 0) return;
    const start = end - parts.length;
    add({ role: "user", content: parts, wire: start === 0 ? wire : plainWire(protocol, true) }, `${place}/${start}`);
    parts = [];
  };
  content.forEach((block, index) => {
    const at = `${place}/${index}`;
    const result = decodeToolResult(block, at, reader, index === 0 ? wire : undefined);
    if (result === undefined) parts.push(decodeBlock(block, at, reader));
    else {
      flush(index);
      add(result, at);
    }
  });
  flush(content.length);
}

/** `container` is the wire form of the message, for the node that opens it. */
function decodeToolResult(
  value: Json,
  pointer: Pointer,
  reader: Reader,
  container: WireForm | undefined,
): ToolResultMessage | undefined {
  if (!isJsonObject(value) || value["type"] !== "tool_result") return undefined;
  const { tool_use_id: id, content, is_error: isError } = value;
  if (typeof id !== "string" || !(content === undefined || typeof content === "string" || Array.isArray(content)))
    return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, toolResultKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, value);
  readBoolean(ledger, value, "is_error");
  if (isError === false) spell(ledger, "is_error", false);
  let parts: readonly Part[] = [];
  if (typeof content === "string") {
    spell(ledger, "content", "string");
    parts = [textPart(content, `${pointer}/content`, reader)];
  } else if (Array.isArray(content)) {
    if (content.length === 0) spell(ledger, "content", []);
    parts = content.map((block: Json, index) => decodeBlock(block, `${pointer}/content/${index}`, reader));
  }
  const result: Open<ToolResultMessage> = {
    role: "toolResult",
    toolCallId: resolveCallId(reader.callIds, id),
    content: parts,
    isError: isError === true,
    wire: resultWire(wireOf(ledger), container),
  };
  if (cacheBreakpoint !== undefined) result.cacheBreakpoint = cacheBreakpoint;
  return result;
}

/** A result that opens its container carries the residue of that too; any other is joined. */
function resultWire(own: WireForm | undefined, container: WireForm | undefined): WireForm {
  if (own === undefined && container?.group === undefined) return plainWire(protocol, container === undefined);
  const wire: Open<WireForm> = { protocol };
  if (own?.rest !== undefined) wire.rest = own.rest;
  if (own?.form !== undefined) wire.form = own.form;
  if (container === undefined) wire.joined = true;
  else if (container.group !== undefined) wire.group = container.group;
  return wire;
}
