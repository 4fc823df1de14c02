import fc from "fast-check";
import { argumentText, jsonObject } from "../json.js";
import { few, maybe, mostly, oneWord, shape, weighted } from "../shape.js";
import { arbitraryText, base64, callId, plainText, toolName } from "../text.js";
import { assistantContent, textContent, userContent } from "./content.js";
const instruction = shape({ role: oneWord("system", "developer"), content: textContent }, { name: plainText }, 5);
const user = shape({ role: oneWord("user"), content: userContent }, { name: plainText }, 5);
/** Behind the compatible API of Gemini messages and calls are signed. */
export const signed = shape({
    google: shape({ thought_signature: base64 }, { thought: fc.boolean() }, 1),
});
/** Fields in which compatible servers give reasoning, and take it back. */
const reasoning = {
    reasoning_content: arbitraryText(),
    reasoning: plainText,
    reasoning_details: few(shape({ type: oneWord("reasoning.encrypted"), data: plainText }), 2),
    extra_content: signed,
    thought_signature: base64,
};
/** Of messages with two texts of reasoning, some have the same in both. */
export function sometimesTwice(message) {
    return fc.tuple(message, fc.boolean()).map(([fields, same]) => {
        const { reasoning_content: text, reasoning: other } = fields;
        return same && text !== undefined && other !== undefined ? { ...fields, reasoning: text } : fields;
    });
}
const assistant = sometimesTwice(shape({ role: oneWord("assistant"), content: assistantContent }, {
    name: plainText,
    refusal: mostly(plainText, fc.constant(null)),
    audio: shape({ id: oneWord("audio_abc") }),
    ...reasoning,
}, 8));
/** A call without its id. */
export const openCall = mostly(shape({ type: oneWord("function"), function: shape({ name: toolName, arguments: argumentText }) }, { extra_content: signed }, 8), shape({ type: oneWord("custom"), custom: shape({ name: toolName, input: arbitraryText() }) }));
/** A turn with calls and the messages that answer them, in any order; now and then one too few, too many, or apart. */
const callTurn = shape({
    turn: sometimesTwice(shape({ role: oneWord("assistant") }, { content: mostly(arbitraryText(), fc.constant(null)), refusal: fc.constant(null), ...reasoning }, 2)),
    calls: few(shape({ call: openCall, id: callId, result: textContent, place: fc.nat(9) })),
    fault: mostly(fc.constant("none"), oneWord("missing", "orphan", "reused")),
    apart: maybe(user, 9),
}).map(({ turn, calls, fault, apart }) => {
    const named = calls.map((call, index) => ({
        ...call,
        id: fault === "reused" ? "call_same" : `${call.id}${index || ""}`,
    }));
    const results = [...named]
        .sort((left, right) => left.place - right.place)
        .map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result }));
    if (fault === "missing")
        results.pop();
    if (fault === "orphan")
        results.push({ role: "tool", tool_call_id: "call_of_nobody", content: "lost" });
    return [
        { ...turn, tool_calls: named.map(({ call, id }) => ({ id, ...call })) },
        ...(apart === undefined ? [] : [apart]),
        ...results,
    ];
});
/** The deprecated form of one call and its result. */
const functionTurn = shape({
    name: toolName,
    text: argumentText,
    result: mostly(arbitraryText(), fc.constant(null)),
}).map(({ name, text, result }) => [
    { role: "assistant", content: null, function_call: { name, arguments: text } },
    { role: "function", name, content: result },
]);
const alone = (message) => message.map((only) => [only]);
const emptyTurn = shape({ role: oneWord("assistant") }, { tool_calls: fc.constant([]), note: jsonObject });
/** The messages of a request. */
export const messages = fc
    .tuple(mostly(few(instruction, 1, 0), few(instruction, 2)), user, fc.array(weighted([4, alone(user)], [4, alone(assistant)], [5, callTurn], [1, alone(instruction)], [1, functionTurn], [1, alone(emptyTurn)]), { maxLength: 5 }))
    .map(([head, first, groups]) => [...head, first, ...groups.flat()]);
//# sourceMappingURL=messages.js.map