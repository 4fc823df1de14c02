import type { Json } from "@rolecall/core";
import { isJsonObject, setOwn } from "@rolecall/core";

/**
 * A copy of a JSON value with the value at a path changed; `undefined` takes it away. What is not on the way to it is shared with the
 * original, which stays as it is.
 */
export function editAt(root: Json, path: readonly string[], edit: (value: Json) => Json | undefined): Json {
  const [segment, ...rest] = path;
  if (segment === undefined) return edit(root) ?? null;
  const change = (value: Json): Json | undefined => (rest.length === 0 ? edit(value) : editAt(value, rest, edit));
  if (Array.isArray(root)) {
    const list = root as readonly Json[];
    const index = Number(segment);
    const value = change(list[index] ?? null);
    return value === undefined ? list.filter((_, place) => place !== index) : list.with(index, value);
  }
  if (!isJsonObject(root)) return root;
  const copy: Record<string, Json> = { ...root };
  const value = change(root[segment] ?? null);
  if (value === undefined) delete copy[segment];
  else setOwn(copy, segment, value);
  return copy;
}
