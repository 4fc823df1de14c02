import { reportCitationFields } from "../../../codec/content/citations.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, knownKeys, plainWire, spell, wireOf } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import type { Citation, Json, JsonObject, Pointer, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Report } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";

const protocol = "openai-responses";
const urlKeys = knownKeys("type", "url", "title", "start_index", "end_index");
const fileKeys = knownKeys("type", "file_id", "filename", "index", "start_index", "end_index");

/** The annotations of an output text. One that is not understood leaves the whole list as residue, so that their order stays. */
export function decodeAnnotations(
  ledger: Ledger,
  part: JsonObject,
  pointer: Pointer,
  reader: Reader,
): readonly Citation[] | undefined {
  const value = part["annotations"];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length === 0) return keepOdd(ledger, "annotations", value);
  const citations = readAnnotations(value);
  if (citations === undefined) return keepOdd(ledger, "annotations", value);
  citations.forEach((citation, index) => {
    reader.trace.pointers.set(citation, `${pointer}/annotations/${index}`);
  });
  return citations;
}

/** A list of nothing but citations; undefined for any other value. */
function readAnnotations(value: Json | undefined): Citation[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const citations: Citation[] = [];
  for (const item of value) {
    const citation = decodeCitation(item as Json);
    if (citation === undefined) return undefined;
    citations.push(citation);
  }
  return citations;
}

export function decodeCitation(value: Json): Citation | undefined {
  if (!isJsonObject(value)) return undefined;
  switch (value["type"]) {
    case "url_citation":
      return decodeUrl(value);
    case "file_citation":
    case "container_file_citation":
    case "file_path":
      return decodeFile(value, value["type"]);
    default:
      return undefined;
  }
}

const isText = (value: Json | undefined): value is string | undefined =>
  value === undefined || typeof value === "string";
const isCount = (value: Json | undefined): value is number | undefined =>
  value === undefined || typeof value === "number";

function decodeUrl(value: JsonObject): Citation | undefined {
  const { url, title, start_index: startIndex, end_index: endIndex } = value;
  if (typeof url !== "string" || !isText(title) || !isCount(startIndex) || !isCount(endIndex)) return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, urlKeys);
  return {
    type: "url",
    url,
    ...(title !== undefined && { title }),
    ...(startIndex !== undefined && { startIndex }),
    ...(endIndex !== undefined && { endIndex }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

function decodeFile(value: JsonObject, type: string): Citation | undefined {
  const { file_id: fileId, filename, index, start_index: startIndex, end_index: endIndex } = value;
  if (typeof fileId !== "string" || !isText(filename) || !isCount(index)) return undefined;
  if (!isCount(startIndex) || !isCount(endIndex)) return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, value, fileKeys);
  spell(ledger, "type", type);
  return {
    type: "file",
    fileId,
    ...(filename !== undefined && { title: filename }),
    ...(index !== undefined && { sourceIndex: index }),
    ...(startIndex !== undefined && { startIndex }),
    ...(endIndex !== undefined && { endIndex }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

/** A text with citations, of which only the length must be known. */
type CitedText = Pick<TextPart, "citations"> & { readonly text: { readonly length: number } };

/** Annotations for the citations of one text. */
export function encodeCitations(part: CitedText, { report, link }: Pick<Writer, "report" | "link">): JsonObject[] {
  return (part.citations ?? []).flatMap((citation) => {
    const annotation = encodeCitation(citation, part, report);
    if (annotation === undefined) return [];
    link?.(citation, annotation);
    return [annotation];
  });
}

export function encodeCitation(citation: Citation, part: CitedText, report: Report): JsonObject | undefined {
  const isOwn = citation.wire?.protocol === protocol;
  if (citation.type === "file" && typeof citation.fileId === "string") {
    reportCitationFields(citation, ["url", "citedText", "range"], report);
    return encodeFile(citation);
  }
  if (citation.type !== "url" || citation.url === undefined) {
    lose(report, "citation.foreign", citation);
    return undefined;
  }
  if (!isOwn && citation.citedText !== undefined) {
    lose(report, "citation.field", citation, "citedText", { values: { field: "cited text" } });
    lose(report, "citation.span", citation, "type");
  }
  reportCitationFields(citation, ["sourceIndex", "range", "fileId"], report);
  const start = citation.startIndex ?? (isOwn ? undefined : 0);
  // A place without an end is a point; without a beginning, either, the citation is of the whole text.
  const end = citation.endIndex ?? (isOwn ? undefined : (citation.startIndex ?? part.text.length));
  const title = citation.title ?? (isOwn ? undefined : "");
  const object: WireObject = {
    type: "url_citation",
    ...(start !== undefined && { start_index: start }),
    ...(end !== undefined && { end_index: end }),
    url: citation.url,
    ...(title !== undefined && { title }),
  };
  if (!isOwn) {
    for (const [field, key] of [
      ["startIndex", "start_index"],
      ["endIndex", "end_index"],
    ] as const) {
      if (citation[field] === undefined)
        lose(report, "citation.span", undefined, "", { kind: "synthesized", made: { object, field: key } });
    }
  }
  restore(object, citation.wire, protocol);
  return object as JsonObject;
}

function encodeFile(citation: Citation): JsonObject {
  const { fileId, title, sourceIndex, startIndex, endIndex } = citation;
  const type = formOf(citation.wire, protocol, "type") ?? "file_citation";
  const isOwn = citation.wire?.protocol === protocol;
  const index = sourceIndex ?? (isOwn ? undefined : 0);
  const object: WireObject = {
    type,
    file_id: fileId,
    ...(index !== undefined && { index }),
    ...(title !== undefined && title !== null && { filename: title }),
    ...(startIndex !== undefined && { start_index: startIndex }),
    ...(endIndex !== undefined && { end_index: endIndex }),
  };
  restore(object, citation.wire, protocol);
  return object as JsonObject;
}
