/** The entry for a word that came from outside, which may be any text, also `constructor` or `__proto__`. */
export function entryOf<T>(table: { readonly [word: string]: T }, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
