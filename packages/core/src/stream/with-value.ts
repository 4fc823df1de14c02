import type { Json, JsonObject } from "../ir/index.ts";

/** The same value with another at the end of a path. The value itself is not changed; what the path does not touch is shared. */
export function withValue<T extends Json>(target: T, segments: readonly string[], value: Json, depth = 0): T {
  const segment = segments[depth];
  if (segment === undefined) return value as T;
  const copy = (Array.isArray(target) ? [...target] : { ...(target as JsonObject) }) as { [key: string]: Json };
  copy[segment] = withValue(copy[segment] ?? {}, segments, value, depth + 1);
  return copy as unknown as T;
}
