import fc from "fast-check";
import { anySchema, jsonObject, objectSchema } from "../json.js";
import { few, maybe, mostly, oneWord, shape, typed, weighted } from "../shape.js";
import { arbitraryText, plainText, toolName } from "../text.js";
import { cacheBreakpoint } from "./text.js";
const common = {
    cacheBreakpoint: maybe(cacheBreakpoint, 2),
    deferLoading: maybe(fc.boolean(), 2),
    allowedCallers: maybe(few(oneWord("direct", "code_execution_20260120"), 2, 0), 2),
};
const functionTool = typed("function", { name: toolName }, {
    ...common,
    description: arbitraryText(),
    parameters: mostly(objectSchema, anySchema),
    strict: fc.boolean(),
    inputExamples: maybe(few(jsonObject, 2, 0), 2),
    outputSchema: maybe(objectSchema, 2),
}, 1);
const customTool = typed("custom", { name: toolName }, {
    ...common,
    description: plainText,
    format: mostly(typed("grammar", { syntax: oneWord("lark", "regex"), definition: arbitraryText() }), typed("text")),
});
const nameOf = (tool) => (tool.type === "server" ? (tool.name ?? tool.value["type"]) : tool.name);
const namespaceTool = typed("namespace", {
    name: toolName,
    description: plainText,
    tools: fc.uniqueArray(mostly(functionTool, customTool), {
        minLength: 1,
        maxLength: 2,
        selector: nameOf,
    }),
});
/** Tools that a service runs, declared as its protocol does. */
const serverTool = fc
    .constantFrom({
    type: "server",
    protocol: "anthropic-messages",
    name: "web_search",
    value: { type: "web_search_20260318", name: "web_search", max_uses: 2 },
}, {
    type: "server",
    protocol: "anthropic-messages",
    name: "bash",
    value: { type: "bash_20250124", name: "bash", cache_control: { type: "ephemeral" } },
}, {
    type: "server",
    protocol: "openai-responses",
    name: "file_search",
    value: { type: "file_search", vector_store_ids: ["vs"] },
}, { type: "server", protocol: "gemini-generate-content", value: { googleSearch: {} } }, { type: "server", protocol: "openai-chat", name: "browser", value: { type: "browser" } })
    .map((tool) => ({ ...tool }));
/** Tools with different names. */
export const tools = fc.uniqueArray(weighted([6, functionTool], [2, customTool], [1, namespaceTool], [1, serverTool]), { minLength: 1, maxLength: 4, selector: nameOf });
export const toolReferences = few(shape({ name: toolName }), 2);
//# sourceMappingURL=tools.js.map