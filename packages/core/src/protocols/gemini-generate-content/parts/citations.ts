import { loseCitation, reportCitationFields } from "../../../codec/content/citations.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { keep, keepUnknown, knownKeys } from "../../../codec/ledger.ts";
import type { Citation, Json, JsonObject, Part, Pointer, TextPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Report } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import type { CitedText } from "./cited-text.ts";
import { createCitedText } from "./cited-text.ts";

const protocol = "gemini-generate-content";
const metadataKeys = knownKeys("groundingChunks", "groundingSupports");
const sourceKeys = knownKeys("uri", "title");
const supportKeys = knownKeys("segment", "groundingChunkIndices");
const segmentKeys = knownKeys("startIndex", "endIndex", "text", "partIndex");

export interface FoundCitation {
  /** The part that it stands on. */
  readonly index: number;
  readonly citation: Citation;
  /** What it cites: the number and the key of its chunk. */
  readonly source: string;
  /** Where the supports say so. */
  readonly support: Pointer;
}

/** Chunks that name a page of the web or of a map. */
function sourceOf(chunk: Json | undefined): { readonly key: "web" | "maps"; readonly source: JsonObject } | undefined {
  if (!isJsonObject(chunk) || Object.keys(chunk).length !== 1) return undefined;
  const key = isJsonObject(chunk["web"]) ? "web" : "maps";
  const source = chunk[key];
  if (!isJsonObject(source) || typeof source["uri"] !== "string") return undefined;
  return source["title"] === undefined || typeof source["title"] === "string" ? { key, source } : undefined;
}

/**
 * The citations of an answer: what each support says of a piece of text. Where one is not understood there are none, and the whole metadata is
 * residue. `pointer` leads to the metadata.
 */
export function readGrounding(metadata: JsonObject, pointer: Pointer, texts: readonly CitedText[]): FoundCitation[] {
  const { groundingChunks: chunks, groundingSupports: supports } = metadata;
  if (!Array.isArray(chunks) || !Array.isArray(supports)) return [];
  const found: FoundCitation[] = [];
  for (const [position, support] of (supports as readonly Json[]).entries()) {
    const place = isJsonObject(support) ? placeOf(support["segment"], texts) : undefined;
    const indices = isJsonObject(support) ? support["groundingChunkIndices"] : undefined;
    if (place === undefined || !Array.isArray(indices) || indices.length === 0) return [];
    for (const [entry, index] of (indices as readonly Json[]).entries()) {
      const named = typeof index === "number" ? sourceOf(chunks[index] as Json | undefined) : undefined;
      if (named === undefined) return [];
      const { uri, title } = named.source;
      const citation: Citation = {
        type: "url",
        url: uri as string,
        ...(typeof title === "string" && { title }),
        startIndex: place.start,
        endIndex: place.end,
        wire: {
          protocol,
          form: {
            chunk: `${pointer}/groundingChunks/${String(index)}/${named.key}`,
            segment: `${pointer}/groundingSupports/${position}/segment`,
          },
        },
      };
      found.push({
        index: place.index,
        citation,
        source: `${String(index)}/${named.key}`,
        support: `${position}/groundingChunkIndices/${entry}`,
      });
    }
  }
  return found;
}

interface TextPlace {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** The piece of text that a segment names. Its part is often not stated, or wrong; the text that it repeats tells. */
function placeOf(segment: Json | undefined, texts: readonly CitedText[]): TextPlace | undefined {
  if (!isJsonObject(segment)) return undefined;
  const { startIndex = 0, endIndex, text, partIndex = 0 } = segment;
  if (typeof startIndex !== "number" || typeof endIndex !== "number" || startIndex > endIndex) return undefined;
  if (typeof text !== "string") return undefined;
  const named = typeof partIndex === "number" ? textAt(texts, partIndex) : undefined;
  const candidates = texts.length > mostTexts ? [named] : [named, ...texts];
  for (const candidate of candidates) {
    const found = candidate?.find(startIndex, endIndex, text);
    if (candidate !== undefined && found !== undefined) return { index: candidate.index, ...found };
  }
  return undefined;
}

/** Among more texts a segment is not looked for: the client chooses how many there are. */
const mostTexts = 8;

/** The text of a part, among texts in the order of their parts. */
function textAt(texts: readonly CitedText[], part: number): CitedText | undefined {
  let low = 0;
  let high = texts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle] as CitedText).index < part) low = middle + 1;
    else high = middle;
  }
  return texts[low]?.index === part ? texts[low] : undefined;
}

/** Keeps what the citations of an answer do not say of its metadata. */
export function keepGrounding(
  ledger: Ledger,
  metadata: JsonObject,
  prefix: string,
  found: readonly FoundCitation[],
): void {
  keepUnknown(ledger, metadata, metadataKeys, prefix);
  const used = new Set(found.map(({ source }) => source));
  const { groundingChunks: chunks, groundingSupports: supports } = metadata;
  (chunks as readonly Json[]).forEach((chunk, index) => {
    const named = sourceOf(chunk);
    const place = `${prefix}groundingChunks/${index}`;
    if (named === undefined || !used.has(`${index}/${named.key}`)) keep(ledger, place, chunk);
    else keepUnknown(ledger, named.source, sourceKeys, `${place}/${named.key}/`);
  });
  (supports as readonly JsonObject[]).forEach((support, index) => {
    const place = `${prefix}groundingSupports/${index}/`;
    keepUnknown(ledger, support, supportKeys, place);
    keepUnknown(ledger, support["segment"] as JsonObject, segmentKeys, `${place}segment/`);
  });
}

/** The texts of a content, with their places among its parts. */
export function citedTexts(parts: readonly Part[]): CitedText[] {
  return parts.flatMap((part, index) => (part.type === "text" ? [createCitedText(index, part.text)] : []));
}

/** The content with the citations that were found for it. */
export function withCitations(parts: readonly Part[], found: readonly FoundCitation[]): readonly Part[] {
  if (found.length === 0) return parts;
  const lists = new Map<number, Citation[]>();
  for (const { index, citation } of found) {
    const list = lists.get(index);
    if (list === undefined) lists.set(index, [citation]);
    else list.push(citation);
  }
  return parts.map((part, index) => {
    const citations = lists.get(index);
    return citations === undefined ? part : { ...(part as TextPart), citations };
  });
}

/** A text that was written, and its place among the written parts. */
export interface WrittenText {
  readonly part: TextPart;
  readonly index: number;
}

/** A type, for an interface is no JSON. */
type WrittenSupport = { readonly segment: JsonObject; readonly groundingChunkIndices: number[] };

/** Metadata for the citations of an answer; undefined where it has none. */
export function encodeGrounding(
  texts: readonly WrittenText[],
  { report, link }: Pick<Writer, "report" | "link">,
): JsonObject | undefined {
  const chunks: JsonObject[] = [];
  const known = new Map<string, number>();
  const supports = new Map<string, WrittenSupport>();
  for (const { part, index } of texts) {
    let bytes: Uint32Array | undefined;
    for (const citation of part.citations ?? []) {
      const { url, title } = citation;
      if (citation.type !== "url" || url === undefined) {
        loseCitation(citation, report);
        continue;
      }
      const { start, end } = spanOf(citation, part.text, report);
      const web: JsonObject = { uri: url, ...(typeof title === "string" && { title }) };
      const key = JSON.stringify(web);
      const chunk = known.get(key) ?? chunks.push({ web }) - 1;
      known.set(key, chunk);
      const place = `${index}/${start}/${end}`;
      let support = supports.get(place);
      if (support === undefined) {
        bytes ??= bytesBefore(part.text);
        support = { segment: segmentOf(part.text, bytes, index, start, end), groundingChunkIndices: [] };
        supports.set(place, support);
      }
      support.groundingChunkIndices.push(chunk);
      link?.(citation, support);
    }
  }
  if (chunks.length === 0) return undefined;
  return { groundingChunks: chunks, groundingSupports: [...supports.values()] };
}

const outside = { kind: "dropped", detail: "a place outside of the text" } as const;

/** A citation without a place of its own covers its whole text. */
function spanOf(citation: Citation, text: string, report: Report): { readonly start: number; readonly end: number } {
  const { startIndex, endIndex, citedText } = citation;
  if (citedText !== undefined) {
    lose(report, "citation.field", citation, "citedText", { values: { field: "cited text" } });
    if (startIndex === undefined) lose(report, "citation.span", citation, "type");
  } else {
    for (const field of ["startIndex", "endIndex"] as const)
      if (citation[field] === undefined) lose(report, "field.absent", citation, field);
  }
  reportCitationFields(citation, ["sourceIndex", "range", "fileId"], report);
  const start = Math.min(startIndex ?? 0, text.length);
  const end = Math.max(start, Math.min(endIndex ?? text.length, text.length));
  // What is outside of the text has no place in bytes.
  if (startIndex !== undefined && start !== startIndex) lose(report, "citation.span", citation, "startIndex", outside);
  if (endIndex !== undefined && end !== endIndex) lose(report, "citation.span", citation, "endIndex", outside);
  return { start, end };
}

/** The number of bytes in UTF-8 before each place of a text, counted once for all of its citations. */
function bytesBefore(text: string): Uint32Array {
  const bytes = new Uint32Array(text.length + 1);
  let isOpen = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // The half of a pair is written as three bytes, and its other half makes them four.
    const closes = isOpen && unit >= 0xdc00 && unit <= 0xdfff;
    isOpen = unit >= 0xd800 && unit <= 0xdbff;
    const size = unit < 0x80 || closes ? 1 : unit < 0x800 ? 2 : 3;
    bytes[index + 1] = (bytes[index] as number) + size;
  }
  return bytes;
}

function segmentOf(text: string, bytes: Uint32Array, index: number, start: number, end: number): JsonObject {
  const startIndex = bytes[start] as number;
  return {
    ...(index > 0 && { partIndex: index }),
    ...(startIndex > 0 && { startIndex }),
    endIndex: bytes[end] as number,
    text: text.slice(start, end),
  };
}

/** Pointers of residue below the metadata, which is gone when it is written anew. */
export function groundingRest(rest: { readonly [pointer: string]: Json } | undefined, prefix: string): string[] {
  return Object.keys(rest ?? {}).filter((pointer) =>
    [`${prefix}groundingMetadata/groundingChunks`, `${prefix}groundingMetadata/groundingSupports`].some(
      (place) => pointer === place || pointer.startsWith(`${place}/`),
    ),
  );
}
