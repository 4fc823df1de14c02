import fc from "fast-check";
import { argumentObject } from "../json.js";
import { few, maybe, mostly, oneWord, shape, typed, weighted } from "../shape.js";
import { arbitraryText, callId, plainText, toolName } from "../text.js";
import { cacheControl, nullOr, resultContent, textBlock, thinkingBlock, userBlock } from "./content.js";
import { caller, mcpRecord, ownBlock, serverRecord } from "./server-tools.js";
import { clientTool } from "./tools.js";
const alone = (item) => item.map((only) => [only]);
/** Blocks of a model's turn without calls of the client's tools. */
const modelBlocks = fc
    .array(weighted([6, alone(textBlock)], [4, alone(thinkingBlock)], [1, serverRecord], [1, mcpRecord], [1, alone(ownBlock)]), { minLength: 1, maxLength: 3 })
    .map((groups) => groups.flat());
const user = shape({
    role: oneWord("user"),
    content: mostly(arbitraryText(), few(userBlock)),
});
const assistant = shape({
    role: oneWord("assistant"),
    content: mostly(modelBlocks, arbitraryText()),
});
/** A call without its id. */
export const openCall = typed("tool_use", { name: toolName, input: argumentObject }, { cache_control: nullOr(cacheControl), caller, toolset_name: nullOr(plainText) });
const openResult = typed("tool_result", {}, { content: resultContent, is_error: fc.boolean(), cache_control: cacheControl });
/** A turn with calls and the user turn that answers them; now and then with text before the results, one too few or too many. */
const callTurn = shape({
    before: mostly(fc.constant([]), modelBlocks),
    calls: few(shape({ call: openCall, id: callId, result: openResult, place: fc.nat(9) })),
    said: mostly(fc.constant([]), few(userBlock, 2)),
    place: mostly(fc.constant("after"), oneWord("before", "between")),
    fault: mostly(fc.constant("none"), oneWord("missing", "orphan", "reused")),
}).map(({ before, calls, said, place, fault }) => {
    const named = calls.map((call, index) => ({
        ...call,
        id: fault === "reused" ? "toolu_same" : `${call.id}${index || ""}`,
    }));
    const results = [...named]
        .sort((left, right) => left.place - right.place)
        .map(({ id, result }) => ({ ...result, tool_use_id: id }));
    if (fault === "missing")
        results.pop();
    if (fault === "orphan")
        results.push({ type: "tool_result", tool_use_id: "toolu_of_nobody", content: "lost" });
    const cut = place === "before" ? 0 : place === "between" ? Math.min(1, results.length) : results.length;
    const content = [...results.slice(0, cut), ...said, ...results.slice(cut)];
    return [
        { role: "assistant", content: [...before, ...named.map(({ call, id }) => ({ ...call, id }))] },
        ...(content.length > 0 ? [{ role: "user", content }] : []),
    ];
});
const changeOfTools = mostly(typed("tool_addition", { tool: typed("tool_definition", { definition: clientTool }) }, { cache_control: cacheControl }), typed("tool_addition", { tool: typed("tool_reference", { name: toolName }) }), typed("tool_removal", { tool: typed("tool_reference", { name: toolName }) }, { cache_control: cacheControl }), typed("tool_removal", { tool: typed("mcp_toolset_reference", { server_name: plainText }) }));
/** An instruction within the conversation. */
const system = shape({ role: oneWord("system"), content: mostly(arbitraryText(), few(mostly(textBlock, changeOfTools))) }, {
    clear_at: nullOr(oneWord("next_user_message", "never")),
    output_config: nullOr(shape({}, { effort: nullOr(oneWord("low", "high")) }, 1)),
}, 3);
/** The messages of a request. */
export const messages = fc
    .tuple(maybe(user, 0), fc.array(weighted([4, alone(user)], [4, alone(assistant)], [5, callTurn], [1, alone(system)]), { maxLength: 5 }), user)
    .map(([first, groups, only]) => {
    const list = [...(first === undefined ? [] : [first]), ...groups.flat()];
    return list.length === 0 ? [only] : list;
});
//# sourceMappingURL=messages.js.map