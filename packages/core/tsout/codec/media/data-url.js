/** The key under which the spelling of a data URL stands in the form of its part. */
export const spellingForm = "data_url";
/** Reads what stands before the comma. Scheme, media type and `base64` are the same in upper and lower case. */
function readHead(head) {
    if (!/^data:/i.test(head))
        return undefined;
    const [type = "", ...parameters] = head.slice(5).split(";");
    const isBase64 = parameters.at(-1)?.trim().toLowerCase() === "base64";
    const mediaType = type.trim().toLowerCase();
    return { mediaType, isBase64, hasParameters: parameters.length > (isBase64 ? 1 : 0) };
}
/** A `data:` URL read without regard to case, percent-encoded data as base64. Undefined for other URLs, and without a media type. */
export function readDataUrl(url) {
    const comma = url.indexOf(",");
    const head = comma < 0 ? undefined : readHead(url.slice(0, comma));
    if (head === undefined || head.mediaType === "")
        return undefined;
    const { mediaType } = head;
    const rest = url.slice(comma + 1);
    if (!head.isBase64 || rest.includes("%")) {
        const bytes = readPercentData(rest);
        if (bytes === undefined)
            return undefined;
        return { mediaType, data: head.isBase64 ? bytes : btoa(bytes), spelling: url };
    }
    const start = url.slice(0, comma + 1);
    return { mediaType, data: rest, ...(start !== usualStart(mediaType) && { spelling: start }) };
}
const usualStart = (mediaType) => `data:${mediaType};base64,`;
/** The URL of the data, in the spelling that was read as long as that still says the same. */
export function writeDataUrl(mediaType, data, spelling) {
    if (typeof spelling === "string") {
        const isStart = spelling.endsWith(",") && readHead(spelling.slice(0, -1))?.isBase64 === true;
        const url = isStart ? spelling + data : spelling;
        const read = readDataUrl(url);
        if (read?.mediaType === mediaType && read.data === data)
            return url;
    }
    return usualStart(mediaType) + data;
}
/** True where a spelling has parameters beside the media type. */
export function hasParameters(spelling) {
    return typeof spelling === "string" && readHead(spelling.split(",", 1)[0] ?? "")?.hasParameters === true;
}
/** The bytes that text and percent escapes stand for, one character each; undefined where an escape is broken. */
function readPercentData(text) {
    if (/%(?![0-9a-f]{2})/i.test(text))
        return undefined;
    const bytes = new TextEncoder().encode(text);
    let binary = "";
    for (let index = 0; index < bytes.length; index++) {
        const byte = bytes[index] ?? 0;
        const isEscape = byte === 0x25;
        binary += String.fromCharCode(isEscape ? Number.parseInt(String.fromCharCode(bytes[index + 1] ?? 0, bytes[index + 2] ?? 0), 16) : byte);
        if (isEscape)
            index += 2;
    }
    return binary;
}
//# sourceMappingURL=data-url.js.map