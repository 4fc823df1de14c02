/** The entry for a word that came from outside, which may be any text, also `constructor` or `__proto__`. */
export function entryOf(table, word) {
    return Object.hasOwn(table, word) ? table[word] : undefined;
}
//# sourceMappingURL=table.js.map