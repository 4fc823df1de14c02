import { escapeSegment, isJsonObject } from "../../ir/index.js";
export function createUsageTally() {
    return { raw: undefined, origins: {} };
}
/** Takes over what a frame states: counts are cumulative, a null says nothing. `pointer` leads to the object from the root of the stream. */
export function addUsage(tally, stated, pointer) {
    tally.raw = mergeUsage(tally.raw ?? {}, stated);
    for (const key of Object.keys(stated))
        if (stated[key] !== null || tally.origins[key] === undefined)
            tally.origins[escapeSegment(key)] = pointer;
    return tally.raw;
}
function mergeUsage(before, after) {
    const merged = { ...before };
    for (const [key, value] of Object.entries(after)) {
        const old = merged[key];
        if (value === null && old !== undefined)
            continue;
        merged[key] = isJsonObject(old) && isJsonObject(value) ? mergeUsage(old, value) : value;
    }
    return merged;
}
//# sourceMappingURL=usage.js.map