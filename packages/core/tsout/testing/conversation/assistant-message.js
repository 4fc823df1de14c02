import fc from "fast-check";
import { arbitraryJson } from "../json.js";
import { few, maybe, mostly, oneWord, shape } from "../shape.js";
import { arbitraryText, callId, count, identifier, plainText } from "../text.js";
import { modelParts, openCall } from "./parts.js";
import { protocolId } from "./text.js";
/** Counts in disjoint buckets; now and then with a total that contradicts them, or with buckets that nobody reported. */
const usage = fc
    .tuple(shape({ input: count, output: count, cacheRead: count, cacheWrite: count }, {
    reasoning: count,
    toolPrompt: count,
    cacheWriteByTtl: shape({}, { "5m": count, "1h": count, "30m": count }, 1),
    unreported: fc.subarray(["input", "output", "cacheRead", "cacheWrite", "totalTokens"]),
}), maybe(count, 9))
    .map(([buckets, total]) => ({
    ...buckets,
    totalTokens: total ?? buckets.input + buckets.output + buckets.cacheRead + buckets.cacheWrite,
}));
const content = fc
    .tuple(modelParts, few(fc.tuple(openCall, callId), 3, 0), modelParts)
    .map(([before, calls, after]) => [
    ...before,
    ...calls.map(([call, id], index) => ({ ...call, id: `${id}${index}` })),
    ...after,
]);
const stopReasons = oneWord("stop", "toolUse", "length", "error", "pending", "aborted", "deferred");
const stopDetails = oneWord("stopSequence", "pause", "refusal", "contentFilter", "contextOverflow", "compaction", "malformedToolCall", "unknown");
const answer = shape({
    role: oneWord("assistant"),
    content,
    api: protocolId,
    provider: oneWord("openai", "anthropic", "unknown"),
    model: oneWord("m", "claude-opus-4-8"),
    usage,
    stopReason: stopReasons,
    timestamp: mostly(fc.nat(), fc.constant(0)),
}, {
    stopDetail: stopDetails,
    stopSequence: arbitraryText(),
    rawStopReason: oneWord("stop", "end_turn", "constructor"),
    responseModel: plainText,
    responseId: identifier,
    name: plainText,
    thinkingLevel: oneWord("high"),
    providerThinkingLevel: oneWord("high"),
    errorMessage: plainText,
    error: arbitraryJson(),
}, 3);
const message = fc
    .tuple(answer, maybe(few(answer, 2), 7))
    .map(([first, alternatives]) => (alternatives === undefined ? first : { ...first, alternatives }));
/** Answers as an application makes them, without wire: every part, every reason to stop, contradicting counts, further candidates. */
export function arbitraryAssistantMessage() {
    return message;
}
//# sourceMappingURL=assistant-message.js.map