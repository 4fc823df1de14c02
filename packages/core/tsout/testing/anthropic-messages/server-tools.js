import fc from "fast-check";
import { jsonObject } from "../json.js";
import { few, mostly, oneWord, shape, typed } from "../shape.js";
import { arbitraryText, base64, identifier, plainText, toolName, url } from "../text.js";
import { cacheControl, documentBlock, nullOr } from "./content.js";
const caller = mostly(typed("direct"), typed("code_execution_20260120", { tool_id: identifier }));
const cached = { cache_control: cacheControl };
/** Results of hosted tools by the name of the tool, without the id that links them. */
const results = {
    web_search: typed("web_search_tool_result", {
        content: mostly(few(typed("web_search_result", { encrypted_content: base64, title: plainText, url, page_age: nullOr(plainText) }), 2, 0), typed("web_search_tool_result_error", { error_code: oneWord("unavailable", "max_uses_exceeded") })),
    }, { ...cached, caller }),
    web_fetch: typed("web_fetch_tool_result", {
        content: mostly(typed("web_fetch_result", { url, content: documentBlock, retrieved_at: nullOr(plainText) }), typed("web_fetch_tool_result_error", { error_code: oneWord("url_not_allowed") })),
    }),
    code_execution: typed("code_execution_tool_result", {
        content: mostly(typed("code_execution_result", {
            content: few(typed("code_execution_output", { file_id: identifier }), 1, 0),
            return_code: fc.nat(2),
            stderr: arbitraryText(),
            stdout: arbitraryText(),
        }), typed("encrypted_code_execution_result", {
            content: fc.constant([]),
            encrypted_stdout: base64,
            return_code: fc.nat(2),
            stderr: plainText,
        })),
    }, cached),
    bash_code_execution: typed("bash_code_execution_tool_result", {
        content: typed("bash_code_execution_result", {
            content: fc.constant([]),
            return_code: fc.nat(2),
            stderr: plainText,
            stdout: plainText,
        }),
    }),
    text_editor_code_execution: typed("text_editor_code_execution_tool_result", {
        content: typed("text_editor_code_execution_create_result", { is_file_update: fc.boolean() }),
    }),
    tool_search_tool_bm25: typed("tool_search_tool_result", {
        content: typed("tool_search_tool_search_result", {
            tool_references: few(typed("tool_reference", { tool_name: plainText }), 2, 0),
        }),
    }),
    advisor: typed("advisor_tool_result", { content: typed("advisor_result", { text: plainText }) }),
};
/** A call of a hosted tool and, mostly, its result. */
export const serverRecord = fc
    .tuple(oneWord(...Object.keys(results)), identifier, jsonObject, mostly(fc.constant(true), fc.constant(false)), nullOr(caller))
    .chain(([name, id, input, answered, from]) => results[name].map((result) => [
    { type: "server_tool_use", id: `srvtoolu_${id}`, name, input, ...(from !== null && { caller: from }) },
    ...(answered ? [{ ...result, tool_use_id: `srvtoolu_${id}` }] : []),
]));
/** A call of a tool of an MCP server, and its result. */
export const mcpRecord = fc
    .tuple(identifier, toolName, plainText, jsonObject, arbitraryText(), fc.boolean())
    .map(([id, name, server, input, text, isError]) => [
    { type: "mcp_tool_use", id: `mcptoolu_${id}`, name, server_name: server, input },
    { type: "mcp_tool_result", tool_use_id: `mcptoolu_${id}`, content: [{ type: "text", text }], is_error: isError },
]);
/** Blocks of a model's turn that only this protocol has. */
export const ownBlock = mostly(typed("compaction", {}, { content: nullOr(plainText), encrypted_content: nullOr(base64), signature: nullOr(base64) }), typed("fallback", { from: shape({ model: plainText }), to: shape({ model: plainText }) }), typed("container_upload", { file_id: identifier }), typed("mcp_tool_listing", { mcp_server_name: plainText, tools: fc.constant([]) }));
export { caller };
//# sourceMappingURL=server-tools.js.map