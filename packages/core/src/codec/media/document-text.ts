import type { DocumentPart, Part } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { mediaName } from "./media.ts";

/** The texts of the parts of a document; what is no text is reported. */
export function flattenedTexts(parts: readonly Part[], report: Report): string[] {
  return parts.flatMap((inner) => {
    if (inner.type === "text") {
      if (inner.cacheBreakpoint !== undefined) lose(report, "cache.mark", inner, "cacheBreakpoint");
      for (const citation of inner.citations ?? []) lose(report, "citation.foreign", citation);
      return [inner.text];
    }
    lose(report, "media.unsupported", inner, "", {
      values: { type: mediaName(inner), source: "part of a document" },
    });
    return [];
  });
}

/** Reports what a document that is sent as text no longer says. */
export function reportTextDocument(part: DocumentPart, report: Report): void {
  if (part.source.type === "text")
    lose(report, "document.field", part, "source/mediaType", { values: { field: "media type" } });
  if (part.citations !== undefined)
    lose(report, "document.field", part, "citations", { values: { field: "request for citations" } });
  if (part.detail !== undefined) lose(report, "media.detail", part, "detail");
}

/** A document as text, under what it says of itself. */
export function documentText(part: DocumentPart, texts: readonly string[]): string {
  const { source } = part;
  const heading = [
    ...(part.title !== undefined ? [`Document: ${part.title}`] : []),
    ...(source.type === "searchResult" ? [`Source: ${source.uri}`] : []),
    ...(part.context !== undefined ? [`Context: ${part.context}`] : []),
  ];
  return [...(heading.length > 0 ? [heading.join("\n")] : []), ...texts].join("\n\n");
}
