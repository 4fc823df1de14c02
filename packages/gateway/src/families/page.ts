import type { ModelEntry } from "@rolecall/core";
import { DecodeError } from "@rolecall/core";

/** The most entries that vendors give on a page. */
const MOST = 1000;

/** How many entries a client asks for by this parameter; undefined where it does not say. */
export function readSize(query: URLSearchParams, parameter: string): number | undefined {
  const stated = query.get(parameter);
  if (stated === null) return undefined;
  const size = Number(stated);
  if (!Number.isInteger(size) || size < 1 || size > MOST)
    throw new DecodeError(`/${parameter}`, `a page has from 1 to ${MOST} models`);
  return size;
}

/** The index of the model that this parameter names; undefined where it names none. */
export function findEntry(
  models: readonly ModelEntry[],
  query: URLSearchParams,
  parameter: string,
): number | undefined {
  const id = query.get(parameter);
  if (id === null || id === "") return undefined;
  const index = models.findIndex((model) => model.id === id);
  if (index < 0) throw new DecodeError(`/${parameter}`, "no model of the list has this name");
  return index;
}
