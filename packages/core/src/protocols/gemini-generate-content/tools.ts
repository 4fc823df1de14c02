import { sendToolName } from "../../codec/identity/names.ts";
import type { Ledger, Open } from "../../codec/ledger.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keepOdd,
  keepUnknown,
  plainWire,
  readString,
  spell,
} from "../../codec/ledger.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf } from "../../codec/restore.ts";
import { asJsonSchema } from "../../codec/schema/open-api.ts";
import { asFunction } from "../../codec/tools/custom-tool.ts";
import { flattenNamespace, loseToolFields } from "../../codec/tools/declarations.ts";
import type { CustomTool, FunctionTool, Json, JsonObject, Pointer, Tool, WireForm } from "../../ir/index.ts";
import { escapeSegment, isJsonObject, jsonEqual, setOwn } from "../../ir/index.ts";
import { lose } from "../../loss/index.ts";
import type { Reader, Writer } from "./context.ts";
import { reportMark } from "./parts/cache.ts";
import { finishObject, inCamelCase, spelledWire } from "./spelling.ts";
import { declarationKeys, declarationShape, toolShape } from "./wire.ts";

const protocol = "gemini-generate-content";

/** The tools of a list. One entry holds declarations of functions and tools of the service side by side; those after its first are joined. */
export function decodeTools(value: Json, reader: Reader): Tool[] {
  return expectArray(value, "/tools", "tools").flatMap((entry, index) => {
    const pointer = `/tools/${index}`;
    return decodeEntry(expectObject(entry, pointer, "a tool"), pointer, reader);
  });
}

interface Found {
  readonly tool: Tool;
  readonly at: Pointer;
  readonly index?: number;
}

function decodeEntry(source: JsonObject, pointer: Pointer, reader: Reader): Tool[] {
  const { snake } = inCamelCase(source, toolShape);
  const found: Found[] = [];
  for (const key in source) {
    const at = `${pointer}/${escapeSegment(key)}`;
    const inner = source[key] as Json;
    const isDeclarations = key === "functionDeclarations" || snake?.includes(key) === true;
    if (isDeclarations && Array.isArray(inner) && inner.length > 0)
      inner.forEach((item: Json, index) => {
        found.push({ tool: decodeDeclaration(item), at, index });
      });
    else found.push({ tool: { type: "server", protocol, name: key, value: { [key]: inner } }, at });
  }
  if (found.length === 0) found.push({ tool: { type: "server", protocol, name: "tool", value: source }, at: pointer });
  const group = snake === undefined ? undefined : { form: { snake } };
  return found.map(({ tool, at, index }, place) => {
    const container: WireForm =
      place > 0 ? plainWire(protocol, true) : group === undefined ? plainWire(protocol) : { protocol, group };
    const joined: Tool = { ...tool, wire: tool.wire === undefined ? container : { ...container, ...tool.wire } };
    reader.trace.pointers.set(joined, at, index);
    return joined;
  });
}

function decodeDeclaration(item: Json): Tool {
  if (!isJsonObject(item)) return { type: "server", protocol, name: "function", value: { declaration: item } };
  const { value, snake } = inCamelCase(item, declarationShape);
  const { name } = value;
  if (typeof name !== "string") {
    return { type: "server", protocol, name: "function", value: item, wire: { protocol, form: { declaration: true } } };
  }
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, declarationKeys);
  const description = readString(ledger, value, "description");
  const parameters = readSchema(ledger, value, "parametersJsonSchema", "parameters");
  const outputSchema = readSchema(ledger, value, "responseJsonSchema", "response");
  const wire = spelledWire(ledger, snake);
  const tool: Open<FunctionTool> = { type: "function", name };
  if (description !== undefined) tool.description = description;
  if (parameters !== undefined) tool.parameters = parameters;
  if (outputSchema !== undefined) tool.outputSchema = outputSchema;
  if (wire !== undefined) tool.wire = wire;
  return tool;
}

/** A schema in one of two dialects. That of OpenAPI is read as JSON Schema, and kept beside it where that changes it. */
export function readSchema(
  ledger: Ledger,
  source: JsonObject,
  jsonKey: string,
  openApiKey: string,
  prefix = "",
): JsonObject | undefined {
  const schema = source[jsonKey];
  const other = source[openApiKey];
  if (isJsonObject(schema)) {
    if (other !== undefined) keepOdd(ledger, openApiKey, other, prefix);
    return schema;
  }
  keepOdd(ledger, jsonKey, schema, prefix);
  if (!isJsonObject(other)) return keepOdd(ledger, openApiKey, other, prefix);
  const read = asJsonSchema(other);
  spell(ledger, `${openApiKey}:dialect`, read === other ? "openapi" : { schema: other });
  return read;
}

/** Writes a schema in the dialect that it came in, as long as that says the same. */
export function writeSchema(
  object: WireObject,
  schema: JsonObject | undefined,
  wire: WireForm | undefined,
  jsonKey: string,
  openApiKey: string,
): void {
  if (schema === undefined) return;
  const dialect = formOf(wire, protocol, `${openApiKey}:dialect`);
  if (dialect === "openapi") object[openApiKey] = schema;
  else if (
    isJsonObject(dialect) &&
    isJsonObject(dialect["schema"]) &&
    jsonEqual(asJsonSchema(dialect["schema"]), schema)
  )
    object[openApiKey] = dialect["schema"];
  else object[jsonKey] = schema;
}

/** The declared tools as entries of the list: functions together, tools of the service each in its own; within the protocol as they stood. */
export function encodeTools(tools: readonly Tool[], writer: Writer): JsonObject[] {
  const output: WireObject[] = [];
  const declared: Json[] = [];
  let entry: WireObject | undefined;
  let key = "functionDeclarations";
  for (const tool of tools) {
    const encoded = encodeTool(tool, writer);
    if (encoded.length === 0) continue;
    if (writer.faithful && (entry === undefined || !isJoined(tool))) {
      entry = {};
      key = declarationsKey(tool);
      output.push(entry);
    }
    if (!isDeclared(tool)) {
      if (entry === undefined) output.push(...(encoded as WireObject[]));
      else for (const one of encoded) for (const name in one) setOwn(entry, name, one[name] as Json);
    } else if (entry === undefined) declared.push(...encoded);
    else {
      entry[key] ??= [];
      (entry[key] as Json[]).push(...encoded);
    }
  }
  if (declared.length > 0) output.unshift({ functionDeclarations: declared });
  return output as JsonObject[];
}

const isJoined = ({ wire }: Tool): boolean => wire?.protocol === protocol && wire.joined === true;

/** True for what stands in the list of functions, whether it is one or only should be. */
function isDeclared(tool: Tool): boolean {
  return tool.type !== "server" || formOf(tool.wire, protocol, "declaration") === true || "declaration" in tool.value;
}

/** The key as the entry spells it, which the tool that opens it knows. */
function declarationsKey({ wire }: Tool): string {
  const snake = wire?.protocol === protocol ? wire.group?.form?.["snake"] : undefined;
  return Array.isArray(snake) && snake.length > 0 ? "function_declarations" : "functionDeclarations";
}

/** The declarations of one tool; a namespace gives several, a hosted tool of another service none. */
function encodeTool(tool: Tool, writer: Writer): JsonObject[] {
  switch (tool.type) {
    case "function":
      return [encodeFunction(tool, tool.name, writer)];
    case "custom":
      return [encodeCustom(tool, tool.name, writer)];
    case "namespace":
      return flattenNamespace(tool, writer.names, writer.report, (inner, name) =>
        inner.type === "function" ? encodeFunction(inner, name, writer) : encodeCustom(inner, name, writer),
      );
    case "server": {
      if (tool.protocol !== protocol) {
        lose(writer.report, "tool.server", tool, "", { values: { from: tool.protocol } });
        return [];
      }
      writer.link?.(tool, tool.value);
      const { declaration } = tool.value;
      return [declaration === undefined ? tool.value : (declaration as JsonObject)];
    }
  }
}

const absentFields = ["deferLoading", "allowedCallers", "inputExamples"] as const;

function encodeFunction(tool: FunctionTool, name: string, writer: Writer): JsonObject {
  const object: WireObject = { name: sendToolName(writer.names, name, tool) };
  if (tool.description !== undefined) object["description"] = tool.description;
  writeSchema(object, tool.parameters, tool.wire, "parametersJsonSchema", "parameters");
  writeSchema(object, tool.outputSchema, tool.wire, "responseJsonSchema", "response");
  if (tool.strict !== undefined) lose(writer.report, "tool.strict", tool, "strict");
  loseToolFields(tool, absentFields, writer.report);
  reportMark(tool, writer);
  finishObject(object, tool.wire);
  writer.link?.(tool, object);
  return object as JsonObject;
}

function encodeCustom(tool: CustomTool, name: string, writer: Writer): JsonObject {
  lose(writer.report, "tool.custom", tool, "type");
  loseToolFields(tool, absentFields, writer.report);
  writer.customTools.add(name);
  const { description, parameters } = asFunction(tool);
  const object: JsonObject = {
    name: sendToolName(writer.names, name, tool),
    ...(description !== undefined && { description }),
    parametersJsonSchema: parameters,
  };
  reportMark(tool, writer);
  writer.link?.(tool, object);
  return object;
}
