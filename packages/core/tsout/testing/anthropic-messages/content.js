import fc from "fast-check";
import { few, mostly, oneWord, shape, typed, weighted } from "../shape.js";
import { arbitraryText, base64, identifier, plainText, url } from "../text.js";
export const nullOr = (value) => mostly(value, fc.constant(null));
/** A cache mark, as blocks, tools and requests carry it. */
export const cacheControl = typed("ephemeral", {}, { ttl: oneWord("5m", "1h") });
const cached = { cache_control: nullOr(cacheControl) };
const cited = { cited_text: arbitraryText() };
const document = { ...cited, document_index: fc.nat(3), document_title: nullOr(plainText) };
/** Citations; `answer` adds the field that only answers have. */
export function citation(answer) {
    const file = answer ? { file_id: nullOr(oneWord("file_abc")) } : {};
    return weighted([1, typed("char_location", { ...document, ...file, start_char_index: fc.nat(20), end_char_index: fc.nat(60) })], [1, typed("page_location", { ...document, ...file, start_page_number: fc.nat(3), end_page_number: fc.nat(6) })], [
        1,
        typed("content_block_location", {
            ...document,
            ...file,
            start_block_index: fc.nat(3),
            end_block_index: fc.nat(6),
        }),
    ], [1, typed("web_search_result_location", { ...cited, encrypted_index: base64, title: nullOr(plainText), url })], [
        1,
        typed("search_result_location", {
            ...cited,
            search_result_index: fc.nat(3),
            source: url,
            title: nullOr(plainText),
            start_block_index: fc.nat(3),
            end_block_index: fc.nat(6),
        }),
    ]);
}
/** A text block of a request. */
export const textBlock = typed("text", { text: arbitraryText() }, { ...cached, citations: nullOr(few(citation(false), 2, 0)) });
const file = typed("file", { file_id: identifier });
const imageBlock = typed("image", {
    source: mostly(typed("base64", { media_type: oneWord("image/png", "image/jpeg", "image/gif", "image/webp"), data: base64 }), typed("url", { url }), file),
}, { ...cached, transformations: nullOr(shape({ oversized_image: oneWord("downsize", "error") })) });
const documentSource = mostly(typed("base64", { media_type: oneWord("application/pdf"), data: base64 }), typed("text", { media_type: oneWord("text/plain"), data: arbitraryText() }), typed("content", { content: mostly(few(mostly(textBlock, imageBlock), 2, 0), arbitraryText()) }), typed("url", { url }), file);
const citationsConfig = shape({}, { enabled: fc.boolean() }, 1);
export const documentBlock = typed("document", { source: documentSource }, { ...cached, title: nullOr(arbitraryText()), context: nullOr(plainText), citations: nullOr(citationsConfig) });
const searchResultBlock = typed("search_result", { source: url, title: arbitraryText(), content: few(textBlock, 2) }, { ...cached, citations: citationsConfig });
const toolReference = typed("tool_reference", { tool_name: plainText }, cached);
const browserState = typed("browser_state", {
    tabs: few(shape({ tab_id: plainText, title: plainText, url }, { active: fc.boolean() }), 1),
});
/** Blocks of a user turn that are no results. */
export const userBlock = weighted([8, textBlock], [2, imageBlock], [2, documentBlock], [1, searchResultBlock], [1, typed("container_upload", { file_id: identifier }, cached)]);
/** Content of a `tool_result`. */
export const resultContent = mostly(arbitraryText(), few(weighted([4, textBlock], [1, imageBlock], [1, documentBlock], [1, searchResultBlock], [1, toolReference], [1, browserState]), 3, 0));
export const thinkingBlock = mostly(typed("thinking", { thinking: arbitraryText(), signature: mostly(base64, fc.constant("")) }), typed("redacted_thinking", { data: base64 }));
//# sourceMappingURL=content.js.map