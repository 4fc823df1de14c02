import type { DecodeProgress } from "../../../codec/course.ts";
import { decodedBefore, keepDecoded } from "../../../codec/course.ts";
import { resolveCallId, startTurn } from "../../../codec/identity/call-ids.ts";
import type { Ledger, Open } from "../../../codec/ledger.ts";
import {
  createLedger,
  describe,
  expectArray,
  expectObject,
  expectString,
  keepUnknown,
  plainWire,
  readString,
  spell,
  wireOf,
} from "../../../codec/ledger.ts";
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
  ToolResultMessage,
  UserMessage,
  WireForm,
} from "../../../ir/index.ts";
import type { Reader } from "../context.ts";
import { copyReader } from "../context.ts";
import { decodePart } from "../parts/block.ts";
import { functionMessageKeys, systemKeys, toolMessageKeys, userKeys } from "../wire.ts";
import { decodeAssistant } from "./assistant.ts";

const protocol = "openai-chat";

/** Tools ride on the first message: the leading instruction, or a synthetic one without text. */
export function decodeMessages(
  value: Json | undefined,
  tools: readonly Tool[],
  reader: Reader,
  progress: DecodeProgress | undefined,
): Message[] {
  const items = expectArray(value, "/messages", "messages");
  const messages = decodedBefore(progress);
  if (tools.length > 0 && items.length === 0) messages.push(homeOf(tools));
  for (let index = progress?.from?.items ?? 0; index < items.length; index++) {
    keepDecoded(progress, index, messages, () => copyReader(reader));
    const pointer = `/messages/${index}`;
    const decoded = decodeMessage(expectObject(items[index], pointer, "a message"), pointer, reader);
    const rides = index === 0 && tools.length > 0;
    if (rides && decoded.role !== "system") messages.push(homeOf(tools));
    const message = rides && decoded.role === "system" ? { ...decoded, toolsAdded: tools } : decoded;
    reader.trace.pointers.set(message, pointer);
    messages.push(message);
  }
  keepDecoded(progress, items.length, messages, () => copyReader(reader));
  return messages;
}

const homeOf = (tools: readonly Tool[]): SystemMessage => ({
  role: "system",
  authority: "system",
  content: [],
  toolsAdded: tools,
});

function decodeMessage(message: JsonObject, pointer: Pointer, reader: Reader): Message {
  switch (message["role"]) {
    case "system":
    case "developer":
      return decodeSystem(message, message["role"], pointer, reader);
    case "user":
      return decodeUser(message, pointer, reader);
    case "assistant":
      return decodeAssistantMessage(message, pointer, reader);
    case "tool":
      return decodeTool(message, pointer, reader);
    case "function":
      return decodeFunction(message, pointer, reader);
    default:
      throw new DecodeError(
        `${pointer}/role`,
        `a message has the role "system", "developer", "user", "assistant", "tool" or "function" (at ${pointer}/role)`,
      );
  }
}

/** What a message holds beside its text; most have nothing, and share one constant. */
function finish(ledger: Ledger): WireForm {
  return wireOf(ledger) ?? plainWire(protocol);
}

/** Content as parts. One bare text is a string on the wire unless the form says otherwise. */
function decodeContent(message: JsonObject, pointer: Pointer, ledger: Ledger, reader: Reader): readonly Part[] {
  const { content } = message;
  if (typeof content === "string") {
    const part: Part = { type: "text", text: content };
    reader.trace.pointers.set(part, pointer, "content");
    return [part];
  }
  const place = `${pointer}/content`;
  if (content === null) {
    spell(ledger, "content", null);
    return [];
  }
  if (!Array.isArray(content))
    throw new DecodeError(place, `content at ${place} must be a string or an array, not ${describe(content)}`);
  const parts = content.map((part: Json, index) => decodePart(part, place, reader, index));
  if (parts.length === 0) spell(ledger, "content", []);
  else if (parts.length === 1 && parts[0]?.type === "text") spell(ledger, "content", "array");
  return parts;
}

function decodeSystem(
  message: JsonObject,
  role: "system" | "developer",
  pointer: Pointer,
  reader: Reader,
): SystemMessage {
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, message, systemKeys);
  const content = decodeContent(message, pointer, ledger, reader) as readonly SystemPart[];
  return { role: "system", authority: role, content, wire: finish(ledger) };
}

function decodeUser(message: JsonObject, pointer: Pointer, reader: Reader): UserMessage {
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, message, userKeys);
  const content = decodeContent(message, pointer, ledger, reader);
  const name = readString(ledger, message, "name");
  return { role: "user", content, ...(name !== undefined && { name }), wire: finish(ledger) };
}

function decodeAssistantMessage(message: JsonObject, pointer: Pointer, reader: Reader): Message {
  const ledger = createLedger(protocol, "empty");
  startTurn(reader.callIds);
  const { content, name } = decodeAssistant(message, pointer, "", ledger, reader);
  const wire = finish(ledger);
  return name === undefined ? { role: "assistant", content, wire } : { role: "assistant", content, name, wire };
}

function decodeTool(message: JsonObject, pointer: Pointer, reader: Reader): ToolResultMessage {
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, message, toolMessageKeys);
  const id = expectString(message["tool_call_id"], `${pointer}/tool_call_id`, "tool_call_id");
  const content = decodeContent(message, pointer, ledger, reader);
  const toolName = readString(ledger, message, "name");
  const result: Open<ToolResultMessage> = {
    role: "toolResult",
    toolCallId: resolveCallId(reader.callIds, id),
    content,
    isError: false,
    wire: finish(ledger),
  };
  if (toolName !== undefined) result.toolName = toolName;
  return result;
}

/** The deprecated result of a `function_call`: the name of the function is its link to the call. */
function decodeFunction(message: JsonObject, pointer: Pointer, reader: Reader): ToolResultMessage {
  const ledger = createLedger(protocol, "empty");
  spell(ledger, "role", "function");
  keepUnknown(ledger, message, functionMessageKeys);
  const name = expectString(message["name"], `${pointer}/name`, "name");
  const content = decodeContent(message, pointer, ledger, reader);
  return {
    role: "toolResult",
    toolCallId: reader.functionCalls.get(name) ?? name,
    content,
    isError: false,
    wire: finish(ledger),
  };
}
