export function isJsonObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** One segment of a JSON Pointer, escaped. */
export function escapeSegment(key) {
    return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
export function unescapeSegment(segment) {
    return segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;
}
/** The segments of a pointer, with or without its leading slash. */
export function pointerSegments(pointer) {
    if (pointer === "")
        return [];
    return (pointer.startsWith("/") ? pointer.slice(1) : pointer).split("/").map(unescapeSegment);
}
/** Sets an own property, also for the key `__proto__`, which an assignment would turn into a prototype. */
export function setOwn(target, key, value) {
    if (key === "__proto__")
        Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    else
        target[key] = value;
}
/** The own value at a pointer, or undefined where nothing is. */
export function valueAt(root, pointer) {
    let value = root;
    for (const segment of pointerSegments(pointer)) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment))
            return undefined;
        value = value[segment];
    }
    return value;
}
/** Deep equality of JSON values; the order of keys does not matter. */
export function jsonEqual(left, right) {
    if (left === right)
        return true;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
        return false;
    if (Array.isArray(left)) {
        return (Array.isArray(right) && left.length === right.length && left.every((item, index) => jsonEqual(item, right[index])));
    }
    if (Array.isArray(right))
        return false;
    const keys = Object.keys(left);
    return (keys.length === Object.keys(right).length &&
        keys.every((key) => Object.hasOwn(right, key) &&
            jsonEqual(left[key], right[key])));
}
//# sourceMappingURL=json.js.map