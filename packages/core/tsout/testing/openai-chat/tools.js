import fc from "fast-check";
import { anySchema } from "../json.js";
import { maybe, mostly, oneWord, pick, shape, typed } from "../shape.js";
import { arbitraryText, plainText, toolName } from "../text.js";
const functionFields = { description: arbitraryText(), parameters: anySchema };
const functionTool = typed("function", {
    function: shape({ name: toolName }, { ...functionFields, strict: fc.constantFrom(true, false, null) }, 1),
}, { cache_control: typed("ephemeral") });
const customTool = typed("custom", {
    custom: shape({ name: toolName }, {
        description: plainText,
        format: mostly(typed("grammar", { grammar: shape({ syntax: oneWord("lark", "regex"), definition: arbitraryText() }) }), typed("text")),
    }, 1),
});
const nameOf = (tool) => {
    const inner = (tool["function"] ?? tool["custom"] ?? tool);
    return inner["name"] ?? tool["type"];
};
const tools = fc.uniqueArray(mostly(functionTool, customTool), {
    maxLength: 4,
    selector: nameOf,
});
const functions = fc.uniqueArray(shape({ name: toolName }, functionFields, 1), {
    maxLength: 2,
    selector: nameOf,
});
const choice = shape({
    kind: oneWord("auto", "none", "required", "named", "allowed", "unknown"),
    index: fc.nat(9),
    mode: oneWord("auto", "required"),
});
function writeChoice(list, { kind, index, mode }) {
    const tool = pick(list, index);
    const name = tool === undefined ? "missing" : String(nameOf(tool));
    switch (kind) {
        case "named":
            return tool?.["type"] === "custom"
                ? { type: "custom", custom: { name } }
                : { type: "function", function: { name } };
        case "allowed":
            return {
                type: "allowed_tools",
                allowed_tools: {
                    mode,
                    tools: list
                        .filter((entry) => entry["type"] === "function")
                        .map((entry) => ({ type: "function", function: { name: String(nameOf(entry)) } })),
                },
            };
        case "unknown":
            return { type: "function", function: { name: "not_declared" } };
        default:
            return kind;
    }
}
/** The fields of a request that are about tools. */
export const toolFields = fc
    .tuple(maybe(tools, 1), maybe(choice), maybe(functions, 9), maybe(oneWord("auto", "none", "named"), 9), maybe(fc.boolean()))
    .map(([list, chosen, old, oldChoice, parallel]) => ({
    ...(list !== undefined && { tools: list }),
    ...(chosen !== undefined && { tool_choice: writeChoice(list ?? [], chosen) }),
    ...(old !== undefined && { functions: old }),
    ...(oldChoice !== undefined && {
        function_call: oldChoice === "named" ? { name: String(old?.[0]?.["name"] ?? "missing") } : oldChoice,
    }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
}));
//# sourceMappingURL=tools.js.map