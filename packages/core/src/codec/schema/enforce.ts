import type { Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject, valueAt } from "../../ir/index.ts";
import type { KeywordListener, SchemaTarget } from "./lower.ts";
import { isObjectSchema, lowerSchema } from "./lower.ts";

/**
 * The schema within the subset of the target, or undefined where enforcing it would forbid what it allows: the services close every object, so
 * a map of any names would admit nothing but `{}`. Also undefined where a reference would lead nowhere. The listener hears only of a schema
 * that comes back.
 */
export function enforceSchema(
  schema: JsonObject,
  target: SchemaTarget,
  onKeyword: KeywordListener,
): JsonObject | undefined {
  if (!isClosable(schema)) return undefined;
  const heard: Parameters<KeywordListener>[] = [];
  const lowered = lowerSchema(schema, target, (...change) => heard.push(change));
  if (!referencesResolve(lowered, lowered)) return undefined;
  for (const change of heard) onKeyword(...change);
  return lowered;
}

/** The schemas directly below a schema that stay when it is lowered. */
function schemasBelow(schema: JsonObject): JsonObject[] {
  const below: Json[] = schema["items"] === undefined ? [] : [schema["items"]];
  for (const key of ["properties", "$defs", "definitions"]) {
    const map = schema[key];
    if (isJsonObject(map)) below.push(...Object.values(map));
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const list = schema[key];
    if (Array.isArray(list)) below.push(...(list as readonly Json[]));
  }
  return below.filter(isJsonObject);
}

function isClosable(schema: JsonObject): boolean {
  if (isObjectSchema(schema) && !isClosableObject(schema)) return false;
  return !closesParts(schema) && schemasBelow(schema).every(isClosable);
}

/** An object whose properties are all named. Without a word on others it may be closed: the named ones are what its author had in mind. */
function isClosableObject(schema: JsonObject): boolean {
  const { additionalProperties, patternProperties, properties } = schema;
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0) return false;
  if (additionalProperties === false) return true;
  return additionalProperties === undefined && isJsonObject(properties);
}

/** True where an object is described in several places: each would be closed against the properties of the others. */
function closesParts(schema: JsonObject): boolean {
  const objectsOf = (key: string): number => {
    const list = schema[key];
    return Array.isArray(list) ? list.filter((part: Json) => isJsonObject(part) && isObjectSchema(part)).length : 0;
  };
  const all = objectsOf("allOf");
  const some = objectsOf("anyOf") + objectsOf("oneOf");
  return all > 1 || (all > 0 && some > 0) || (isObjectSchema(schema) && all + some > 0);
}

function referencesResolve(value: Json, root: JsonObject): boolean {
  if (typeof value !== "object" || value === null) return true;
  const reference = isJsonObject(value) ? value["$ref"] : undefined;
  if (typeof reference === "string" && reference.startsWith("#") && !leadsSomewhere(reference, root)) return false;
  return Object.values(value).every((inner: Json) => referencesResolve(inner, root));
}

/** A fragment that is no pointer names an anchor, and anchors are outside of the subset. */
function leadsSomewhere(reference: string, root: JsonObject): boolean {
  const pointer = reference.slice(1);
  if (pointer !== "" && !pointer.startsWith("/")) return false;
  try {
    return valueAt(root, decodeURIComponent(pointer)) !== undefined;
  } catch {
    return false;
  }
}

/** True where each object of a schema admits and requires exactly its named properties, which OpenAI demands of what it enforces. */
export function isClosed(schema: JsonObject): boolean {
  const { additionalProperties, properties, required } = schema;
  if (isObjectSchema(schema)) {
    if (additionalProperties !== false) return false;
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const demanded = new Set<unknown>(Array.isArray(required) ? required : []);
    if (!names.every((name) => demanded.has(name))) return false;
  }
  return schemasBelow(schema).every(isClosed);
}
