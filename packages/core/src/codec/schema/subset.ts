import type { Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject, valueAt } from "../../ir/index.ts";
import type { SchemaTarget } from "./lower.ts";
import { isKept, isObjectSchema } from "./lower.ts";

const maps = ["properties", "$defs", "definitions"] as const;
const lists = ["anyOf", "oneOf", "allOf"] as const;
const types: ReadonlySet<unknown> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const annotations: ReadonlySet<string> = new Set(["description", "title", "$defs", "definitions"]);

/** What stands directly below a schema in the place of a schema, of the keywords that stay when it is lowered. */
function placesBelow(schema: JsonObject): Json[] {
  const { items } = schema;
  const below: Json[] = items === undefined ? [] : [items];
  for (const key of maps) {
    const map = schema[key];
    if (isJsonObject(map)) below.push(...Object.values(map));
  }
  for (const key of lists) {
    const list = schema[key];
    if (Array.isArray(list)) below.push(...(list as readonly Json[]));
  }
  return below;
}

/** The schemas directly below a schema that stay when it is lowered. */
export const schemasBelow = (schema: JsonObject): JsonObject[] => placesBelow(schema).filter(isJsonObject);

/** What a reference within the schema leads to. A fragment that is no pointer names an anchor, and anchors are outside of both subsets. */
export function referencedSchema(reference: Json | undefined, root: JsonObject): JsonObject | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const pointer = reference.slice(1);
  if (pointer !== "" && !pointer.startsWith("/")) return undefined;
  try {
    const value = valueAt(root, decodeURIComponent(pointer));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True where the service enforces the schema as it stands: closed objects, keywords of the subset alone, references to schemas within it.
 * Anthropic takes no recursion, and OpenAI none without a property or an item between.
 */
export function isEnforceable(root: JsonObject, target: SchemaTarget): boolean {
  const isOpenAi = target === "openai-strict";
  if (isOpenAi && root["type"] !== "object") return false;
  const schemas = new Set<Json>([root]);
  for (const schema of schemas) {
    if (!isJsonObject(schema) || !isWithin(schema, target)) return false;
    for (const below of placesBelow(schema)) schemas.add(below);
  }
  const steps = new Map<JsonObject, JsonObject[]>();
  for (const schema of schemas as ReadonlySet<JsonObject>) {
    const below = isOpenAi ? (schema["anyOf"] as readonly JsonObject[] | undefined) : schemasBelow(schema);
    const step = [...(below ?? [])];
    if (schema["$ref"] !== undefined) {
      const referenced = referencedSchema(schema["$ref"], root);
      if (referenced === undefined || !schemas.has(referenced)) return false;
      step.push(referenced);
    }
    steps.set(schema, step);
  }
  return !recurs(steps);
}

function recurs(steps: ReadonlyMap<JsonObject, readonly JsonObject[]>): boolean {
  const states = new Map<JsonObject, "open" | "done">();
  const leadsBack = (schema: JsonObject): boolean => {
    const state = states.get(schema);
    if (state !== undefined) return state === "open";
    states.set(schema, "open");
    const found = (steps.get(schema) ?? []).some(leadsBack);
    states.set(schema, "done");
    return found;
  };
  return [...steps.keys()].some(leadsBack);
}

/** The schema alone, without those below it. */
function isWithin(schema: JsonObject, target: SchemaTarget): boolean {
  for (const [key, value] of Object.entries(schema)) {
    if (key === "additionalProperties" ? value !== false : !isKept(key, schema, target)) return false;
    if ((key === "description" || key === "title") && typeof value !== "string") return false;
    if (maps.some((map) => map === key) && !isJsonObject(value)) return false;
    if (lists.some((list) => list === key) && !(Array.isArray(value) && value.length > 0)) return false;
  }
  return isStatedAsTaken(schema, target) && isClosedObject(schema, target) && isListOfItems(schema, target);
}

/** A schema says what it is of: a type, a choice, a reference. What constrains a value beside a reference or OpenAI's `anyOf` is not taken. */
function isStatedAsTaken(schema: JsonObject, target: SchemaTarget): boolean {
  const { type, anyOf, allOf } = schema;
  const standsAlone = (word: string): boolean =>
    Object.keys(schema).every((key) => key === word || annotations.has(key));
  if ("$ref" in schema) return standsAlone("$ref");
  if (
    type !== undefined &&
    !(Array.isArray(type) ? type.length > 0 && type.every((one) => types.has(one)) : types.has(type))
  )
    return false;
  if (target === "openai-strict") return anyOf === undefined ? type !== undefined : standsAlone("anyOf");
  if (Array.isArray(allOf) && allOf.some((part: Json) => isJsonObject(part) && "$ref" in part)) return false;
  return ["type", "anyOf", "allOf", "enum", "const"].some((key) => key in schema);
}

/** What a closed object requires is among its properties, or it would admit nothing. OpenAI demands that it requires all of them. */
function isClosedObject(schema: JsonObject, target: SchemaTarget): boolean {
  const { additionalProperties, properties = {}, required = [] } = schema;
  if (!Array.isArray(required)) return false;
  const names = Object.keys(properties as JsonObject);
  const named = new Set<Json>(names);
  if (!required.every((name: Json) => named.has(name))) return false;
  if (!isObjectSchema(schema)) return true;
  return (
    additionalProperties === false && (target !== "openai-strict" || names.every((name) => required.includes(name)))
  );
}

/** OpenAI takes no list without a word on its items. */
function isListOfItems({ type, items }: JsonObject, target: SchemaTarget): boolean {
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  return !isList || items !== undefined || target !== "openai-strict";
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
