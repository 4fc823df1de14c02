import type { Json, JsonObject, Pointer } from "../../ir/index.ts";
import { escapeSegment, isJsonObject, setOwn, unescapeSegment } from "../../ir/index.ts";

/**
 * Subsets of JSON Schema that services enforce. `anthropic-strict`: structured output and strict tools of Anthropic
 * (`@anthropic-ai/sdk` 1.14.0, lib/transform-json-schema). `openai-strict`: strict mode of OpenAI (`openai` 7.59.0, lib/transform).
 * OpenAI refuses the format `uri` (github.com/can1357/oh-my-pi/issues/206).
 */
export type SchemaTarget = "anthropic-strict" | "openai-strict";

/**
 * What becomes of a keyword: `told` in the description, not enforced; `closed`, an object that says nothing of further properties and now
 * admits none (the pointer is that of the object); `anyOf`, a `oneOf` that now admits several matches.
 */
export type KeywordChange = "told" | "closed" | "anyOf";

/** Told of each keyword that the target does not enforce as it is, with its pointer in the schema. */
export type KeywordListener = (keyword: string, pointer: Pointer, change: KeywordChange) => void;

const kept = new Set([
  "$defs",
  "definitions",
  "$ref",
  "type",
  "enum",
  "const",
  "anyOf",
  "allOf",
  "description",
  "title",
  "properties",
  "required",
  "items",
]);
const formats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]);
const openAiBounds = new Set([
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
  return lower(schema, { target, onKeyword, root: schema }, "");
}

interface Lowering {
  readonly target: SchemaTarget;
  readonly onKeyword: KeywordListener;
  readonly root: JsonObject;
}

function lower(schema: JsonObject, lowering: Lowering, pointer: Pointer): JsonObject {
  const { target, onKeyword, root } = lowering;
  const result: { [key: string]: Json } = {};
  const told: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    const below = `${pointer}/${escapeSegment(key)}`;
    if (key === "additionalProperties") continue;
    if (key === "$ref" && typeof value === "string") {
      result[key] = followOneOf(value, root);
      continue;
    }
    if (becomesAnyOf(key, schema)) {
      onKeyword(key, below, "anyOf");
      result["anyOf"] = lowerValue(key, value, lowering, below);
      continue;
    }
    if (isKept(key, schema, target)) {
      setOwn(result, key, lowerValue(key, value, lowering, below));
      continue;
    }
    onKeyword(key, below, "told");
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

const becomesAnyOf = (key: string, schema: JsonObject): boolean => key === "oneOf" && !("anyOf" in schema);

const mapKeywords: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

/** A reference to an alternative of a `oneOf`, which now stands below `anyOf`. Properties may be called so too and keep their name. */
function followOneOf(reference: string, root: JsonObject): string {
  if (!reference.startsWith("#/")) return reference;
  let place: Json | undefined = root;
  let isSchema = true;
  const segments = reference.slice(2).split("/");
  return `#/${segments
    .map((segment) => {
      const key = unescapeSegment(segment);
      const moved: boolean = isSchema && isJsonObject(place) && becomesAnyOf(key, place);
      isSchema = !isSchema || !(mapKeywords.has(key) || lists.has(key));
      place = typeof place === "object" && place !== null ? (place as JsonObject)[key] : undefined;
      return moved ? "anyOf" : segment;
    })
    .join("/")}`;
}

const lists: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);

/** True for a schema that the services treat as one of an object. */
export function isObjectSchema(schema: JsonObject): boolean {
  const { type } = schema;
  return type === "object" || (Array.isArray(type) && type.includes("object")) || isJsonObject(schema["properties"]);
}

const isPrimitive = (value: Json): boolean => typeof value !== "object" || value === null;

/** True where the target enforces the keyword as it stands in this schema. */
export function isKept(key: string, schema: JsonObject, target: SchemaTarget): boolean {
  const value = schema[key] as Json;
  const isOpenAi = target === "openai-strict";
  switch (key) {
    case "format":
      return typeof value === "string" && (formats.has(value) || (value === "uri" && !isOpenAi));
    case "enum":
      return Array.isArray(value) && value.length > 0 && value.every(isPrimitive);
    case "const":
      return isPrimitive(value);
    case "items":
      // Behind the items of a tuple, the others are meant; alone it would speak of all.
      return isJsonObject(value) && !("prefixItems" in schema);
    case "allOf":
      // Beside anyOf there is no place for a second list.
      return !isOpenAi && !("anyOf" in schema || "oneOf" in schema);
    case "minItems":
      return isOpenAi || value === 0 || value === 1;
    default:
      return kept.has(key) || (isOpenAi && openAiBounds.has(key));
  }
}

/** Objects of both subsets admit no further properties; what the source states about them otherwise is told. */
function closeObject(
  schema: JsonObject,
  result: { [key: string]: Json },
  told: string[],
  onKeyword: KeywordListener,
  pointer: Pointer,
): void {
  const stated = schema["additionalProperties"];
  const isObject = isObjectSchema(schema);
  if (isObject) result["additionalProperties"] = false;
  if (stated === false || (stated === undefined && !isObject)) return;
  if (stated === undefined) {
    onKeyword("additionalProperties", pointer, "closed");
    // The model reads what the source left open, so that its absence stays visible in what is sent.
    told.push("additionalProperties: not stated");
    return;
  }
  onKeyword("additionalProperties", `${pointer}/additionalProperties`, "told");
  told.push(`additionalProperties: ${JSON.stringify(stated)}`);
}

function lowerValue(key: string, value: Json, lowering: Lowering, pointer: Pointer): Json {
  switch (key) {
    case "properties":
    case "$defs":
    case "definitions": {
      if (!isJsonObject(value)) return value;
      const result: { [key: string]: Json } = {};
      for (const [name, inner] of Object.entries(value)) {
        const below = `${pointer}/${escapeSegment(name)}`;
        setOwn(result, name, isJsonObject(inner) ? lower(inner, lowering, below) : inner);
      }
      return result;
    }
    case "items":
      return lower(value as JsonObject, lowering, pointer);
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value)
        ? value.map((inner: Json, index) =>
            isJsonObject(inner) ? lower(inner, lowering, `${pointer}/${index}`) : inner,
          )
        : value;
    default:
      return value;
  }
}
