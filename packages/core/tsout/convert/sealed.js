import { escapeSegment, isJsonObject, pointerSegments, setOwn, visitNodes } from "../ir/index.js";
import { traceLocator } from "../loss/index.js";
/**
 * Names under which services and gateways put payloads for themselves into fields that no protocol has, such as `thinking_blocks` with their
 * signatures, `provider_specific_fields.thought_signature` or `reasoning_opaque`.
 */
const sealedKey = /(?:^|_)signatures?$|^encrypted_|_opaque$|_credit_token$/;
/** True where both services are known and differ. */
export function crossesIssuers(source, target) {
    const [from, to] = [source?.provider, target?.provider];
    return from !== undefined && to !== undefined && from !== to;
}
/** Where the residue of a conversation holds payloads that only their issuer can read. What the codecs know they decide about themselves. */
export function sealedPlaces({ value, trace }) {
    const locate = traceLocator(trace);
    const places = [];
    visitNodes(value, (node, _pointer, owner = node, field = "") => {
        const prefix = field === "" ? "" : `${field}/`;
        for (const [kind, rest] of [
            [`${prefix}rest:`, node.wire?.rest],
            ["group:", node.wire?.group?.rest],
        ]) {
            for (const pointer in rest) {
                const place = locate(owner, kind + pointer);
                if (place !== undefined)
                    findSealed(rest[pointer], pointerSegments(pointer).at(-1) ?? "", place, places);
            }
        }
    });
    return places;
}
function findSealed(value, key, place, places) {
    if (sealedKey.test(key) && value !== null && value !== "")
        places.push(place);
    else if (Array.isArray(value)) {
        for (const [index, item] of value.entries())
            findSealed(item, "", `${place}/${index}`, places);
    }
    else if (isJsonObject(value)) {
        const isRedacted = value["type"] === "redacted_thinking" && typeof value["data"] === "string";
        if (isRedacted)
            places.push(`${place}/data`);
        for (const name in value) {
            if (isRedacted && name === "data")
                continue;
            findSealed(value[name], name, `${place}/${escapeSegment(name)}`, places);
        }
    }
}
/** A copy of a body without the fields at these places. */
export function withoutPlaces(body, places) {
    return places.reduce((value, place) => withoutField(value, pointerSegments(place)), body);
}
function withoutField(value, [key = "", ...below]) {
    if (Array.isArray(value))
        return value.map((item, index) => (String(index) === key ? withoutField(item, below) : item));
    if (!isJsonObject(value))
        return value;
    const copy = {};
    for (const name in value) {
        if (name !== key)
            setOwn(copy, name, value[name]);
        else if (below.length > 0)
            setOwn(copy, name, withoutField(value[name], below));
    }
    return copy;
}
//# sourceMappingURL=sealed.js.map