import { loseCitation } from "../../../codec/content/citations.ts";
import { mediaName } from "../../../codec/media/media.ts";
import type { DocumentPart, Part } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { reportMark } from "./cache.ts";

/** A document of text as plain text, its title as a heading; undefined for one that is sent as data or as a link. */
export function documentText(part: DocumentPart, writer: Writer): string | undefined {
  const { source } = part;
  if (source.type !== "text" && source.type !== "content" && source.type !== "searchResult") return undefined;
  const { report } = writer;
  lose(report, "document.text", part, source.type === "text" ? "source" : "type");
  if (source.type === "text")
    lose(report, "document.field", part, "source/mediaType", { values: { field: "media type" } });
  if (part.citations !== undefined)
    lose(report, "document.field", part, "citations", { values: { field: "request for citations" } });
  if (part.detail !== undefined) lose(report, "media.detail", part, "detail");
  reportMark(part, writer);
  const texts = source.type === "text" ? [source.text] : flattenedTexts(source.content, writer);
  const heading = [
    ...(part.title !== undefined ? [`Document: ${part.title}`] : []),
    ...(source.type === "searchResult" ? [`Source: ${source.uri}`] : []),
    ...(part.context !== undefined ? [`Context: ${part.context}`] : []),
  ];
  return [...(heading.length > 0 ? [heading.join("\n")] : []), ...texts].join("\n\n");
}

function flattenedTexts(parts: readonly Part[], writer: Writer): string[] {
  return parts.flatMap((inner) => {
    if (inner.type === "text") {
      reportMark(inner, writer);
      for (const citation of inner.citations ?? []) loseCitation(citation, writer.report);
      return [inner.text];
    }
    lose(writer.report, "media.unsupported", inner, "", {
      values: { type: mediaName(inner), source: "part of a document" },
    });
    return [];
  });
}
