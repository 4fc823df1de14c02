import { plainName, reportCallKind } from "../../../codec/content/calls.ts";
import { assignCallId } from "../../../codec/identity/call-ids.ts";
import { sendCallId, sendToolName } from "../../../codec/identity/names.ts";
import type { Ledger, Open } from "../../../codec/ledger.ts";
import { createLedger, keep, keepOdd, keepUnknown, spell, wireOf } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, isStated, restore } from "../../../codec/restore.ts";
import type { Json, JsonObject, Part, Pointer, ToolCallPart } from "../../../ir/index.ts";
import { callArgumentsText, isJsonObject, readArguments } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { customCallKeys, functionCallKeys, toolCallKeys } from "../wire.ts";
import { restoreInForm } from "./free-text.ts";
import type { Signatures } from "./reasoning.ts";
import { readSignatures, writeSignatures } from "./reasoning.ts";

const protocol = "openai-chat";

/**
 * One entry of `tool_calls`. An entry that is not of a documented form is kept whole. `index` is its place in the list at `pointer`, where it is
 * an item of one.
 */
export function decodeToolCall(value: Json, pointer: Pointer, reader: Reader, index?: number): Part {
  const part = (isJsonObject(value) ? readToolCall(value, pointer, reader, index) : undefined) ?? {
    type: "opaque",
    protocol,
    slot: "item",
    value,
  };
  reader.trace.pointers.set(part, pointer, index);
  return part;
}

function readToolCall(call: JsonObject, pointer: Pointer, reader: Reader, index?: number): Part | undefined {
  const { type, function: inner, custom } = call;
  const ledger = createLedger(protocol, reader.response ? "empty" : "none");
  const signatures = readSignatures(call, toolCallKeys, ledger, reader);
  for (const key in signatures.form) spell(ledger, key, signatures.form[key] as Json);
  const spare = type === "custom" ? "function" : "custom";
  if (call[spare] !== undefined) keepOdd(ledger, spare, call[spare]);
  if (type === "custom" && isJsonObject(custom)) return readCustomCall(call, custom, ledger, reader, signatures);
  if (
    (type !== "function" && type !== undefined && type !== null) ||
    !isJsonObject(inner) ||
    typeof inner["name"] !== "string"
  )
    return undefined;
  if (type === undefined) spell(ledger, "type", reader.response ? "absent" : "omitted");
  else if (type === null) spell(ledger, "type", null);
  keepUnknown(ledger, inner, functionCallKeys, "function/");
  const input = inner["arguments"];
  const text =
    typeof input === "string"
      ? input
      : readArgumentsText(
          input,
          ledger,
          index === undefined ? pointer : `${pointer}/${index}`,
          "function/arguments",
          reader,
        );
  const error = reader.response ? readArguments(text) : undefined;
  const { name } = inner;
  const { id, state } = readId(call, name, ledger, reader);
  const wire = wireOf(ledger);
  const part: Open<ToolCallPart> = { type: "toolCall", kind: "function", id, name, argumentsText: text };
  if (signatures.state.length > 0) part.state = [...(state ?? []), ...signatures.state];
  else if (state !== undefined) part.state = state;
  if (error !== undefined && "error" in error) part.argumentsError = error.error;
  if (wire !== undefined) part.wire = wire;
  return part;
}

function wireFieldOf(ledger: Ledger): Pick<ToolCallPart, "wire"> {
  const wire = wireOf(ledger);
  return wire === undefined ? {} : { wire };
}

/** Some servers send an object where the protocol says text; it is taken as it is and reported. */
function readArgumentsText(
  value: Json | undefined,
  ledger: Ledger,
  base: Pointer,
  pointer: Pointer,
  reader: Reader,
): string {
  if (typeof value === "string") return value;
  if (value === undefined) {
    spell(ledger, pointer, reader.response ? "absent" : "omitted");
    return "";
  }
  if (value === null) {
    spell(ledger, pointer, null);
    return "";
  }
  reader.losses.push({
    code: "tool_call.shape",
    stage: "decode",
    path: `${base}/${pointer}`,
    values: { from: protocol },
  });
  return JSON.stringify(value);
}

function readId(call: JsonObject, name: string, ledger: Ledger, reader: Reader): ReturnType<typeof assignCallId> {
  const { id } = call;
  if (typeof id === "string") return assignCallId(reader.callIds, id, name);
  if (id === undefined) spell(ledger, "id", "omitted");
  else if (id === null) spell(ledger, "id", null);
  else keep(ledger, "id", id);
  return { id: assignCallId(reader.callIds, "", name).id };
}

function readCustomCall(
  call: JsonObject,
  custom: JsonObject,
  ledger: Ledger,
  reader: Reader,
  signatures: Signatures,
): Part | undefined {
  const { name, input } = custom;
  if (typeof name !== "string" || typeof input !== "string") return undefined;
  keepUnknown(ledger, custom, customCallKeys, "custom/");
  const { id, state = [] } = readId(call, name, ledger, reader);
  const states = signatures.state.length === 0 ? state : [...state, ...signatures.state];
  return {
    type: "toolCall",
    kind: "custom",
    id,
    ...(states.length > 0 && { state: states }),
    name,
    argumentsText: input,
    ...wireFieldOf(ledger),
  };
}

/** The deprecated `function_call` of a message. It has no id; its result names the function. */
export function decodeFunctionCall(value: JsonObject, pointer: Pointer, reader: Reader): ToolCallPart | undefined {
  const { name } = value;
  // Some servers send an empty call with every answer; it calls nothing.
  if (typeof name !== "string" || name === "") return undefined;
  const ledger = createLedger(protocol);
  spell(ledger, "function_call", true);
  keepUnknown(ledger, value, functionCallKeys);
  const text = readArgumentsText(value["arguments"], ledger, pointer, "arguments", reader);
  const { id } = assignCallId(reader.callIds, "", name);
  reader.functionCalls.set(name, id);
  const part: ToolCallPart = {
    type: "toolCall",
    kind: "function",
    id,
    name,
    argumentsText: text,
    ...wireFieldOf(ledger),
  };
  reader.trace.pointers.set(part, pointer);
  return part;
}

/** True for a call that was written in the deprecated form. */
export function isFunctionCall(part: ToolCallPart): boolean {
  return formOf(part.wire, protocol, "function_call") === true;
}

/** True where the source left a field out, or stated null for it. */
function isMissing(form: Json | undefined): boolean {
  return form === "absent" || form === "omitted" || form === null;
}

export function encodeFunctionCall(part: ToolCallPart, writer: Writer): JsonObject {
  const name = sendToolName(writer.names, part.name, part);
  const object: WireObject = { name };
  writer.functionNames.set(part.id, name);
  if (!isMissing(formOf(part.wire, protocol, "arguments")) || callArgumentsText(part) !== "")
    object["arguments"] = callArgumentsText(part);
  writer.names.callIds.set(part.id, part.id);
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object as JsonObject;
}

export function encodeToolCall(part: ToolCallPart, writer: Writer): JsonObject {
  const object: WireObject = {};
  const form = part.wire?.protocol === protocol ? part.wire.form : undefined;
  const id = sendCallId(writer.names, part.id, part.state, part);
  if (!isMissing(form?.["id"]) && !isStated(part.wire, protocol, "id")) object["id"] = id;
  if (part.caller !== undefined) lose(writer.report, "tool_call.caller", part, "caller");
  reportCallKind(part, writer.report);
  const plain = plainName(part, writer.response, writer.report);
  const name = sendToolName(writer.names, plain, part);
  const written = part.kind === "custom" && writer.target.customTools ? "custom" : "function";
  if (written === "custom") {
    object["type"] = "custom";
    object["custom"] = { name, input: callArgumentsText(part) };
  } else {
    if (!isMissing(form?.["type"])) object["type"] = "function";
    if (part.kind === "custom") lose(writer.report, "tool.custom", part, "type");
    const text = part.kind === "custom" ? JSON.stringify({ input: callArgumentsText(part) }) : callArgumentsText(part);
    const withoutText = text === "" && isMissing(form?.["function/arguments"]);
    object["function"] = withoutText ? { name } : { name, arguments: text };
  }
  if (part.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", part, "cacheBreakpoint");
  writeSignatures(object, part, writer);
  restoreInForm(object, part, written, writer);
  writer.link?.(part, object);
  return object as JsonObject;
}
