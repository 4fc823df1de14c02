import type { Json, JsonObject } from "@rolecall/core";

/** The members of an object that have one of these names. */
export function pick(object: JsonObject, names: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const name of names) if (object[name] !== undefined) picked[name] = object[name];
  return picked;
}
