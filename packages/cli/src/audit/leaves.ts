import type { Json, Pointer } from "@rolecall/core";
import { escapeSegment } from "@rolecall/core";

/** A value of a body, and where it stands. */
export interface Place {
  readonly path: readonly string[];
  readonly pointer: Pointer;
  readonly value: Json;
}

export interface Survey {
  /** Values without anything below them: texts, numbers, booleans, nulls and empty containers. */
  readonly leaves: readonly Place[];
  /** Every object, also the body itself and empty ones. */
  readonly objects: readonly Place[];
}

export function pointerOf(path: readonly string[]): Pointer {
  return path.map((segment) => `/${escapeSegment(segment)}`).join("");
}

/** All leaves and objects of a body, in its own order. */
export function survey(body: Json): Survey {
  const leaves: Place[] = [];
  const objects: Place[] = [];
  const visit = (value: Json, path: readonly string[], pointer: Pointer): void => {
    const place = { path, pointer, value };
    if (typeof value !== "object" || value === null) {
      leaves.push(place);
      return;
    }
    if (!Array.isArray(value)) objects.push(place);
    const entries = Object.entries(value as { readonly [key: string]: Json });
    if (entries.length === 0 && path.length > 0) leaves.push(place);
    for (const [key, item] of entries) visit(item, [...path, key], `${pointer}/${escapeSegment(key)}`);
  };
  visit(body, [], "");
  return { leaves, objects };
}

/** A stream of numbers from 0 to 1 that depends on the seed alone. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** At most that many items: one of each kind before a second one of any. */
export function sample<T>(
  items: readonly T[],
  most: number,
  kindOf: (item: T) => string,
  random: () => number,
): readonly T[] {
  if (items.length <= most) return items;
  const kinds = new Map<string, T[]>();
  for (const item of items) {
    const kind = kindOf(item);
    const list = kinds.get(kind);
    if (list === undefined) kinds.set(kind, [item]);
    else list.splice(Math.floor(random() * (list.length + 1)), 0, item);
  }
  const taken: T[] = [];
  for (let round = 0; taken.length < most; round++) {
    for (const list of kinds.values()) {
      const item = list[round];
      if (item !== undefined && taken.length < most) taken.push(item);
    }
  }
  return taken;
}
