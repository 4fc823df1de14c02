import type { Json, JsonObject } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { KeywordListener, SchemaTarget } from "./lower.ts";
import { isObjectSchema, lowerSchema } from "./lower.ts";
import { isEnforceable, referencedSchema, schemasBelow } from "./subset.ts";

/**
 * The schema within the subset of the target, or undefined where it cannot be said there, or where enforcing it would forbid what it allows:
 * the services close every object, so a map of any names would admit nothing but `{}`, and an object described in several places nothing at
 * all. The listener hears only of a schema that comes back.
 */
export function enforceSchema(
  schema: JsonObject,
  target: SchemaTarget,
  onKeyword: KeywordListener,
): JsonObject | undefined {
  if (!isClosable(schema, { root: schema, holders: new Map() })) return undefined;
  const heard: Parameters<KeywordListener>[] = [];
  const lowered = lowerSchema(schema, target, (...change) => heard.push(change));
  if (!isEnforceable(lowered, target)) return undefined;
  for (const change of heard) onKeyword(...change);
  return lowered;
}

interface Closing {
  readonly root: JsonObject;
  /** Whether an object is in a schema or below it, through references too. */
  readonly holders: Map<JsonObject, boolean>;
}

function isClosable(schema: JsonObject, closing: Closing): boolean {
  if (isObjectSchema(schema) && !isClosableObject(schema)) return false;
  // An id of its own changes where references lead, and it goes.
  if (schema !== closing.root && "$id" in schema) return false;
  return !closesParts(schema, closing) && schemasBelow(schema).every((below) => isClosable(below, closing));
}

/** An object whose properties are all named. Without a word on others it may be closed: the named ones are what its author had in mind. */
function isClosableObject(schema: JsonObject): boolean {
  const { additionalProperties, patternProperties, properties, unevaluatedProperties = false } = schema;
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0) return false;
  if (namesMore(schema)) return false;
  if (additionalProperties === false) return true;
  return additionalProperties === undefined && unevaluatedProperties === false && isJsonObject(properties);
}

/** True where a condition of the object speaks of properties that the object itself does not name. */
function namesMore(schema: JsonObject): boolean {
  const own = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const dependent = ["dependentSchemas", "dependencies"].flatMap((key) => {
    const map = schema[key];
    return isJsonObject(map) ? Object.values(map) : [];
  });
  const required = Object.values(isJsonObject(schema["dependentRequired"]) ? schema["dependentRequired"] : {});
  const isUnnamed = (name: Json): boolean => typeof name === "string" && !Object.hasOwn(own, name);
  return [schema["then"], schema["else"], ...dependent, ...required].some((part) => {
    if (Array.isArray(part)) return part.some(isUnnamed);
    if (!isJsonObject(part)) return false;
    if (["$ref", "allOf", "anyOf", "oneOf", "then", "else"].some((key) => key in part)) return true;
    const demanded = Array.isArray(part["required"]) ? (part["required"] as readonly Json[]) : [];
    return [...Object.keys(isJsonObject(part["properties"]) ? part["properties"] : {}), ...demanded].some(isUnnamed);
  });
}

/**
 * True where an object is described in several places: each would be closed against the properties of the others. Nothing stands beside a
 * reference in what is enforced.
 */
function closesParts(schema: JsonObject, closing: Closing): boolean {
  const { anyOf, oneOf, allOf, items } = schema;
  const holds = (part: Json | undefined): boolean => isJsonObject(part) && holdsObject(part, closing);
  const parts = [
    isObjectSchema(schema) || holds(items),
    listOf(anyOf).some(holds),
    listOf(oneOf).some(holds),
    ...listOf(allOf).map(holds),
  ];
  return parts.filter(Boolean).length > 1;
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

function holdsObject(schema: JsonObject, closing: Closing): boolean {
  const known = closing.holders.get(schema);
  if (known !== undefined) return known;
  // Until it is known: a schema that leads back to itself holds nothing more by that.
  closing.holders.set(schema, false);
  const referenced = referencedSchema(schema["$ref"], closing.root);
  const holds =
    isObjectSchema(schema) ||
    (referenced !== undefined && holdsObject(referenced, closing)) ||
    schemasBelow(schema).some((below) => holdsObject(below, closing));
  closing.holders.set(schema, holds);
  return holds;
}
