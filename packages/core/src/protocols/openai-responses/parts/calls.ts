import { assignCallId } from "../../../codec/identity/call-ids.ts";
import { sendCallId, sendToolName } from "../../../codec/identity/names.ts";
import type { KnownKeys, Ledger } from "../../../codec/ledger.ts";
import {
  createLedger,
  keep,
  keepOdd,
  keepUnknown,
  knownKeys,
  plainWire,
  readString,
  wireOf,
} from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { assignOwn, restore } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type { Json, JsonObject, Part, ToolCallPart } from "../../../ir/index.ts";
import { callArgumentsText, readArguments } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { itemState, itemType, readStatus, writeItemId, writeStatus } from "./item.ts";

const protocol = "openai-responses";

/** A call of a tool that the service defines and the client runs: its arguments are some fields of the item. */
interface DefinedCall {
  readonly kind: ToolCallPart["kind"];
  readonly name: string;
  readonly fields: readonly string[];
  readonly known: KnownKeys;
}

function definedCall(kind: ToolCallPart["kind"], name: string, ...fields: readonly string[]): DefinedCall {
  return { kind, name, fields, known: knownKeys("type", "id", "call_id", "status", "caller", ...fields) };
}

const definedCalls: { readonly [type: string]: DefinedCall } = {
  computer_call: definedCall("computer", "computer", "action", "actions", "pending_safety_checks"),
  shell_call: definedCall("shell", "shell", "action", "environment"),
  local_shell_call: definedCall("shell", "local_shell", "action"),
  apply_patch_call: definedCall("patch", "apply_patch", "operation"),
};

const functionKeys = knownKeys("type", "id", "call_id", "name", "arguments", "namespace", "caller", "status");
const customKeys = knownKeys("type", "id", "call_id", "name", "input", "namespace", "caller", "status");

/** A call that the client answers; undefined for an item that is none, or not of its documented form. */
export function decodeCall(item: JsonObject, reader: Reader): Part | undefined {
  const type = itemType(item);
  if (type === "function_call" || type === "custom_tool_call") return decodeNamedCall(item, type, reader);
  const defined = entryOf(definedCalls, type);
  return defined === undefined ? undefined : decodeDefinedCall(item, defined, reader);
}

function decodeNamedCall(
  item: JsonObject,
  type: "function_call" | "custom_tool_call",
  reader: Reader,
): ToolCallPart | undefined {
  const isCustom = type === "custom_tool_call";
  const { call_id: callId, name, caller } = item;
  const text = item[isCustom ? "input" : "arguments"];
  if (typeof callId !== "string" || typeof name !== "string" || typeof text !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, isCustom ? customKeys : functionKeys);
  readStatus(ledger, item);
  const namespace = readNamespace(item, ledger, reader);
  if (caller === null) keepOdd(ledger, "caller", caller);
  const { id, state = [] } = assignCallId(reader.callIds, callId, name);
  const states = [...(itemState(item, ledger, reader) ?? []), ...state];
  const read = reader.response && !isCustom ? readArguments(text) : undefined;
  return {
    type: "toolCall",
    kind: isCustom ? "custom" : "function",
    id,
    name,
    argumentsText: text,
    ...(namespace !== undefined && { namespace }),
    ...(caller !== undefined && caller !== null && { caller }),
    ...(states.length > 0 && { state: states }),
    ...(read !== undefined && "error" in read && { argumentsError: read.error }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

/** The namespace of a call, as far as the request declares it: the tools of any other are declared by their names alone. */
function readNamespace(item: JsonObject, ledger: Ledger, { namespaces }: Reader): string | undefined {
  const namespace = readString(ledger, item, "namespace");
  if (namespace === undefined || namespaces === undefined || namespaces.has(namespace)) return namespace;
  keep(ledger, "namespace", namespace);
  return undefined;
}

function decodeDefinedCall(item: JsonObject, defined: DefinedCall, reader: Reader): ToolCallPart | undefined {
  const { call_id: callId, caller } = item;
  if (typeof callId !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, item, defined.known);
  readStatus(ledger, item);
  if (caller === null) keepOdd(ledger, "caller", caller);
  const { id, state = [] } = assignCallId(reader.callIds, callId, defined.name);
  const states = [...(itemState(item, ledger, reader) ?? []), ...state];
  return {
    type: "toolCall",
    kind: defined.kind,
    id,
    name: defined.name,
    arguments: fieldsOf(item, defined.fields),
    ...(caller !== undefined && caller !== null && { caller }),
    ...(states.length > 0 && { state: states }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

/** The fields of an item that are there. */
export function fieldsOf(item: JsonObject, fields: readonly string[]): JsonObject {
  const found: { [key: string]: Json } = {};
  for (const key of fields) if (item[key] !== undefined) found[key] = item[key] as Json;
  return found;
}

/** The type of item that a call becomes. Calls of tools that a service defines are functions where the target does not define the same. */
function typeOf(part: ToolCallPart, writer: Writer): string {
  if (part.kind === "custom" && (writer.target.customTools || writer.response)) return "custom_tool_call";
  if (part.arguments === undefined || part.wire?.protocol !== protocol) return "function_call";
  const found = Object.entries(definedCalls).find(([, { kind, name }]) => kind === part.kind && name === part.name);
  const alike = found ?? Object.entries(definedCalls).find(([, { kind }]) => kind === part.kind);
  return alike?.[0] ?? "function_call";
}

export function encodeCall(part: ToolCallPart, writer: Writer): JsonObject {
  const type = typeOf(part, writer);
  writer.callTypes.set(part.id, type);
  const object: WireObject = { type };
  writeItemId(object, part, type === "custom_tool_call" ? "ctc" : "fc", writer);
  object["call_id"] = sendCallId(writer.names, part.id, part.state, part);
  if (type === "function_call" || type === "custom_tool_call") writeNamed(object, part, type, writer);
  else {
    if (definedCalls[type]?.name !== part.name)
      lose(writer.report, "tool_call.kind", part, "name", { values: { kind: part.kind } });
    assignOwn(object, part.arguments ?? {});
  }
  if (part.caller !== undefined) {
    if (part.wire?.protocol === protocol || (part.wire === undefined && writer.faithful))
      object["caller"] = part.caller;
    else lose(writer.report, "tool_call.caller", part, "caller");
  }
  if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  if (part.wire?.protocol === protocol) writeStatus(object, part);
  else if (writer.response) object["status"] = part.argumentsError === undefined ? "completed" : "incomplete";
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object as JsonObject;
}

function writeNamed(
  object: WireObject,
  part: ToolCallPart,
  type: "function_call" | "custom_tool_call",
  writer: Writer,
): void {
  object["name"] = sendToolName(writer.names, part.name, part);
  if (part.namespace !== undefined) object["namespace"] = part.namespace;
  const text = callArgumentsText(part);
  if (type === "custom_tool_call") {
    object["input"] = text;
    return;
  }
  if (part.kind === "custom") {
    lose(writer.report, "tool.custom", part, "type");
    object["arguments"] = JSON.stringify({ input: text });
    return;
  }
  if (part.kind !== "function") lose(writer.report, "tool_call.kind", part, "kind", { values: { kind: part.kind } });
  object["arguments"] = text;
}
