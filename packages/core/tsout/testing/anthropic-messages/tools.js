import fc from "fast-check";
import { jsonObject, objectSchema } from "../json.js";
import { few, maybe, mostly, oneWord, pick, shape, typed, weighted } from "../shape.js";
import { arbitraryText, plainText, toolName } from "../text.js";
import { cacheControl, nullOr } from "./content.js";
const common = {
    cache_control: nullOr(cacheControl),
    defer_loading: fc.boolean(),
    strict: fc.boolean(),
    allowed_callers: few(oneWord("direct", "code_execution_20260120"), 2, 0),
};
/** A tool that the client runs. */
export const clientTool = shape({ name: toolName, input_schema: objectSchema }, {
    ...common,
    type: mostly(oneWord("custom"), fc.constant(null)),
    description: arbitraryText(),
    eager_input_streaming: nullOr(fc.boolean()),
    input_examples: few(jsonObject, 2, 0),
});
const hosted = (type, name, fields = {}) => typed(type, { name: fc.constant(name) }, { cache_control: cacheControl, ...fields });
const domains = few(oneWord("example.com", "example.org"), 2);
/** Tools that the service runs or defines. */
const hostedTool = weighted([
    1,
    hosted("web_search_20260318", "web_search", {
        max_uses: nullOr(fc.nat(5)),
        allowed_domains: nullOr(domains),
        user_location: nullOr(typed("approximate", { city: nullOr(plainText) })),
        response_inclusion: oneWord("full", "excluded"),
    }),
], [
    1,
    hosted("web_fetch_20260318", "web_fetch", {
        citations: nullOr(shape({ enabled: fc.boolean() })),
        blocked_domains: domains,
        url_sources: shape({ user_input: typed("all") }),
        use_cache: fc.boolean(),
    }),
], [1, hosted("bash_20250124", "bash", { input_examples: few(jsonObject, 1) })], [1, hosted("text_editor_20250728", "str_replace_based_edit_tool", { max_characters: nullOr(fc.nat(1000)) })], [1, hosted("code_execution_20260521", "code_execution")], [1, hosted("memory_20250818", "memory")], [1, hosted("tool_search_tool_bm25_20251119", "tool_search_tool_bm25")], [1, typed("computer_toolset_20260801", {}, { configs: shape({ zoom: shape({ enabled: fc.boolean() }) }) })], [1, typed("mcp_toolset", { mcp_server_name: plainText }, { default_config: shape({ enabled: fc.boolean() }) })]);
const tools = fc.uniqueArray(mostly(clientTool, hostedTool), {
    maxLength: 4,
    selector: (tool) => tool["name"] ?? tool["type"],
});
const parallel = { disable_parallel_tool_use: fc.boolean() };
const choice = shape({
    choice: weighted([1, typed("auto", {}, parallel)], [1, typed("any", {}, parallel)], [1, typed("tool", {}, parallel)], [1, typed("none")]),
    index: fc.nat(9),
});
/** The fields of a request that are about tools. */
export const toolFields = fc.tuple(maybe(tools, 1), maybe(choice)).map(([list, chosen]) => ({
    ...(list !== undefined && { tools: list }),
    ...(chosen !== undefined && {
        tool_choice: {
            ...chosen.choice,
            ...(chosen.choice["type"] === "tool" && {
                name: String(pick(list ?? [], chosen.index)?.["name"] ?? "not_declared"),
            }),
        },
    }),
}));
//# sourceMappingURL=tools.js.map