import { sendToolName } from "../../codec/identity/names.ts";
import type { Ledger, Open } from "../../codec/ledger.ts";
import {
  createLedger,
  expectObject,
  keepOdd,
  keepUnknown,
  readBoolean,
  readString,
  spell,
  wireField,
  wireOf,
} from "../../codec/ledger.ts";
import { isOpenAi } from "../../codec/profile.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, restore } from "../../codec/restore.ts";
import { refusesStrict } from "../../codec/schema/strict.ts";
import { asFunction } from "../../codec/tools/custom-tool.ts";
import { flattenNamespace, loseToolFields } from "../../codec/tools/declarations.ts";
import type { CustomTool, FunctionTool, Json, JsonObject, Pointer, Tool } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { lose } from "../../loss/index.ts";
import type { Reader, Writer } from "./context.ts";
import { decodeToolMark, encodeMark, orphanedMarks } from "./parts/cache.ts";
import { restoreInForm } from "./parts/free-text.ts";
import { customKeys, functionKeys, toolKeys } from "./wire.ts";

const protocol = "openai-chat";

/** One entry of `tools`. Entries of other types are tools that the server defines. */
export function decodeTool(value: Json, pointer: Pointer, reader: Reader): Tool {
  const entry = expectObject(value, pointer, "a tool");
  const tool = readTool(entry) ?? serverTool(entry);
  reader.trace.pointers.set(tool, pointer);
  return tool;
}

function serverTool(entry: JsonObject): Tool {
  const { type } = entry;
  return { type: "server", protocol, ...(typeof type === "string" && { name: type }), value: entry };
}

function readTool(entry: JsonObject): Tool | undefined {
  const { type, function: inner, custom } = entry;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, entry, toolKeys);
  const spare = type === "custom" ? "function" : "custom";
  if (entry[spare] !== undefined) keepOdd(ledger, spare, entry[spare]);
  if (type === "custom" && isJsonObject(custom)) return readCustom(entry, custom, ledger);
  if ((type !== "function" && type !== undefined) || !isJsonObject(inner) || typeof inner["name"] !== "string")
    return undefined;
  if (type === undefined) spell(ledger, "type", "omitted");
  return readFunction(entry, inner, ledger, "function/");
}

function readFunction(entry: JsonObject, inner: JsonObject, ledger: Ledger, prefix: string): FunctionTool {
  keepUnknown(ledger, inner, functionKeys, prefix);
  const description = readString(ledger, inner, "description", prefix);
  const { parameters, strict: stated } = inner;
  if (!isJsonObject(parameters)) keepOdd(ledger, "parameters", parameters, prefix);
  if (stated === null) spell(ledger, `${prefix}strict`, null);
  const strict = stated === null ? undefined : readBoolean(ledger, inner, "strict", prefix);
  const cacheBreakpoint = decodeToolMark(ledger, entry);
  const wire = wireOf(ledger);
  const tool: Open<FunctionTool> = { type: "function", name: inner["name"] as string };
  if (description !== undefined) tool.description = description;
  if (isJsonObject(parameters)) tool.parameters = parameters;
  if (strict !== undefined) tool.strict = strict;
  if (cacheBreakpoint !== undefined) tool.cacheBreakpoint = cacheBreakpoint;
  if (wire !== undefined) tool.wire = wire;
  return tool;
}

/** An entry of the deprecated `functions`: the inner object alone. */
export function decodeFunction(value: Json, pointer: Pointer, reader: Reader): Tool {
  const entry = expectObject(value, pointer, "a function");
  const ledger = createLedger(protocol);
  spell(ledger, "functions", true);
  const tool: Tool =
    typeof entry["name"] === "string"
      ? readFunction({}, entry, ledger, "")
      : { ...serverTool(entry), ...wireField(ledger) };
  reader.trace.pointers.set(tool, pointer);
  return tool;
}

function readCustom(entry: JsonObject, custom: JsonObject, ledger: Ledger): CustomTool | undefined {
  const { name, format } = custom;
  if (typeof name !== "string") return undefined;
  keepUnknown(ledger, custom, customKeys, "custom/");
  const description = readString(ledger, custom, "description", "custom/");
  const read = isJsonObject(format) ? readFormat(format) : undefined;
  if (read === undefined) keepOdd(ledger, "format", format, "custom/");
  const cacheBreakpoint = decodeToolMark(ledger, entry);
  return {
    type: "custom",
    name,
    ...(description !== undefined && { description }),
    ...(read !== undefined && { format: read }),
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    ...wireField(ledger),
  };
}

function readFormat(format: JsonObject): CustomTool["format"] {
  if (format["type"] === "text" && Object.keys(format).length === 1) return { type: "text" };
  const { grammar } = format;
  if (
    format["type"] !== "grammar" ||
    !isJsonObject(grammar) ||
    Object.keys(format).length !== 2 ||
    Object.keys(grammar).length !== 2
  )
    return undefined;
  const { syntax, definition } = grammar;
  return typeof syntax === "string" && typeof definition === "string"
    ? { type: "grammar", syntax, definition }
    : undefined;
}

/** The declarations of one tool; a namespace gives several, a hosted tool of another service none. */
export function encodeTool(tool: Tool, writer: Writer): JsonObject[] {
  switch (tool.type) {
    case "function":
      return [encodeFunction(tool, tool.name, writer)];
    case "custom":
      return [encodeCustom(tool, tool.name, writer)];
    case "namespace":
      return flattenNamespace(tool, writer.names, writer.report, (inner, name) =>
        inner.type === "function" ? encodeFunction(inner, name, writer) : encodeCustom(inner, name, writer),
      );
    case "server":
      if (tool.protocol === protocol) {
        writer.link?.(tool, tool.value);
        return [tool.value];
      }
      lose(writer.report, "tool.server", tool, "", { values: { from: tool.protocol } });
      return [];
  }
}

function encodeFunction(tool: FunctionTool, name: string, writer: Writer): JsonObject {
  const inner: WireObject = { name: sendToolName(writer.names, name, tool) };
  if (tool.description !== undefined) inner["description"] = tool.description;
  if (tool.parameters !== undefined) inner["parameters"] = tool.parameters;
  if (tool.strict !== undefined) {
    if (writer.target.strictTools) encodeStrict(tool, inner, writer);
    else lose(writer.report, "tool.strict", tool, "strict");
  }
  loseToolFields(tool, absentFields, writer.report);
  if (formOf(tool.wire, protocol, "functions") === true) {
    restore(inner, tool.wire, protocol);
    writer.link?.(tool, inner);
    return inner as JsonObject;
  }
  const object: WireObject = { function: inner as JsonObject };
  if (formOf(tool.wire, protocol, "type") !== "omitted") object["type"] = "function";
  finishMark(object, tool, writer);
  restore(object, tool.wire, protocol, orphanedMarks(object, tool, writer));
  writer.link?.(tool, object);
  return object as JsonObject;
}

/** To make the schema one that the target enforces would forbid what it allows. */
function encodeStrict(tool: FunctionTool, inner: WireObject, writer: Writer): void {
  if (
    tool.strict === true &&
    tool.parameters !== undefined &&
    refusesStrict(tool.parameters, writer, isOpenAi(writer.target))
  )
    lose(writer.report, "schema.unenforceable", tool, "strict", { values: { to: protocol } });
  else inner["strict"] = tool.strict;
}

/** OpenAI takes no mark on a tool; servers with Anthropic's marks do. */
function finishMark(object: WireObject, tool: FunctionTool | CustomTool, writer: Writer): void {
  const takes = writer.target.marks === "cache_control" || (writer.faithful && writer.target.cacheMarks === undefined);
  encodeMark(takes ? object : undefined, tool, writer);
}

const absentFields = ["deferLoading", "allowedCallers", "inputExamples", "outputSchema"] as const;

function encodeCustom(tool: CustomTool, name: string, writer: Writer): JsonObject {
  loseToolFields(tool, absentFields, writer.report);
  if (!writer.target.customTools) return encodeAsFunction(tool, name, writer);
  const custom: WireObject = { name: sendToolName(writer.names, name, tool) };
  if (tool.description !== undefined) custom["description"] = tool.description;
  if (tool.format?.type === "text") custom["format"] = { type: "text" };
  else if (tool.format !== undefined) {
    custom["format"] = { type: "grammar", grammar: { syntax: tool.format.syntax, definition: tool.format.definition } };
  }
  const object: WireObject = { type: "custom", custom: custom as JsonObject };
  finishMark(object, tool, writer);
  restore(object, tool.wire, protocol, orphanedMarks(object, tool, writer));
  writer.link?.(tool, object);
  return object as JsonObject;
}

function encodeAsFunction(tool: CustomTool, name: string, writer: Writer): JsonObject {
  lose(writer.report, "tool.custom", tool, "type");
  writer.customTools.add(name);
  const object: WireObject = {
    type: "function",
    function: { name: sendToolName(writer.names, name, tool), ...asFunction(tool) },
  };
  finishMark(object, tool, writer);
  restoreInForm(object, tool, "function", writer, orphanedMarks(object, tool, writer));
  writer.link?.(tool, object);
  return object as JsonObject;
}
