import { createLedger, keepUnknown, wireOf } from "../../../codec/ledger.js";
import { unsupportedMedia } from "../../../codec/media/media.js";
import { restore } from "../../../codec/restore.js";
import { isJsonObject } from "../../../ir/index.js";
import { lose } from "../../../loss/index.js";
import { refusalKeys, textKeys } from "../wire.js";
import { decodeMark, encodeMark } from "./cache.js";
import { decodeAudio, decodeFile, decodeImage, encodeAudio, encodeDocument, encodeImage } from "./media.js";
const protocol = "openai-chat";
/**
 * Decodes one content part. A part that is not known, or not of its documented form, is kept whole. `index` is its place in the list at
 * `pointer`, where it is an item of one.
 */
export function decodePart(value, pointer, reader, index) {
    const part = (isJsonObject(value) ? readPart(value) : undefined) ?? { type: "opaque", protocol, slot: "part", value };
    reader.trace.pointers.set(part, pointer, index);
    return part;
}
function readPart(part) {
    switch (part["type"]) {
        case "text":
            return readText(part);
        case "image_url":
            return decodeImage(part);
        case "input_audio":
            return decodeAudio(part);
        case "file":
            return decodeFile(part);
        case "refusal":
            return readRefusal(part);
        default:
            return undefined;
    }
}
function readText(part) {
    const { text } = part;
    if (typeof text !== "string")
        return undefined;
    const ledger = createLedger(protocol);
    keepUnknown(ledger, part, textKeys);
    const cacheBreakpoint = decodeMark(ledger, part);
    const wire = wireOf(ledger);
    const decoded = { type: "text", text };
    if (cacheBreakpoint !== undefined)
        decoded.cacheBreakpoint = cacheBreakpoint;
    if (wire !== undefined)
        decoded.wire = wire;
    return decoded;
}
function readRefusal(part) {
    const { refusal } = part;
    if (typeof refusal !== "string")
        return undefined;
    const ledger = createLedger(protocol);
    keepUnknown(ledger, part, refusalKeys);
    const wire = wireOf(ledger);
    return { type: "refusal", text: refusal, wire: { protocol, ...wire, form: { refusal: "part" } } };
}
/** Encodes one part as content, or reports why there is none. Calls, thinking and refusals of an answer have places of their own. */
export function encodePart(part, writer) {
    switch (part.type) {
        case "text":
            return encodeText(part, writer);
        case "image":
            return encodeImage(part, writer);
        case "audio":
            return encodeAudio(part, writer);
        case "document":
            return encodeDocument(part, writer);
        case "video":
            return unsupportedMedia(writer.report, part, part.source, writer.target, protocol);
        case "refusal": {
            reportRefusalFields(part, writer);
            const object = { type: "refusal", refusal: part.text };
            restore(object, part.wire, protocol);
            writer.link?.(part, object);
            return object;
        }
        case "thinking":
            lose(writer.report, "reasoning.foreign", part, "", {
                values: { from: part.state?.[0]?.protocol ?? "another model" },
            });
            return undefined;
        case "serverToolCall":
        case "serverToolResult":
            lose(writer.report, "server_tool.record", part, "", {
                values: { from: part.wire?.protocol ?? "another service" },
            });
            return undefined;
        case "toolCall":
        case "toolReference":
            lose(writer.report, "tool_result.part", part, "", { values: { type: part.type } });
            return undefined;
        case "opaque":
            if (part.protocol === protocol) {
                writer.link?.(part, part.value);
                return part.value;
            }
            lose(writer.report, "part.opaque", part, "", { values: { slot: part.slot, from: part.protocol } });
            return undefined;
    }
}
function encodeText(part, writer) {
    const object = { type: "text", text: part.text };
    encodeMark(object, part, writer);
    reportTextFields(part, writer);
    restore(object, part.wire, protocol);
    writer.link?.(part, object);
    return object;
}
/** What a text loses whether it is written as a part or as a string. Citations are not accepted in a history. */
export function reportTextFields(part, writer) {
    if (!writer.response)
        for (const citation of part.citations ?? [])
            lose(writer.report, "citation.foreign", citation);
    if (part.phase !== undefined)
        lose(writer.report, "text.phase", part, "phase");
}
/** What a refusal loses wherever it is written. */
export function reportRefusalFields(part, writer) {
    if (part.category !== undefined)
        lose(writer.report, "refusal.detail", part, "category");
    if (part.cacheBreakpoint !== undefined)
        lose(writer.report, "cache.mark", part, "cacheBreakpoint");
}
/** True where the text can stand as a bare string: it carries nothing else that Chat would write. */
export function isBareText(part, writer) {
    if (part.type !== "text")
        return false;
    if (part.wire?.protocol === protocol && part.wire.rest !== undefined)
        return false;
    return part.cacheBreakpoint === undefined || writer.target.marks === "none";
}
//# sourceMappingURL=block.js.map