/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object; keys in source order. */
export interface JsonObject {
  readonly [key: string]: Json;
}
/** RFC 6901 JSON Pointer: "" is the whole value, "/messages/0" its first message. In `WireForm.rest` the leading "/" is left out. */
export type Pointer = string;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One segment of a JSON Pointer, escaped. */
export function escapeSegment(key: string): string {
  const escaped = key.indexOf("~") >= 0 ? key.replaceAll("~", "~0") : key;
  return escaped.indexOf("/") >= 0 ? escaped.replaceAll("/", "~1") : escaped;
}

export function unescapeSegment(segment: string): string {
  return segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;
}

/** The segments of a pointer, with or without its leading slash. */
export function pointerSegments(pointer: Pointer): string[] {
  if (pointer === "") return [];
  return (pointer.startsWith("/") ? pointer.slice(1) : pointer).split("/").map(unescapeSegment);
}

/** Sets an own property, also for the key `__proto__`, which an assignment would turn into a prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The own value at a pointer, or undefined where nothing is. */
export function valueAt(root: unknown, pointer: Pointer): unknown {
  let value = root;
  for (const segment of pointerSegments(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** Deep equality of JSON values; the order of keys does not matter. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => jsonEqual(item, right[index]))
    );
  }
  if (Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        jsonEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  );
}
