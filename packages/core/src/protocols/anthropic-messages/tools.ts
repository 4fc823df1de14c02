import { sendToolName } from "../../codec/identity/names.ts";
import type { Open } from "../../codec/ledger.ts";
import {
  createLedger,
  expectObject,
  isStringArray,
  keepOdd,
  keepUnknown,
  readBoolean,
  readString,
  spell,
  wireOf,
} from "../../codec/ledger.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, restore } from "../../codec/restore.ts";
import { enforceSchema } from "../../codec/schema/enforce.ts";
import { keywordLoss } from "../../codec/schema/losses.ts";
import { asFunction } from "../../codec/tools/custom-tool.ts";
import { flattenNamespace } from "../../codec/tools/declarations.ts";
import type { CustomTool, FunctionTool, Json, JsonObject, Pointer, Tool } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { lose } from "../../loss/index.ts";
import type { Reader, Writer } from "./context.ts";
import { decodeCacheControl, encodeCacheControl, noteVerbatimMark } from "./parts/cache.ts";
import { toolKeys } from "./wire.ts";

const protocol = "anthropic-messages";

/** A declaration without a type, or of type `custom`, is a function tool; every other is a tool that the service defines. */
export function decodeTool(value: Json, pointer: Pointer, reader: Reader): Tool {
  const tool = decodeDeclaration(expectObject(value, pointer, "a tool"));
  reader.trace.pointers.set(tool, pointer);
  return tool;
}

function decodeDeclaration(value: JsonObject): Tool {
  const { type, name } = value;
  if ((type !== undefined && type !== null && type !== "custom") || typeof name !== "string") {
    return { type: "server", protocol, ...(typeof name === "string" && { name }), value };
  }
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, toolKeys);
  if (type === "custom" || type === null) spell(ledger, "type", type);
  const description = readString(ledger, value, "description");
  const parameters = value["input_schema"];
  if (!isJsonObject(parameters)) keepOdd(ledger, "input_schema", parameters);
  const cacheBreakpoint = decodeCacheControl(ledger, value);
  const strict = readBoolean(ledger, value, "strict");
  const deferLoading = readBoolean(ledger, value, "defer_loading");
  const examples = value["input_examples"];
  const inputExamples =
    Array.isArray(examples) && examples.length > 0 && examples.every(isJsonObject) ? examples : undefined;
  if (inputExamples === undefined) keepOdd(ledger, "input_examples", examples);
  const callers = value["allowed_callers"];
  const allowedCallers = isStringArray(callers) && callers.length > 0 ? callers : undefined;
  if (allowedCallers === undefined) keepOdd(ledger, "allowed_callers", callers);
  const wire = wireOf(ledger);
  const tool: Open<FunctionTool> = { type: "function", name };
  if (description !== undefined) tool.description = description;
  if (isJsonObject(parameters)) tool.parameters = parameters;
  if (strict !== undefined) tool.strict = strict;
  if (deferLoading !== undefined) tool.deferLoading = deferLoading;
  if (inputExamples !== undefined) tool.inputExamples = inputExamples;
  if (allowedCallers !== undefined) tool.allowedCallers = allowedCallers;
  if (cacheBreakpoint !== undefined) tool.cacheBreakpoint = cacheBreakpoint;
  if (wire !== undefined) tool.wire = wire;
  return tool;
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
        noteVerbatimMark(tool.value, tool, writer);
        return [tool.value];
      }
      lose(writer.report, "tool.server", tool, "", { values: { from: tool.protocol } });
      return [];
  }
}

function encodeFunction(tool: FunctionTool, name: string, writer: Writer): JsonObject {
  const object: WireObject = { name: sendToolName(writer.names, name, tool) };
  if (formOf(tool.wire, protocol, "type") === "custom") object["type"] = "custom";
  if (tool.description !== undefined) object["description"] = tool.description;
  encodeParameters(tool, object, writer);
  if (tool.deferLoading !== undefined) object["defer_loading"] = tool.deferLoading;
  if (tool.inputExamples !== undefined) object["input_examples"] = tool.inputExamples;
  if (tool.allowedCallers !== undefined) object["allowed_callers"] = tool.allowedCallers;
  if (tool.outputSchema !== undefined)
    lose(writer.report, "tool.field", tool, "outputSchema", { values: { field: "output schema" } });
  encodeCacheControl(object, tool, tool, writer);
  restore(object, tool.wire, protocol);
  writer.link?.(tool, object);
  return object as JsonObject;
}

/** Writes the schema, and whether it is enforced. */
function encodeParameters(tool: FunctionTool, object: WireObject, writer: Writer): void {
  const { parameters } = tool;
  const strict = writer.target.strictTools ? tool.strict : undefined;
  if (strict !== tool.strict) lose(writer.report, "tool.strict", tool, "strict");
  if (writer.faithful) {
    if (parameters !== undefined) {
      object["input_schema"] = writer.mends ? typeObject(parameters, tool, object, writer) : parameters;
    }
    if (strict !== undefined) object["strict"] = strict;
    return;
  }
  if (parameters === undefined) {
    madeParameters(object, "input_schema", writer);
    object["input_schema"] = {
      type: "object",
      properties: {},
      ...(strict === true && { additionalProperties: false }),
    };
    if (strict === true) object["strict"] = true;
    return;
  }
  const typed = typeObject(parameters, tool, object, writer);
  const enforced =
    // Without its type a schema admits more than objects: enforcing it would forbid what it allows.
    strict === true && "type" in parameters
      ? enforceSchema(typed, "anthropic-strict", (...change) => {
          const [code, field, values] = keywordLoss("parameters", ...change);
          lose(writer.report, code, tool, field, { values });
        })
      : undefined;
  if (enforced !== undefined) {
    object["input_schema"] = enforced;
    object["strict"] = true;
    return;
  }
  if (strict === true) lose(writer.report, "schema.unenforceable", tool, "strict");
  // The comment tells a schema that had no type from one that had.
  object["input_schema"] = "type" in parameters ? typed : { $comment: "type added", ...typed };
}

/** The API demands the type `object` and takes no other. */
function typeObject(parameters: JsonObject, tool: FunctionTool, object: WireObject, writer: Writer): JsonObject {
  const { type } = parameters;
  if (type === "object") return parameters;
  if (type === undefined) madeParameters(object, "input_schema/type", writer);
  else lose(writer.report, "schema.type", tool, "parameters/type");
  return { ...parameters, type: "object" };
}

function madeParameters(object: WireObject, field: string, writer: Writer): void {
  lose(writer.report, "tool.parameters", undefined, "", { made: { object, field }, values: { to: protocol } });
}

function encodeCustom(tool: CustomTool, name: string, writer: Writer): JsonObject {
  lose(writer.report, "tool.custom", tool, "type");
  writer.customTools.add(name);
  const { description, parameters } = asFunction(tool);
  const object: WireObject = {
    name: sendToolName(writer.names, name, tool),
    ...(description !== undefined && { description }),
    input_schema: parameters,
    ...(tool.deferLoading !== undefined && { defer_loading: tool.deferLoading }),
    ...(tool.allowedCallers !== undefined && { allowed_callers: tool.allowedCallers }),
  };
  encodeCacheControl(object, tool, tool, writer);
  writer.link?.(tool, object);
  return object as JsonObject;
}
