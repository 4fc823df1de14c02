import { createLedger, keepOdd, keepUnknown, wireField } from "../../../codec/ledger.js";
import { restore } from "../../../codec/restore.js";
import { entryOf } from "../../../codec/table.js";
import { isJsonObject } from "../../../ir/index.js";
import { lose } from "../../../loss/index.js";
import { cacheControlKeys } from "../wire.js";
const protocol = "anthropic-messages";
const plainMark = Object.freeze({});
/** `cache_control` of a block, tool or request. Anything but an ephemeral mark stays residue. */
export function decodeCacheControl(ledger, source) {
    const value = source["cache_control"];
    if (value === undefined)
        return undefined;
    if (!isJsonObject(value) || value["type"] !== "ephemeral")
        return keepOdd(ledger, "cache_control", value);
    const { ttl } = value;
    if (ttl === undefined && Object.keys(value).length === 1)
        return plainMark;
    const own = createLedger(protocol);
    keepUnknown(own, value, cacheControlKeys);
    if (typeof ttl !== "string")
        keepOdd(own, "ttl", ttl);
    return { ...(typeof ttl === "string" && { ttl }), ...wireField(own) };
}
/** OpenAI keeps a prefix for 30 minutes or 12 hours, Anthropic for 5 minutes or an hour: the shortest that is not shorter. */
const ttls = { "30m": "1h", "12h": "1h" };
/** Writes a node's cache mark on `object`. */
export function encodeCacheControl(object, node, lossNode, writer) {
    const { cacheBreakpoint } = node;
    if (cacheBreakpoint === undefined)
        return;
    object["cache_control"] = markObject(cacheBreakpoint, lossNode, "cacheBreakpoint", writer);
    writer.marked.push({ object, node: lossNode });
}
/** Counts the mark of a value that goes out as it came. */
export function noteVerbatimMark(value, node, writer) {
    if (isJsonObject(value) && isJsonObject(value["cache_control"]))
        writer.marked.push({ object: value, node, verbatim: true });
}
/** The mark itself; a time to live that the API does not know becomes the nearest. */
export function markObject(mark, node, field, writer) {
    const object = { type: "ephemeral" };
    if (mark.ttl !== undefined) {
        const known = mark.ttl === "5m" || mark.ttl === "1h" || writer.faithful;
        const ttl = known ? mark.ttl : entryOf(ttls, mark.ttl);
        if (ttl !== undefined)
            object["ttl"] = ttl;
        if (ttl !== mark.ttl) {
            const kind = ttl === undefined ? "dropped" : "approximated";
            lose(writer.report, "cache.ttl", node, `${field}/ttl`, { kind, values: { sent: ttl ?? "the default time" } });
        }
    }
    restore(object, mark.wire, protocol);
    return object;
}
/**
 * Takes the first marks away where there are more than the API accepts: the last ones cover the longest prefix. Those inside of what goes
 * verbatim, and the automatic one of the whole request, count as well but stay.
 */
export function limitMarks(body, writer) {
    const removable = writer.marked.filter((marked) => marked.verbatim !== true);
    const automatic = body["cache_control"] === undefined ? 0 : 1;
    const surplus = writer.marked.length + automatic - writer.target.cacheLimit;
    for (const marked of removable.slice(0, Math.max(0, surplus))) {
        delete marked.object["cache_control"];
        lose(writer.report, "cache.limit", marked.node, "cacheBreakpoint", { values: { to: protocol } });
    }
}
//# sourceMappingURL=cache.js.map