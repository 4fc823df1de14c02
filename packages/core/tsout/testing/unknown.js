import fc from "fast-check";
import { isJsonObject, setOwn } from "../ir/index.js";
import { arbitraryJson, jsonObject } from "./json.js";
import { few, mostly, oneWord, shape } from "./shape.js";
import { objectKey } from "./text.js";
/** Without these a body is none of its protocol. */
const structure = new Set(["role", "messages", "choices", "message", "tool_call_id"]);
/** Lists whose elements a protocol may add kinds to. */
const lists = new Set(["content", "system", "tools", "tool_calls", "annotations", "citations"]);
const change = shape({
    kind: oneWord("key", "null", "wrong", "word", "block"),
    place: fc.nat(),
    key: mostly(oneWord("x_later", "extra_content"), objectKey),
    value: arbitraryJson(),
    word: oneWord("later_word", "constructor", "__proto__", "toString", ""),
    block: fc.tuple(oneWord("later_block", "constructor"), jsonObject).map(([type, rest]) => ({ ...rest, type })),
});
function findPlaces(value, key, found) {
    if (Array.isArray(value)) {
        if (lists.has(key))
            found.lists.push(value);
        for (const item of value)
            findPlaces(item, "", found);
        return;
    }
    if (!isJsonObject(value))
        return;
    found.objects.push(value);
    for (const name of Object.keys(value)) {
        const isContent = name === "content" && "role" in value;
        if (!structure.has(name) && !isContent) {
            found.slots.push({ holder: value, key: name });
            if (typeof value[name] === "string")
                found.words.push({ holder: value, key: name });
        }
        findPlaces(value[name], name, found);
    }
}
function apply(body, { kind, place, key, value, word, block }) {
    const found = { objects: [], slots: [], words: [], lists: [] };
    findPlaces(body, "", found);
    const at = (list) => list[place % Math.max(1, list.length)];
    const slot = at(kind === "word" ? found.words : found.slots);
    const list = at(found.lists);
    const object = at(found.objects);
    if (kind === "block")
        list?.splice(place % (list.length + 1), 0, block);
    else if (kind === "key") {
        if (object !== undefined && !Object.hasOwn(object, key))
            setOwn(object, key, value);
    }
    else if (slot !== undefined)
        setOwn(slot.holder, slot.key, kind === "null" ? null : kind === "word" ? word : value);
}
function copyOf(value) {
    return JSON.parse(JSON.stringify(value));
}
/**
 * The same bodies with what a decoder does not expect, at random places: unknown keys, words and blocks, nulls, and values of the wrong type. Some
 * of them are no bodies of their protocol any more.
 */
export function withUnknown(body) {
    return fc.tuple(body, few(change, 4)).map(([usual, changes]) => {
        // Copies: what is drawn is drawn again.
        const copy = copyOf(usual);
        for (const one of changes)
            apply(copy, copyOf(one));
        return copy;
    });
}
//# sourceMappingURL=unknown.js.map