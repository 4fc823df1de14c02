import fc from "fast-check";
import { arbitraryJson } from "../json.js";
import { few, maybe, mostly, oneWord, shape, weighted } from "../shape.js";
import { arbitraryText, callId, plainText, toolName } from "../text.js";
import { modelParts, openCall, resultParts, systemParts, userParts } from "./parts.js";
import { cacheBreakpoint, nodeFields } from "./text.js";
import { toolReferences, tools } from "./tools.js";
const section = shape({ name: oneWord("style", "task", "constructor"), text: fc.option(arbitraryText()) });
const systemFields = {
    lifetime: oneWord("always", "nextUserTurn", "untilReplaced"),
    scope: plainText,
    delegatesTo: oneWord("system", "developer", "user"),
    sections: few(section, 2, 0),
    effort: oneWord("low", "high"),
    timestamp: fc.nat(),
};
/** An instruction at the front, which holds the tools of the request. */
const head = shape({ role: oneWord("system"), authority: oneWord("system", "developer"), content: systemParts }, { ...systemFields, toolsAdded: maybe(tools, 0) }, 3);
/** An instruction within the conversation; it may add and withdraw tools. */
const instruction = shape({
    role: oneWord("system"),
    authority: oneWord("system", "developer", "user", "guideline"),
    content: systemParts,
}, { ...systemFields, toolsAdded: tools, toolsRemoved: toolReferences }, 3);
const user = shape({ role: oneWord("user"), content: userParts }, { name: plainText, timestamp: fc.nat(), origin: nodeFields["origin"] }, 5);
const assistant = shape({ role: oneWord("assistant"), content: modelParts }, { name: plainText, timestamp: fc.nat() }, 5);
const openResult = shape({ role: oneWord("toolResult"), content: resultParts, isError: fc.boolean() }, {
    toolName,
    value: maybe(arbitraryJson(), 2),
    details: maybe(arbitraryJson(), 2),
    cacheBreakpoint,
    timestamp: fc.nat(),
}, 3);
/**
 * A turn with calls and its results: in any order, one too few, one of nobody, one answered twice, one before its call, or with messages
 * between the turn and its results.
 */
const callTurn = shape({
    before: modelParts,
    after: mostly(fc.constant([]), modelParts),
    calls: few(shape({ call: openCall, id: callId, result: openResult, place: fc.nat(9) })),
    fault: mostly(fc.constant("none"), oneWord("missing", "orphan", "twice", "early")),
    apart: mostly(fc.constant([]), few(weighted([3, user], [1, instruction], [1, assistant]), 2)),
});
function writeTurn({ before, after, calls, fault, apart }, turn) {
    const named = calls.map((item, index) => ({ ...item, id: `${item.id}${turn}${index}` }));
    const results = [...named]
        .sort((left, right) => left.place - right.place)
        .map(({ id, result }) => ({ ...result, toolCallId: id }));
    const first = results[0];
    if (fault === "missing" || fault === "early")
        results.shift();
    if (fault === "orphan")
        results.push({ ...first, toolCallId: "call_of_nobody" });
    if (fault === "twice")
        results.push({ ...first });
    const content = [...before, ...named.map(({ call, id }) => ({ ...call, id })), ...after];
    return [...(fault === "early" ? [first] : []), { role: "assistant", content }, ...apart, ...results];
}
/** The messages of a conversation, with ids of calls that stand once. */
export const messages = fc
    .tuple(maybe(head, 1), fc.array(weighted([4, user], [3, assistant], [4, callTurn], [1, instruction]), {
    minLength: 1,
    maxLength: 6,
}))
    .map(([first, items]) => [
    ...(first === undefined ? [] : [first]),
    ...items.flatMap((item, index) => ("calls" in item ? writeTurn(item, index) : [item])),
]);
//# sourceMappingURL=messages.js.map