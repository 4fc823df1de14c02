import type { Citation } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

const names: { readonly [K in keyof Citation]?: string } = {
  url: "URL",
  citedText: "cited text",
  startIndex: "place in the answer",
  endIndex: "place in the answer",
  fileId: "file",
  sourceIndex: "number of the source",
  range: "place in the source",
};

/** Reports the fields that a citation has and its form in the target does not. */
export function reportCitationFields(citation: Citation, absent: readonly (keyof Citation)[], report: Report): void {
  for (const field of absent) {
    if (citation[field] !== undefined)
      lose(report, "citation.field", citation, field, { values: { field: names[field] ?? field } });
  }
}

/** Reports a citation that has no place in the target. What it cites may stand apart from it in its body. */
export function loseCitation(citation: Citation, report: Report): void {
  lose(report, "citation.foreign", citation);
  for (const field of ["url", "title", "startIndex"] as const)
    if (citation[field] !== undefined && citation[field] !== null) lose(report, "citation.foreign", citation, field);
}
