import { isJsonObject } from "../ir/index.js";
/** Fields of a detail whose text comes in pieces. */
const texts = ["text", "summary", "data"];
/** Joins pieces of reasoning details: those of one type and index, which follow each other, are one entry. */
export function mergeDetails(before, after) {
    const merged = [...before];
    for (const piece of after) {
        const last = merged.at(-1);
        if (isJsonObject(last) && isJsonObject(piece) && isSameDetail(last, piece)) {
            merged[merged.length - 1] = joinDetail(last, piece);
        }
        else
            merged.push(piece);
    }
    return merged;
}
function isSameDetail(left, right) {
    return left["type"] === right["type"] && left["index"] !== undefined && left["index"] === right["index"];
}
function joinDetail(left, right) {
    const joined = { ...left };
    for (const [key, value] of Object.entries(right)) {
        if (value === null)
            continue;
        const before = joined[key];
        const grows = texts.includes(key) && typeof before === "string" && typeof value === "string";
        joined[key] = grows ? before + value : value;
    }
    return joined;
}
//# sourceMappingURL=details.js.map