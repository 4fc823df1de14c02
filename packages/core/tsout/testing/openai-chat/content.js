import fc from "fast-check";
import { few, mostly, oneWord, shape, typed } from "../shape.js";
import { arbitraryText, base64, plainText, url } from "../text.js";
const mark = shape({ mode: oneWord("explicit") }, { ttl: oneWord("30m", "12h") });
/** The spelling of some compatible servers. */
const control = typed("ephemeral", {}, { ttl: oneWord("5m", "1h") });
const marks = { prompt_cache_breakpoint: mark };
const textPart = mostly(typed("text", { text: arbitraryText() }, marks), typed("text", { text: plainText, cache_control: control }));
const dataUrl = (...types) => fc
    .tuple(fc.constantFrom(...types), fc.constantFrom("", ";charset=utf-8"), base64)
    .map(([type, parameters, data]) => `data:${type}${parameters};base64,${data}`);
const imagePart = typed("image_url", {
    image_url: shape({ url: mostly(url, dataUrl("image/png", "image/jpeg", "image/jpg", "image/bmp"), arbitraryText()) }, { detail: oneWord("auto", "low", "high", "original") }),
}, marks);
const audioPart = typed("input_audio", { input_audio: shape({ data: base64, format: oneWord("wav", "mp3") }) }, marks);
const filePart = typed("file", {
    file: fc.oneof(shape({ file_data: mostly(dataUrl("application/pdf", "text/plain"), base64) }, { filename: arbitraryText() }), shape({ file_id: oneWord("file-abc123") }, { filename: plainText }), shape({}, { file_data: base64, file_id: oneWord("file-abc123"), filename: plainText })),
}, marks);
const refusalPart = typed("refusal", { refusal: arbitraryText() });
const stringOr = (part) => mostly(arbitraryText(), few(part));
/** Content of instructions and results. */
export const textContent = stringOr(textPart);
/** Content of a user message. Audio and stored files are rare, because not every target takes them. */
export const userContent = mostly(arbitraryText(), few(mostly(textPart, imagePart, filePart)), few(mostly(textPart, audioPart)));
/** Content of an assistant message of a history. */
export const assistantContent = mostly(stringOr(mostly(textPart, refusalPart)), fc.constant(null), fc.constant([]));
//# sourceMappingURL=content.js.map