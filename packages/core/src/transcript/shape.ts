import { DecodeError } from "../errors/index.ts";
import type { Json, JsonObject, Pointer } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";

/** What a field holds: a type of JSON, or one of some words. */
type Kind = "text" | "number" | "true or false" | "an object" | "a list" | "anything" | readonly string[];
/** Fields by name; a question mark at the end of the name makes one optional. */
export type Shape = { readonly [field: string]: Kind };

const tests: { readonly [kind: string]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  "true or false": (value) => typeof value === "boolean",
  "an object": isJsonObject,
  "a list": Array.isArray,
  anything: (value) => value !== undefined,
};

export function refuse(pointer: Pointer, what: string): DecodeError {
  return new DecodeError(pointer, `${pointer || "/"}: ${what}`);
}

/** What a value is, in a word that shows nothing of it. */
export function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "text" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The value as an object, or a DecodeError that says what should stand there. */
export function expectObject(value: unknown, pointer: Pointer, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw refuse(pointer, `this is ${describe(value)}; give ${what}`);
}

/** The value as a list, or a DecodeError that says what should stand there. */
export function expectList(value: unknown, pointer: Pointer, what: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw refuse(pointer, `this is ${describe(value)}; give ${what}`);
}

/** Throws a DecodeError where a field is not what the shape says. Fields that the shape does not name are the host's own. */
export function checkShape(object: JsonObject, shape: Shape, pointer: Pointer): void {
  for (const field in shape) {
    const isOptional = field.endsWith("?");
    const name = isOptional ? field.slice(0, -1) : field;
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (isOptional && value === undefined) continue;
    const kind = shape[field] as Kind;
    if (typeof kind === "string") {
      if (tests[kind]?.(value) !== true)
        throw refuse(`${pointer}/${name}`, `${name} is ${describe(value)}; give ${kind}`);
    } else if (!kind.includes(value as string)) {
      const choice = kind.map((word) => `"${word}"`).join(", ");
      throw refuse(
        `${pointer}/${name}`,
        `${name} is ${typeof value === "string" ? "no such word" : describe(value)}; give one of ${choice}`,
      );
    }
  }
}
