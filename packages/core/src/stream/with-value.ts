import type { Json, JsonObject } from "../ir/index.ts";
import { setOwn } from "../ir/index.ts";

/**
 * The same value with another at the end of a path. The value itself is not changed; what the path does not touch is shared. Containers in `own`
 * are copies already and are changed in place: whoever puts many values into one hands over the same set each time.
 */
export function withValue<T extends Json>(
  target: T,
  segments: readonly string[],
  value: Json,
  own?: Set<Json>,
  depth = 0,
): T {
  const segment = segments[depth];
  if (segment === undefined) return value as T;
  const copy = (
    own?.has(target) === true ? target : Array.isArray(target) ? [...target] : { ...(target as JsonObject) }
  ) as {
    [key: string]: Json;
  };
  own?.add(copy as Json);
  const before = Object.hasOwn(copy, segment) ? copy[segment] : undefined;
  setOwn(copy, segment, withValue(before ?? {}, segments, value, own, depth + 1));
  return copy as unknown as T;
}
