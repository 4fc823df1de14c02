import type { Pointer, TraceEntry } from "@rolecall/core";

/** The way of every node over two conversions: from the source of the first, by way of its IR, to the target of the second. */
export function joined(first: readonly TraceEntry[], second: readonly TraceEntry[]): TraceEntry[] {
  const byTarget = new Map<Pointer, TraceEntry[]>();
  for (const entry of first)
    if (entry.target !== undefined) byTarget.set(entry.target, [...(byTarget.get(entry.target) ?? []), entry]);
  return second.flatMap(({ source, target }) => {
    if (source === undefined || target === undefined) return [];
    // The second may tell more nodes apart than the first wrote.
    for (let place = source; ; place = place.slice(0, place.lastIndexOf("/"))) {
      const found = byTarget.get(place);
      if (found !== undefined) return found.map((entry) => ({ ...entry, target }));
      if (place === "") return [];
    }
  });
}
