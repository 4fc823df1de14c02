import { loseCitation, reportCitationFields } from "../../../codec/content/citations.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { keepOdd } from "../../../codec/ledger.ts";
import { entryOf } from "../../../codec/table.ts";
import type { Citation, Json, JsonObject, Pointer, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { acceptsState } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";

const protocol = "anthropic-messages";

type Unit = NonNullable<Citation["range"]>["unit"];

/** The keys of each kind of citation. https://platform.claude.com/docs/en/build-with-claude/citations */
const locations: {
  readonly [type: string]: { readonly unit: Unit; readonly start: string; readonly end: string } | undefined;
} = {
  char_location: { unit: "character", start: "start_char_index", end: "end_char_index" },
  page_location: { unit: "page", start: "start_page_number", end: "end_page_number" },
  content_block_location: { unit: "block", start: "start_block_index", end: "end_block_index" },
};

/** The citations of a text block. One that is not understood leaves the whole list as residue, so that their order stays. */
export function decodeCitations(
  ledger: Ledger,
  block: JsonObject,
  pointer: Pointer,
  reader: Reader,
): Citation[] | undefined {
  const value = block["citations"];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0) return keepOdd(ledger, "citations", value);
  const citations: Citation[] = [];
  for (const item of value) {
    const citation = decodeCitation(item, reader);
    if (citation === undefined) return keepOdd(ledger, "citations", value);
    citations.push(citation);
  }
  citations.forEach((citation, index) => {
    reader.trace.pointers.set(citation, `${pointer}/citations/${index}`);
  });
  return citations;
}

function decodeCitation(value: Json, reader: Reader): Citation | undefined {
  if (!isJsonObject(value) || typeof value["type"] !== "string") return undefined;
  switch (value["type"]) {
    case "char_location":
    case "page_location":
    case "content_block_location":
      return decodeDocumentCitation(value, value["type"]);
    case "web_search_result_location":
      return decodeWebCitation(value, reader);
    case "search_result_location":
      return decodeSearchCitation(value);
    default:
      return undefined;
  }
}

const isTitle = (value: Json | undefined): value is string | null | undefined =>
  value === undefined || value === null || typeof value === "string";

/** True where the object has no key beside these. */
function only(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function decodeDocumentCitation(value: JsonObject, type: string): Citation | undefined {
  const place = entryOf(locations, type);
  if (place === undefined) return undefined;
  const { cited_text: citedText, document_index: sourceIndex, document_title: title, file_id: fileId } = value;
  const start = value[place.start];
  const end = value[place.end];
  if (!only(value, ["type", "cited_text", "document_index", "document_title", "file_id", place.start, place.end]))
    return undefined;
  if (typeof citedText !== "string" || typeof sourceIndex !== "number" || !isTitle(title) || !isTitle(fileId))
    return undefined;
  if (typeof start !== "number" || typeof end !== "number") return undefined;
  return {
    type: "document",
    citedText,
    sourceIndex,
    range: { unit: place.unit, start, end },
    ...(title !== undefined && { title }),
    ...(fileId !== undefined && { fileId }),
  };
}

function decodeWebCitation(value: JsonObject, reader: Reader): Citation | undefined {
  const { cited_text: citedText, encrypted_index: index, title, url } = value;
  if (!only(value, ["type", "cited_text", "encrypted_index", "title", "url"])) return undefined;
  if (typeof citedText !== "string" || typeof index !== "string" || typeof url !== "string" || !isTitle(title))
    return undefined;
  return {
    type: "url",
    url,
    citedText,
    ...(title !== undefined && { title }),
    state: [{ protocol, ...issuedBy(reader.provider), kind: "reference", value: index, replay: "required" }],
  };
}

function decodeSearchCitation(value: JsonObject): Citation | undefined {
  const { cited_text: citedText, search_result_index: sourceIndex, source: url, title } = value;
  const { start_block_index: start, end_block_index: end } = value;
  const keys = ["type", "cited_text", "search_result_index", "source", "title", "start_block_index", "end_block_index"];
  if (!only(value, keys) || typeof citedText !== "string" || typeof sourceIndex !== "number" || typeof url !== "string")
    return undefined;
  if (!isTitle(title) || typeof start !== "number" || typeof end !== "number") return undefined;
  return {
    type: "searchResult",
    url,
    citedText,
    sourceIndex,
    range: { unit: "block", start, end },
    ...(title !== undefined && { title }),
  };
}

/** Writes the citations that the API has a form for; a web citation needs the token that only its own search issues. */
export function encodeCitations(object: { [key: string]: Json | undefined }, part: TextPart, writer: Writer): void {
  if (part.citations === undefined) return;
  const citations: JsonObject[] = [];
  for (const citation of part.citations) {
    const encoded = encodeCitation(citation, writer);
    if (encoded === undefined) {
      loseCitation(citation, writer.report);
      continue;
    }
    writer.link?.(citation, encoded);
    citations.push(encoded);
  }
  if (citations.length > 0) object["citations"] = citations;
}

/** A citation covers its whole block. */
const offsets = ["startIndex", "endIndex"] as const;

function encodeCitation(citation: Citation, { report, target }: Writer): JsonObject | undefined {
  const { title, fileId, citedText, sourceIndex, range, url } = citation;
  if (citedText === undefined) return undefined;
  if (citation.type === "document" && sourceIndex !== undefined && range !== undefined) {
    const [type, place] = Object.entries(locations).find(([, location]) => location?.unit === range.unit) ?? [];
    if (type === undefined || place === undefined) return undefined;
    reportCitationFields(citation, [...offsets, "url"], report);
    return {
      type,
      cited_text: citedText,
      document_index: sourceIndex,
      ...(title !== undefined && { document_title: title }),
      ...(fileId !== undefined && { file_id: fileId }),
      [place.start]: range.start,
      [place.end]: range.end,
    };
  }
  if (citation.type === "searchResult" && sourceIndex !== undefined && range?.unit === "block" && url !== undefined) {
    reportCitationFields(citation, [...offsets, "fileId"], report);
    return {
      type: "search_result_location",
      cited_text: citedText,
      search_result_index: sourceIndex,
      source: url,
      ...(title !== undefined && { title }),
      start_block_index: range.start,
      end_block_index: range.end,
    };
  }
  const index = citation.state?.find((state) => state.kind === "reference" && acceptsState(target, state))?.value;
  if (citation.type !== "url" || url === undefined || typeof index !== "string") return undefined;
  reportCitationFields(citation, [...offsets, "sourceIndex", "range", "fileId"], report);
  return {
    type: "web_search_result_location",
    cited_text: citedText,
    encrypted_index: index,
    ...(title !== undefined && { title }),
    url,
  };
}
