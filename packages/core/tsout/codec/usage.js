import { isJsonObject, jsonEqual } from "../ir/index.js";
import { lose } from "../loss/index.js";
/** The usage of an answer whose service said nothing about it. */
export const unreportedUsage = Object.freeze({
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    unreported: Object.freeze(["input", "output", "cacheRead", "cacheWrite", "totalTokens"]),
});
/** Reports what a foreign usage cannot be trusted in: counts that are missing, and counts that contradict the service's own total. */
export function reportDoubts(usage, report) {
    for (const bucket of ["input", "output"])
        if (usage.unreported?.includes(bucket) === true)
            lose(report, "field.absent", usage, bucket);
    reportInconsistency(usage, report);
}
/** Reports counts that contradict the service's own total, before they are written elsewhere. */
function reportInconsistency(usage, report) {
    const sum = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
    if (usage.totalTokens === sum || usage.unreported?.includes("totalTokens") === true)
        return;
    lose(report, "usage.inconsistent", usage, "input");
}
/** Spelling of a usage whose written tokens the service gives by time to live only: their sum is ours. */
export const summedForm = { key: "cacheWrite", value: "sum" };
/** True where the counts by time to live are all in the count of written tokens. */
export function isSummed(usage) {
    return usage.wire?.form?.[summedForm.key] === summedForm.value;
}
/** True where nothing at all was reported. */
export function isUnreported(usage) {
    return usage.raw === undefined && usage.unreported?.includes("input") === true && usage.unreported.includes("output");
}
/** The service's own usage object, while it still says what the IR says and the target is its own protocol. */
export function ownUsage(usage, protocol, decode) {
    if (usage.wire?.protocol !== protocol || !isJsonObject(usage.raw))
        return undefined;
    const { cost: _cost, ...counts } = usage;
    return jsonEqual(decode(usage.raw), counts) ? usage.raw : undefined;
}
//# sourceMappingURL=usage.js.map