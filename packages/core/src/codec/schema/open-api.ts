import type { Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject, setOwn } from "../../ir/index.ts";

/**
 * A schema in the dialect of OpenAPI 3.0, with types in upper case, `nullable` and numbers as text, as JSON Schema. The very same object where
 * it is JSON Schema already.
 */
export function asJsonSchema(schema: JsonObject): JsonObject {
  let changed = false;
  const copy: Record<string, Json> = {};
  for (const key in schema) {
    const value = schema[key] as Json;
    const read = readKeyword(key, value);
    if (read !== value) changed = true;
    setOwn(copy, key, read);
  }
  if (typeof schema["nullable"] === "boolean") {
    changed = true;
    delete copy["nullable"];
    if (schema["nullable"]) admitNull(copy);
  }
  return changed ? copy : schema;
}

const counts: ReadonlySet<string> = new Set([
  ...["maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"],
]);

const types: ReadonlySet<string> = new Set(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]);

function readKeyword(key: string, value: Json): Json {
  switch (key) {
    case "type":
      return typeof value === "string" && types.has(value) ? value.toLowerCase() : value;
    case "items":
      return isJsonObject(value) ? asJsonSchema(value) : value;
    case "properties":
    case "$defs":
    case "definitions":
      return isJsonObject(value) ? mapValues(value) : value;
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value) ? mapItems(value) : value;
    default:
      return counts.has(key) && typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
}

function mapValues(map: JsonObject): JsonObject {
  let changed = false;
  const copy: Record<string, Json> = {};
  for (const name in map) {
    const inner = map[name] as Json;
    const read = isJsonObject(inner) ? asJsonSchema(inner) : inner;
    if (read !== inner) changed = true;
    setOwn(copy, name, read);
  }
  return changed ? copy : map;
}

function mapItems(list: readonly Json[]): readonly Json[] {
  const read = list.map((inner) => (isJsonObject(inner) ? asJsonSchema(inner) : inner));
  return read.some((inner, index) => inner !== list[index]) ? read : list;
}

function admitNull(schema: Record<string, Json>): void {
  const { type, anyOf, enum: values } = schema;
  if (typeof type === "string") schema["type"] = [type, "null"];
  else if (Array.isArray(anyOf)) schema["anyOf"] = [...(anyOf as readonly Json[]), { type: "null" }];
  else if (type === undefined) schema["type"] = ["object", "array", "string", "number", "boolean", "null"];
  if (Array.isArray(values) && !values.includes(null)) schema["enum"] = [...(values as readonly Json[]), null];
}
