import type { Json, JsonObject, Pointer, Profile } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";

/** A request as rules see it: its body, and what is known of the server that it goes to. */
export interface RequestView {
  readonly body: JsonObject;
  /** With the model, version and betas that the request itself states. */
  readonly profile: Profile;
  /** The path of its URL, where it is known. */
  readonly path?: string;
}

/** An object of a body with its place. */
export interface Placed {
  readonly object: JsonObject;
  readonly path: Pointer;
}

/** The objects of a list, each with its place. What is no list has none. */
export function objectsOf(value: Json | undefined, path: Pointer): readonly Placed[] {
  if (!Array.isArray(value)) return [];
  const placed: Placed[] = [];
  (value as readonly Json[]).forEach((item, index) => {
    if (isJsonObject(item)) placed.push({ object: item, path: `${path}/${index}` });
  });
  return placed;
}

export const messagesOf = ({ body }: RequestView): readonly Placed[] => objectsOf(body["messages"], "/messages");

/** The parts or blocks of a message. A string has none. */
export const partsOf = ({ object, path }: Placed): readonly Placed[] => objectsOf(object["content"], `${path}/content`);

/** True for a value that says something. */
export const isStated = (value: Json | undefined): value is Exclude<Json, null> =>
  value !== undefined && value !== null;

/** Those of the items that have a key which an earlier one has. */
export function repeated<T>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    if (key === undefined) return false;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}
