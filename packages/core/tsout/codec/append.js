/**
 * Adds an item to a list that begins with its first one. Most lists of a message stay empty or get one item, and an empty list that is pushed to
 * takes room for 17.
 */
export function append(list, item) {
    if (list === undefined)
        return [item];
    list.push(item);
    return list;
}
//# sourceMappingURL=append.js.map