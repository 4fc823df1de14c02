import { reportCitationFields } from "../../../codec/content/citations.js";
import { keepOdd } from "../../../codec/ledger.js";
import { isJsonObject } from "../../../ir/index.js";
import { lose } from "../../../loss/index.js";
const protocol = "openai-chat";
const keys = ["url", "title", "start_index", "end_index"];
/** The annotations of an answer. One that is not a URL citation leaves the whole list as residue, so that their order stays. */
export function decodeAnnotations(ledger, message, prefix, pointer, reader) {
    const value = message["annotations"];
    if (value === undefined)
        return undefined;
    const citations = readAnnotations(value);
    if (citations === undefined)
        return keepOdd(ledger, "annotations", value, prefix);
    citations.forEach((citation, index) => {
        reader.trace.pointers.set(citation, `${pointer}/annotations/${index}`);
    });
    return citations;
}
/** A list of nothing but URL citations; undefined for any other value. */
export function readAnnotations(value) {
    const citations = Array.isArray(value) && value.length > 0 ? value.map(decodeCitation) : [];
    return citations.length > 0 && citations.every((citation) => citation !== undefined) ? citations : undefined;
}
function decodeCitation(value) {
    const inner = isJsonObject(value) && value["type"] === "url_citation" && Object.keys(value).length === 2
        ? value["url_citation"]
        : undefined;
    if (!isJsonObject(inner))
        return undefined;
    const { url, title, start_index: startIndex, end_index: endIndex } = inner;
    if (!Object.keys(inner).every((key) => keys.includes(key)) || typeof url !== "string")
        return undefined;
    if (!(title === undefined || typeof title === "string"))
        return undefined;
    if (!(startIndex === undefined || typeof startIndex === "number") ||
        !(endIndex === undefined || typeof endIndex === "number"))
        return undefined;
    return {
        type: "url",
        url,
        ...(title !== undefined && { title }),
        ...(startIndex !== undefined && { startIndex }),
        ...(endIndex !== undefined && { endIndex }),
    };
}
/** Annotations for the citations of one text, which stands at `offset` of the whole answer. */
export function encodeCitations(part, offset, report) {
    return (part.citations ?? [])
        .map((citation) => encodeCitation(citation, part, offset, report))
        .filter((item) => item !== undefined);
}
function encodeCitation(citation, part, offset, report) {
    if (citation.type !== "url" || citation.url === undefined) {
        lose(report, "citation.foreign", citation);
        return undefined;
    }
    const foreign = citation.wire?.protocol !== protocol && citation.citedText !== undefined;
    if (foreign) {
        lose(report, "citation.field", citation, "citedText", { values: { field: "cited text" } });
        lose(report, "citation.span", citation, "type");
    }
    reportCitationFields(citation, ["sourceIndex", "range", "fileId"], report);
    const start = citation.startIndex ?? (foreign ? 0 : undefined);
    const end = citation.endIndex ?? (foreign ? part.text.length : undefined);
    const title = citation.title ?? (foreign ? "" : undefined);
    return {
        type: "url_citation",
        url_citation: {
            url: citation.url,
            ...(title !== undefined && { title }),
            ...(start !== undefined && { start_index: start + offset }),
            ...(end !== undefined && { end_index: end + offset }),
        },
    };
}
//# sourceMappingURL=citations.js.map