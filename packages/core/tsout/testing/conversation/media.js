import fc from "fast-check";
import { few, mostly, oneWord, typed, weighted } from "../shape.js";
import { arbitraryText, base64, identifier, plainText, url } from "../text.js";
import { nodeFields, textPart } from "./text.js";
/** Data or a link; now and then a file that some service stores, which no protocol takes without knowing whose it is. */
const source = (...mediaTypes) => weighted([8, typed("base64", { mediaType: fc.constantFrom(...mediaTypes), data: base64 })], [4, typed("url", { url }, { mediaType: fc.constantFrom(...mediaTypes) })], [1, typed("file", { fileId: identifier })]);
export const imagePart = typed("image", { source: source("image/png", "image/jpeg", "image/jpg", "image/bmp", "constructor") }, { ...nodeFields, detail: oneWord("auto", "low", "high", "original") });
export const audioPart = typed("audio", { source: source("audio/wav", "audio/mpeg", "audio/mp3", "constructor") }, { ...nodeFields, transcript: arbitraryText(), expiresAt: fc.nat() });
export const videoPart = typed("video", { source: source("video/mp4") }, nodeFields);
const inner = few(mostly(textPart, imagePart), 2, 0);
const documentSource = mostly(source("application/pdf", "text/csv"), typed("text", { text: arbitraryText(), mediaType: oneWord("text/plain", "text/markdown") }), typed("content", { content: inner }), typed("searchResult", { uri: url, content: inner }));
export const documentPart = typed("document", { source: documentSource }, {
    ...nodeFields,
    title: arbitraryText(),
    context: plainText,
    detail: oneWord("auto", "low", "high"),
    citations: fc.boolean(),
});
//# sourceMappingURL=media.js.map