import { keysSeen } from "../codec/json/argument-text.js";
import { surveyedPlaces } from "../codec/json/inexact.js";
import { readJson, readText } from "../codec/json/json-text.js";
import { isJsonObject } from "../ir/index.js";
const bodyKeys = ["messages", "contents", "input"];
/**
 * True for a request as it goes over HTTP: what has a `body` and is none. Whatever else stands beside it (`method`, `path`, `url`) may be
 * there.
 */
export function isWireRequest(input) {
    return isJsonObject(input) && "body" in input && !bodyKeys.some((key) => key in input);
}
/**
 * What a protocol puts outside of the body, out of HTTP headers (an object, in any case, or `Headers`) or as a WireRequest states it. Other
 * headers belong to the transport, credentials among them, and are not read.
 */
export function readHeaders(headers) {
    if (typeof headers !== "object" || headers === null)
        return undefined;
    const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
    let version;
    let betas;
    for (const [name, value] of pairs) {
        const lower = name.toLowerCase();
        if ((lower === "version" || lower === "anthropic-version") && typeof value === "string")
            version ??= value;
        if (lower === "betas" || lower === "anthropic-beta")
            betas ??= betasOf(value);
    }
    if (version === undefined && betas === undefined)
        return undefined;
    return { ...(version !== undefined && { version }), ...(betas !== undefined && { betas }) };
}
function betasOf(value) {
    const list = typeof value === "string" ? [value] : value;
    if (!Array.isArray(list))
        return undefined;
    const texts = list.filter((item) => typeof item === "string");
    return texts.flatMap((text) => text.split(",").map((beta) => beta.trim())).filter((beta) => beta !== "");
}
const exact = () => [];
/** Reads a body; the result writes another of the same kind. */
export function readBody(input) {
    if (typeof input === "string")
        return readBodyText(input, (value) => JSON.stringify(value));
    if (input instanceof Uint8Array) {
        return readBodyText(readText(input), (value) => new TextEncoder().encode(JSON.stringify(value)));
    }
    return { value: input, write: (value) => value, isText: false, inexact: exact };
}
function readBodyText(text, write) {
    // Before the text is read: then reading finds it in the processor's cache, and what follows finds the value there.
    const seen = keysSeen(text);
    const value = readJson(text);
    return { value, write, isText: true, inexact: (found) => surveyedPlaces(text, value, found, seen) };
}
export function readRequest(input) {
    if (!isWireRequest(input)) {
        const { value, write, ...rest } = readBody(input);
        return { wire: { body: value }, write: (wire) => write(wire.body), ...rest };
    }
    const { value, write, ...rest } = readBody(input.body);
    const headers = readHeaders(input.headers);
    const url = isJsonObject(input.url) ? input.url : undefined;
    return {
        wire: { body: value, ...(url !== undefined && { url }), ...(headers !== undefined && { headers }) },
        write: (wire) => ({ ...wire, body: write(wire.body) }),
        ...rest,
    };
}
/** What reading the text of a body lost before the body was there. It stands first in the report. */
export function inexactDrafts(places, prefix = "") {
    return places.map(({ path, what }) => ({
        code: what === "number" ? "field.precision" : "field.repeated_key",
        stage: "decode",
        path: prefix + path,
    }));
}
//# sourceMappingURL=input.js.map