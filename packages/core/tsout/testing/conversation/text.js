import fc from "fast-check";
import { few, maybe, oneWord, shape, typed } from "../shape.js";
import { arbitraryText, base64, plainText, url } from "../text.js";
export const protocolId = oneWord("anthropic-messages", "openai-chat", "openai-responses", "gemini-generate-content");
export const cacheBreakpoint = shape({}, { ttl: oneWord("5m", "1h", "30m", "constructor") });
const origin = shape({}, {
    source: oneWord("operator", "user", "model", "tool", "retrieval", "summary"),
    trust: oneWord("trusted", "untrusted"),
});
/** What any part may carry. */
export const nodeFields = { cacheBreakpoint: maybe(cacheBreakpoint, 2), origin: maybe(origin, 2) };
/** State of a kind, from any issuer. */
export function opaqueState(...kinds) {
    return shape({ protocol: protocolId, kind: fc.constantFrom(...kinds), value: base64 }, {
        provider: oneWord("openai", "anthropic"),
        model: oneWord("m"),
        bindsTo: oneWord("node", "prefix"),
        replay: oneWord("required", "optional", "forbidden"),
    }, 3);
}
const citation = shape({ type: oneWord("url", "document", "searchResult", "file") }, {
    url,
    title: fc.option(plainText),
    citedText: arbitraryText(),
    startIndex: fc.nat(4),
    endIndex: fc.nat(9),
    fileId: fc.option(oneWord("file_abc")),
    sourceIndex: fc.nat(3),
    range: shape({ unit: oneWord("character", "page", "block"), start: fc.nat(4), end: fc.nat(9) }),
    state: few(opaqueState("reference"), 1),
}, 1);
export const textPart = typed("text", { text: arbitraryText() }, {
    ...nodeFields,
    citations: maybe(few(citation, 2, 0), 2),
    phase: maybe(oneWord("commentary", "final_answer"), 2),
    state: maybe(few(opaqueState("signature"), 1), 4),
});
//# sourceMappingURL=text.js.map