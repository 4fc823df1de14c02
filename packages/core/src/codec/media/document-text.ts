import type { DocumentPart, Part } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { loseCitation } from "../content/citations.ts";
import { mediaName } from "./media.ts";

type TextDocument = DocumentPart & {
  readonly source: Extract<DocumentPart["source"], { readonly type: "text" | "content" | "searchResult" }>;
};

/** True for a document whose content is text, or parts. */
export function isTextDocument(part: DocumentPart): part is TextDocument {
  const { type } = part.source;
  return type === "text" || type === "content" || type === "searchResult";
}

/** A document as text, for a target that has no document of its form. Its title is a heading. */
export function documentText(part: TextDocument, report: Report): string {
  const { source } = part;
  const texts = source.type === "text" ? [source.text] : flattenedTexts(source.content, report);
  lose(report, "document.text", part, source.type === "text" ? "source" : "type");
  if (source.type === "text")
    lose(report, "document.field", part, "source/mediaType", { values: { field: "media type" } });
  if (part.citations !== undefined)
    lose(report, "document.field", part, "citations", { values: { field: "request for citations" } });
  if (part.detail !== undefined) lose(report, "media.detail", part, "detail");
  const heading = [
    ...(part.title !== undefined ? [`Document: ${part.title}`] : []),
    ...(source.type === "searchResult" ? [`Source: ${source.uri}`] : []),
    ...(part.context !== undefined ? [`Context: ${part.context}`] : []),
  ];
  return [...(heading.length > 0 ? [heading.join("\n")] : []), ...texts].join("\n\n");
}

function flattenedTexts(parts: readonly Part[], report: Report): string[] {
  return parts.flatMap((inner) => {
    if (inner.type === "text") {
      if (inner.cacheBreakpoint !== undefined) lose(report, "cache.mark", inner, "cacheBreakpoint");
      for (const citation of inner.citations ?? []) loseCitation(citation, report);
      return [inner.text];
    }
    lose(report, "media.unsupported", inner, "", { values: { type: mediaName(inner), source: "part of a document" } });
    return [];
  });
}
