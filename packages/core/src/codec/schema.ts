import type { Json, JsonObject, Pointer } from "../ir/index.ts";
import { escapeSegment, isJsonObject, setOwn } from "../ir/index.ts";

/**
 * Subsets of JSON Schema that services enforce. `anthropic-strict`: structured output and strict tools of Anthropic
 * (`@anthropic-ai/sdk` 1.14.0, lib/transform-json-schema). `openai-strict`: strict mode of OpenAI (`openai` 7.59.0, lib/transform).
 */
export type SchemaTarget = "anthropic-strict" | "openai-strict";

/** Told of each keyword that the target does not enforce, with its pointer in the schema. */
export type KeywordListener = (keyword: string, pointer: Pointer) => void;

const kept = new Set([
  "$defs",
  "definitions",
  "$ref",
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "description",
  "title",
  "properties",
  "required",
  "items",
]);
const formats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);
const openAiKept = new Set([
  ...kept,
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
]);

/** A schema within the subset of the target. What is outside of it is written into the description, where the model still reads it. */
export function lowerSchema(schema: JsonObject, target: SchemaTarget, onKeyword: KeywordListener): JsonObject {
  return lower(schema, target, onKeyword, "");
}

function lower(schema: JsonObject, target: SchemaTarget, onKeyword: KeywordListener, pointer: Pointer): JsonObject {
  const result: { [key: string]: Json } = {};
  const told: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    const below = `${pointer}/${escapeSegment(key)}`;
    if (key === "additionalProperties") continue;
    if (isKept(key, value, target)) {
      if (key === "oneOf" && !("anyOf" in schema)) onKeyword("oneOf", below);
      setOwn(
        result,
        key === "oneOf" && !("anyOf" in schema) ? "anyOf" : key,
        lowerValue(key, value, target, onKeyword, below),
      );
      continue;
    }
    onKeyword(key, below);
    told.push(`${key}: ${JSON.stringify(value)}`);
  }
  closeObject(schema, result, told, onKeyword, pointer);
  if (told.length > 0) {
    const description = result["description"];
    result["description"] = [
      ...(typeof description === "string" && description !== "" ? [description] : []),
      `{${told.join(", ")}}`,
    ].join("\n\n");
  }
  return result;
}

function isKept(key: string, value: Json, target: SchemaTarget): boolean {
  if (key === "format") return typeof value === "string" && formats.has(value);
  if (target === "openai-strict") return openAiKept.has(key);
  return kept.has(key) || (key === "minItems" && (value === 0 || value === 1));
}

/** Objects of both subsets admit no further properties; what the source says about them otherwise is told. */
function closeObject(
  schema: JsonObject,
  result: { [key: string]: Json },
  told: string[],
  onKeyword: KeywordListener,
  pointer: Pointer,
): void {
  const stated = schema["additionalProperties"];
  const isObject = schema["type"] === "object" || isJsonObject(schema["properties"]);
  if (isObject) result["additionalProperties"] = false;
  if (stated === false || (stated === undefined && !isObject)) return;
  onKeyword("additionalProperties", `${pointer}/additionalProperties`);
  told.push(`additionalProperties: ${stated === undefined ? "not stated" : JSON.stringify(stated)}`);
}

function lowerValue(
  key: string,
  value: Json,
  target: SchemaTarget,
  onKeyword: KeywordListener,
  pointer: Pointer,
): Json {
  switch (key) {
    case "properties":
    case "$defs":
    case "definitions": {
      if (!isJsonObject(value)) return value;
      const result: { [key: string]: Json } = {};
      for (const [name, inner] of Object.entries(value)) {
        const below = `${pointer}/${escapeSegment(name)}`;
        setOwn(result, name, isJsonObject(inner) ? lower(inner, target, onKeyword, below) : inner);
      }
      return result;
    }
    case "items":
      return isJsonObject(value) ? lower(value, target, onKeyword, pointer) : value;
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value)
        ? value.map((inner: Json, index) =>
            isJsonObject(inner) ? lower(inner, target, onKeyword, `${pointer}/${index}`) : inner,
          )
        : value;
    default:
      return value;
  }
}

/** True where OpenAI accepts the schema in strict mode: closed objects with all properties required, and no keyword outside of the subset. */
export function isOpenAiStrict(schema: JsonObject): boolean {
  return schema["type"] === "object" && !("anyOf" in schema) && isStrictBelow(schema);
}

function isStrictBelow(schema: JsonObject): boolean {
  for (const [key, value] of Object.entries(schema)) {
    if (key === "additionalProperties") continue;
    if (!isKept(key, value, "openai-strict") || key === "oneOf" || key === "allOf") return false;
    if ((key === "properties" || key === "$defs" || key === "definitions") && isJsonObject(value)) {
      if (!Object.values(value).every((inner) => isJsonObject(inner) && isStrictBelow(inner))) return false;
    }
    if (key === "items" && !(isJsonObject(value) && isStrictBelow(value))) return false;
    if (
      key === "anyOf" &&
      !(Array.isArray(value) && value.every((inner: Json) => isJsonObject(inner) && isStrictBelow(inner)))
    )
      return false;
  }
  if (schema["type"] !== "object" && !("properties" in schema)) return true;
  if (schema["additionalProperties"] !== false) return false;
  const required = schema["required"];
  const names = isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return names.length === 0 || (Array.isArray(required) && names.every((name) => required.includes(name)));
}
