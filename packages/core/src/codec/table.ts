/** The entry for a value that came from outside, which may be any text, also `constructor` or `__proto__`, or no text at all. */
export function entryOf<T>(table: { readonly [word: string]: T }, word: unknown): T | undefined {
  return typeof word === "string" && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** The text of a value that came from outside. A list or an object has none: `String` throws for one that has a key `toString`. */
export function scalarText(value: unknown): string {
  return typeof value === "object" && value !== null ? "" : String(value);
}
