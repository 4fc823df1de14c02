import { loseCitation, reportCitationFields } from "../../../codec/content/citations.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { keepOdd } from "../../../codec/ledger.ts";
import type { Citation, Json, JsonObject, Pointer, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Report } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";

const protocol = "openai-chat";
const keys = ["url", "title", "start_index", "end_index"];

/** The annotations of an answer. One that is not a URL citation leaves the whole list as residue, so that their order stays. */
export function decodeAnnotations(
  ledger: Ledger,
  message: JsonObject,
  prefix: string,
  pointer: Pointer,
  reader: Reader,
): readonly Citation[] | undefined {
  const value = message["annotations"];
  if (value === undefined) return undefined;
  const citations = readAnnotations(value);
  if (citations === undefined) return keepOdd(ledger, "annotations", value, prefix);
  citations.forEach((citation, index) => {
    reader.trace.pointers.set(citation, `${pointer}/annotations/${index}`);
  });
  return citations;
}

/** A list of nothing but URL citations; undefined for any other value. */
export function readAnnotations(value: Json | undefined): Citation[] | undefined {
  const citations = Array.isArray(value) && value.length > 0 ? value.map(decodeCitation) : [];
  return citations.length > 0 && citations.every((citation) => citation !== undefined) ? citations : undefined;
}

function decodeCitation(value: Json): Citation | undefined {
  const inner =
    isJsonObject(value) && value["type"] === "url_citation" && Object.keys(value).length === 2
      ? value["url_citation"]
      : undefined;
  if (!isJsonObject(inner)) return undefined;
  const { url, title, start_index: startIndex, end_index: endIndex } = inner;
  if (!Object.keys(inner).every((key) => keys.includes(key)) || typeof url !== "string") return undefined;
  if (!(title === undefined || typeof title === "string")) return undefined;
  if (
    !(startIndex === undefined || typeof startIndex === "number") ||
    !(endIndex === undefined || typeof endIndex === "number")
  )
    return undefined;
  return {
    type: "url",
    url,
    ...(title !== undefined && { title }),
    ...(startIndex !== undefined && { startIndex }),
    ...(endIndex !== undefined && { endIndex }),
  };
}

/** A text with citations, of which only the length must be known. */
type CitedText = Pick<TextPart, "citations"> & { readonly text: { readonly length: number } };

/** Annotations for the citations of one text, which stands at `offset` of the whole answer. */
export function encodeCitations(
  part: CitedText,
  offset: number,
  { report, link }: Pick<Writer, "report" | "link">,
): JsonObject[] {
  return (part.citations ?? []).flatMap((citation) => {
    const annotation = encodeCitation(citation, part, offset, report);
    if (annotation === undefined) return [];
    link?.(citation, annotation);
    return [annotation];
  });
}

function encodeCitation(citation: Citation, part: CitedText, offset: number, report: Report): JsonObject | undefined {
  if (citation.type !== "url" || citation.url === undefined) {
    loseCitation(citation, report);
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
  const isUntitled = foreign || (citation.wire !== undefined && citation.wire.protocol !== protocol);
  const title = citation.title ?? (isUntitled ? "" : undefined);
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
