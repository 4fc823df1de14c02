import { lose } from "../../loss/index.js";
const names = {
    url: "URL",
    citedText: "cited text",
    startIndex: "place in the answer",
    endIndex: "place in the answer",
    fileId: "file",
    sourceIndex: "number of the source",
    range: "place in the source",
};
/** Reports the fields that a citation has and its form in the target does not. */
export function reportCitationFields(citation, absent, report) {
    for (const field of absent) {
        if (citation[field] !== undefined)
            lose(report, "citation.field", citation, field, { values: { field: names[field] ?? field } });
    }
}
//# sourceMappingURL=citations.js.map