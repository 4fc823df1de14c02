import type { Json, JsonObject, Loss, RedundancyRule } from "@rolecall/core";
import { escapeSegment, isJsonObject, jsonEqual, pointerSegments, setOwn, valueAt } from "@rolecall/core";
import fc from "fast-check";
import type { Operation } from "../conversion.ts";
import { withAt } from "../edits/edits.ts";

/** A value of a body, and where it stands. */
export interface Place {
  readonly path: readonly string[];
  readonly pointer: string;
  readonly value: Json;
}

const placeOf = (path: readonly string[], value: Json): Place => ({
  path,
  pointer: path.map((key) => `/${escapeSegment(key)}`).join(""),
  value,
});

/** The smallest values of a body: scalars, and empty lists and objects. */
export function leavesOf(value: Json, path: readonly string[] = []): Place[] {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]: [string, Json]) => leavesOf(item, [...path, key]));
  return [placeOf(path, value)];
}

/** Every object of a body, itself among them. */
export function objectsOf(value: Json, path: readonly string[] = []): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]: [string, Json]) => objectsOf(item, [...path, key]));
  return isJsonObject(value) ? [placeOf(path, value), ...inner] : inner;
}

/** A word, and a key, that no body has. */
export const token = "XqZ7";
export const unknownKey = "x_law_probe";

/** Another value of the same type; null and empty containers get something in them. Texts end in the token. */
export function otherValue(value: Json): Json {
  // White space stays white space.
  if (typeof value === "string") return value.trim() === "" && value !== "" ? `${value} ` : value + token;
  if (typeof value === "number") return value > 1e15 || value < 0 ? 7 : value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return "something";
  return Array.isArray(value) ? ["something"] : { something: 1 };
}

/** The body without the value at a path. */
export function withoutAt(body: JsonObject, path: readonly string[]): JsonObject {
  const [key, above] = [path.at(-1) ?? "", path.slice(0, -1)];
  const holder = above.reduce<Json>((value, step) => (value as JsonObject)[step] as Json, body);
  if (Array.isArray(holder)) return withAt<JsonObject>(body, above, holder.toSpliced(Number(key), 1));
  const { [key]: _removed, ...rest } = holder as JsonObject;
  return withAt<JsonObject>(body, above, rest);
}

/** The places of a list that hold the same value as this one, itself among them: of equals nobody knows which is gone. */
export function equalsOf(body: JsonObject, { path, pointer, value }: Place): string[] {
  const above = pointer.slice(0, pointer.lastIndexOf("/"));
  const holder = path.slice(0, -1).reduce<Json>((inner, step) => (inner as JsonObject)[step] as Json, body);
  if (!Array.isArray(holder)) return [pointer];
  return holder.flatMap((item: Json, index) => (jsonEqual(item, value) ? [`${above}/${index}`] : []));
}

/** The body with one key more. */
export function withKey(body: JsonObject, { path, value }: Place, key: string, item: Json): JsonObject {
  const copy: Record<string, Json> = { ...(value as JsonObject) };
  setOwn(copy, key, item);
  return withAt<JsonObject>(body, path, copy);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === "**") return path.some((_, index) => matches(rest, path.slice(index))) || matches(rest, []);
  return path.length > 0 && (first === "*" || first === path[0]) && matches(rest, path.slice(1));
}

/** Which of the places of a body are looked at. */
export const choice: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });

export const chosen = (places: readonly Place[], numbers: readonly number[]): Place[] =>
  numbers.flatMap((number) => places[number % places.length] ?? []);

/** False for blank text of arguments, which means no arguments however blank it is. */
export const isSpeaking = ({ path, value }: Place): boolean =>
  path.at(-1) !== "arguments" || typeof value !== "string" || value.trim() !== "";

/** The value of another key of the object that a path leads into. */
const beside = (body: JsonObject, path: readonly string[], key: string): Json | undefined =>
  valueAt(body, placeOf([...path.slice(0, -1), key], null).pointer) as Json | undefined;

/** True where a rule is about a place and its value. */
export function isCovered(
  rule: RedundancyRule,
  { path, value }: Pick<Place, "path" | "value">,
  operation: string,
): boolean {
  return (
    rule.operation === operation &&
    (rule.values === undefined || rule.values.some((item) => jsonEqual(item, value))) &&
    matches(pointerSegments(rule.path), path)
  );
}

/** What need not show of a value, by the list of its protocol: nothing, that it is gone, or anything. */
export function excuseOf(
  place: Pick<Place, "path" | "value">,
  body: JsonObject,
  rules: readonly RedundancyRule[],
  operation: Operation,
): "none" | "removal" | "always" {
  const isCopy = ({ sameAs }: RedundancyRule): boolean =>
    sameAs === undefined || jsonEqual(beside(body, place.path, sameAs), place.value);
  const found = rules.filter((rule) => isCovered(rule, place, operation) && isCopy(rule));
  if (found.some(({ covers }) => covers === "always")) return "always";
  return found.length > 0 ? "removal" : "none";
}

/** The losses at a place, or above it. The whole body is no place. */
export function lossesAt(pointer: string, losses: readonly Loss[]): Loss[] {
  return losses.filter(({ path }) => path !== "" && (pointer === path || pointer.startsWith(`${path}/`)));
}

/** Those that drop it. */
export function droppedAt(pointer: string, losses: readonly Loss[]): Loss[] {
  return lossesAt(pointer, losses).filter(({ kind }) => kind === "dropped");
}
