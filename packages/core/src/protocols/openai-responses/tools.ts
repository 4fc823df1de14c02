import { sendToolName } from "../../codec/identity/names.ts";
import type { Ledger, Open } from "../../codec/ledger.ts";
import {
  createLedger,
  expectObject,
  keepOdd,
  keepUnknown,
  readBoolean,
  readObject,
  readString,
  spell,
  wireField,
  wireOf,
} from "../../codec/ledger.ts";
import { isOpenAi } from "../../codec/profile.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, isStated, restore } from "../../codec/restore.ts";
import { refusesStrict } from "../../codec/schema/strict.ts";
import { asFunction } from "../../codec/tools/custom-tool.ts";
import { loseToolFields } from "../../codec/tools/declarations.ts";
import type { CustomTool, FunctionTool, Json, JsonObject, NamespaceTool, Pointer, Tool } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { lose } from "../../loss/index.ts";
import type { Reader, Writer } from "./context.ts";
import { encodeMark } from "./parts/cache.ts";
import { customKeys, functionKeys, namespaceKeys } from "./wire.ts";

const protocol = "openai-responses";

/** One entry of `tools`. Entries of other types are tools that the service runs or defines. */
export function decodeTool(value: Json, pointer: Pointer, reader: Reader): Tool {
  const entry = expectObject(value, pointer, "a tool");
  const tool = readTool(entry, pointer, reader) ?? serverTool(entry);
  reader.trace.pointers.set(tool, pointer);
  return tool;
}

function serverTool(entry: JsonObject): Tool {
  const { type } = entry;
  return { type: "server", protocol, ...(typeof type === "string" && { name: type }), value: entry };
}

function readTool(entry: JsonObject, pointer: Pointer, reader: Reader): Tool | undefined {
  switch (entry["type"]) {
    case "function":
      return readFunction(entry);
    case "custom":
      return readCustom(entry);
    case "namespace":
      return readNamespace(entry, pointer, reader);
    default:
      return undefined;
  }
}

function readFunction(entry: JsonObject): FunctionTool | undefined {
  const { name, parameters, strict: stated } = entry;
  if (typeof name !== "string") return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, entry, functionKeys);
  const tool: Open<FunctionTool> = { type: "function", name };
  const description = readDescription(ledger, entry);
  if (description !== undefined) tool.description = description;
  if (isJsonObject(parameters)) tool.parameters = parameters;
  else if (parameters === undefined || parameters === null)
    spell(ledger, "parameters", parameters === null ? null : "omitted");
  else keepOdd(ledger, "parameters", parameters);
  // What is not enforced is as usual, however it is said. The API has its own default where nothing is said.
  if (stated === undefined) spell(ledger, "strict", "absent");
  else if (stated === null || stated === false) spell(ledger, "strict", stated);
  else if (readBoolean(ledger, entry, "strict") === true) tool.strict = true;
  Object.assign(tool, readLoading(entry, ledger));
  const outputSchema = readObject(ledger, entry, "output_schema");
  if (outputSchema !== undefined) tool.outputSchema = outputSchema;
  const wire = wireOf(ledger);
  if (wire !== undefined) tool.wire = wire;
  return tool;
}

/** A null describes a tool as an empty text does. */
function readDescription(ledger: Ledger, entry: JsonObject): string | undefined {
  if (entry["description"] !== null) return readString(ledger, entry, "description");
  spell(ledger, "description", null);
  return "";
}

function writeDescription(object: WireObject, { description, wire }: FunctionTool | CustomTool): void {
  const isNull = description === "" && isStated(wire, protocol, "description");
  if (description !== undefined && !isNull) object["description"] = description;
}

function readLoading(entry: JsonObject, ledger: Ledger): Pick<FunctionTool, "deferLoading" | "allowedCallers"> {
  const deferLoading = readBoolean(ledger, entry, "defer_loading");
  const callers = entry["allowed_callers"];
  const isList = Array.isArray(callers) && callers.length > 0;
  if (!isList) keepOdd(ledger, "allowed_callers", callers as Json | undefined);
  return {
    ...(deferLoading !== undefined && { deferLoading }),
    ...(isList && { allowedCallers: callers as readonly Json[] }),
  };
}

function readCustom(entry: JsonObject): CustomTool | undefined {
  const { name, format } = entry;
  if (typeof name !== "string") return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, entry, customKeys);
  const description = readDescription(ledger, entry);
  const read = isJsonObject(format) ? readFormat(format) : undefined;
  if (read === undefined) keepOdd(ledger, "format", format);
  return {
    type: "custom",
    name,
    ...(description !== undefined && { description }),
    ...(read !== undefined && { format: read }),
    ...readLoading(entry, ledger),
    ...wireField(ledger),
  };
}

function readFormat(format: JsonObject): CustomTool["format"] {
  const keys = Object.keys(format).length;
  if (format["type"] === "text" && keys === 1) return { type: "text" };
  const { syntax, definition } = format;
  return format["type"] === "grammar" && keys === 3 && typeof syntax === "string" && typeof definition === "string"
    ? { type: "grammar", syntax, definition }
    : undefined;
}

/** A namespace is understood when it holds nothing but functions and custom tools. */
function readNamespace(entry: JsonObject, pointer: Pointer, reader: Reader): NamespaceTool | undefined {
  const { name, description, tools } = entry;
  if (typeof name !== "string" || typeof description !== "string" || !Array.isArray(tools)) return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, entry, namespaceKeys);
  const inner: (FunctionTool | CustomTool)[] = [];
  for (const value of tools as readonly Json[]) {
    const tool = isJsonObject(value) ? readTool(value, pointer, reader) : undefined;
    if (tool?.type !== "function" && tool?.type !== "custom") return undefined;
    inner.push(tool);
  }
  inner.forEach((tool, index) => {
    reader.trace.pointers.set(tool, `${pointer}/tools/${index}`);
  });
  return { type: "namespace", name, description, tools: inner, ...wireField(ledger) };
}

/** The declaration of one tool; a hosted tool of another service has none. A namespace that cannot be sent gives its tools. */
export function encodeTool(tool: Tool, writer: Writer): JsonObject[] {
  switch (tool.type) {
    case "function":
      return [encodeFunction(tool, writer)];
    case "custom":
      return [encodeCustom(tool, writer)];
    case "namespace":
      return [encodeNamespace(tool, writer)];
    case "server":
      if (tool.protocol === protocol) {
        writer.link?.(tool, tool.value);
        return [tool.value];
      }
      lose(writer.report, "tool.server", tool, "", { values: { from: tool.protocol } });
      return [];
  }
}

function finish(object: WireObject, tool: Tool, writer: Writer): JsonObject {
  restore(object, tool.wire, protocol);
  writer.link?.(tool, object);
  return object as JsonObject;
}

function encodeFunction(tool: FunctionTool, writer: Writer): JsonObject {
  const object: WireObject = { type: "function", name: sendToolName(writer.names, tool.name, tool) };
  writeDescription(object, tool);
  writeParameters(object, tool);
  writeStrict(object, tool, writer);
  writeLoading(object, tool);
  if (tool.outputSchema !== undefined) object["output_schema"] = tool.outputSchema;
  loseToolFields(tool, ["inputExamples"], writer.report);
  encodeMark(undefined, tool, writer);
  return finish(object, tool, writer);
}

function writeParameters(object: WireObject, tool: FunctionTool): void {
  if (tool.parameters !== undefined) object["parameters"] = tool.parameters;
  // Of its own kind a declaration comes back as it was; elsewhere the types demand the key.
  else if (tool.wire?.protocol !== protocol) object["parameters"] = null;
}

function writeStrict(object: WireObject, tool: FunctionTool, writer: Writer): void {
  const stated = formOf(tool.wire, protocol, "strict");
  const isKept = tool.wire?.protocol === protocol && Object.hasOwn(tool.wire.rest ?? {}, "strict");
  const { strictTools } = writer.target;
  const isRefused =
    tool.strict === true &&
    strictTools &&
    tool.parameters !== undefined &&
    refusesStrict(tool.parameters, writer, isOpenAi(writer.target));
  if (tool.strict === true && !strictTools) lose(writer.report, "tool.strict", tool, "strict");
  if (isRefused) lose(writer.report, "schema.unenforceable", tool, "strict", { values: { to: protocol } });
  if (tool.strict !== undefined) object["strict"] = tool.strict && strictTools && !isRefused;
  else if (stated === false || stated === null) object["strict"] = stated;
  else if (stated !== "absent" && !isKept) object["strict"] = false;
}

function writeLoading(object: WireObject, tool: FunctionTool | CustomTool): void {
  if (tool.deferLoading !== undefined) object["defer_loading"] = tool.deferLoading;
  if (tool.allowedCallers !== undefined) object["allowed_callers"] = tool.allowedCallers;
}

function encodeCustom(tool: CustomTool, writer: Writer): JsonObject {
  if (!writer.target.customTools) {
    lose(writer.report, "tool.custom", tool, "type");
    writer.customTools.add(tool.name);
    const name = sendToolName(writer.names, tool.name, tool);
    return finish({ type: "function", name, ...asFunction(tool), strict: false }, tool, writer);
  }
  const object: WireObject = { type: "custom", name: sendToolName(writer.names, tool.name, tool) };
  writeDescription(object, tool);
  if (tool.format !== undefined) object["format"] = tool.format;
  writeLoading(object, tool);
  encodeMark(undefined, tool, writer);
  return finish(object, tool, writer);
}

function encodeNamespace(namespace: NamespaceTool, writer: Writer): JsonObject {
  const object: WireObject = {
    type: "namespace",
    name: namespace.name,
    description: namespace.description,
    tools: namespace.tools.flatMap((tool) => encodeTool(tool, writer)),
  };
  encodeMark(undefined, namespace, writer);
  return finish(object, namespace, writer);
}
