import fc from "fast-check";
import { arbitraryJson, argumentObject, argumentText, jsonObject } from "../json.js";
import { few, maybe, mostly, oneWord, shape, typed, weighted } from "../shape.js";
import { arbitraryText, identifier, plainText, toolName } from "../text.js";
import { audioPart, documentPart, imagePart, videoPart } from "./media.js";
import { nodeFields, opaqueState, protocolId, textPart } from "./text.js";
const thinkingPart = typed("thinking", { thinking: arbitraryText() }, {
    kind: oneWord("full", "summary"),
    state: few(opaqueState("signature", "encrypted", "details", "itemId"), 2),
}, 1);
const refusalPart = typed("refusal", { text: arbitraryText() }, { category: plainText });
const opaquePart = typed("opaque", {
    protocol: protocolId,
    slot: oneWord("block", "part", "item"),
    value: jsonObject.map((value) => ({ ...value, type: "later_block" })),
});
const toolReference = typed("toolReference", { name: toolName }, nodeFields);
/** A call that a service ran by itself, and its result. */
const serverRecord = fc
    .tuple(typed("serverToolCall", { id: identifier, name: oneWord("web_search", "code_execution"), input: arbitraryJson() }, { server: plainText }, 5), typed("serverToolResult", {
    protocol: protocolId,
    value: shape({ type: oneWord("web_search_tool_result"), content: fc.constant([]) }),
}))
    .map(([call, result]) => [call, { ...result, toolCallId: call.id }]);
/** A call without its id, which is unique in a conversation. */
export const openCall = fc
    .tuple(typed("toolCall", { name: toolName, kind: mostly(oneWord("function"), oneWord("custom", "mcp", "computer", "shell", "patch")) }, {
    ...nodeFields,
    namespace: maybe(toolName, 3),
    caller: maybe(typed("direct"), 3),
    argumentsError: maybe(plainText, 3),
    state: few(opaqueState("callId", "itemId", "signature"), 2),
}), argumentText, argumentObject, fc.boolean())
    .map(([call, text, value, asText]) => asText || call.kind === "custom"
    ? { ...call, argumentsText: text }
    : { ...call, arguments: value });
const alone = (item) => item.map((only) => [only]);
/** Parts of an instruction. Media there are rare. */
export const systemParts = few(weighted([12, textPart], [1, imagePart], [1, documentPart], [1, toolReference], [1, opaquePart]), 2, 0);
/** Parts of what the user says. */
export const userParts = few(weighted([12, textPart], [4, imagePart], [3, documentPart], [1, audioPart], [1, videoPart], [1, opaquePart]), 3, 0);
/** Parts of a result. */
export const resultParts = few(weighted([12, textPart], [3, imagePart], [2, documentPart], [1, audioPart], [1, toolReference], [1, refusalPart], [1, opaquePart]), 2, 0);
/** Parts of a turn of the model beside its calls. */
export const modelParts = fc
    .array(weighted([8, alone(textPart)], [5, alone(thinkingPart)], [1, alone(refusalPart)], [1, alone(imagePart)], [1, alone(opaquePart)], [1, serverRecord]), { maxLength: 3 })
    .map((groups) => groups.flat());
//# sourceMappingURL=parts.js.map