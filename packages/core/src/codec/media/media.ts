import type { DocumentPart, MediaSource, Part, Profile, ProtocolId } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import { refuse } from "../refuse.ts";
import { hasParameters, spellingForm } from "./data-url.ts";

const aliases: { readonly [type: string]: string } = {
  image: "an image",
  audio: "audio",
  video: "a video",
  document: "a document",
};

/** The name of a kind of media for a report. */
export function mediaName(part: Part): string {
  return aliases[part.type] ?? `a ${part.type}`;
}

/** Media types that a report may name. Any other could be a text of the client's. */
const namedTypes: ReadonlySet<string> = new Set([
  ...["application/json", "application/pdf", "text/csv", "text/html", "text/markdown", "text/plain"],
  ...["image/avif", "image/bmp", "image/gif", "image/heic", "image/jpeg", "image/png", "image/svg+xml", "image/tiff"],
  ...["image/webp", "audio/aac", "audio/flac", "audio/mpeg", "audio/ogg", "audio/wav", "audio/webm"],
  ...["video/mp4", "video/mpeg", "video/quicktime", "video/webm"],
]);

/** How a source is called in a report. */
export function sourceName(source: DocumentPart["source"]): string {
  switch (source.type) {
    case "base64":
    case "text":
      return namedTypes.has(source.mediaType) ? source.mediaType : "data of another media type";
    case "url":
      return "URL";
    case "file":
      return "a file id of another service";
    case "content":
      return "content blocks";
    case "searchResult":
      return "a search result";
  }
}

/**
 * Refuses media that the target cannot have at all, unless the target profile asks for the fallback `drop`. The way out is the caller's:
 * upload the file to the target, send its data, or leave it out.
 */
export function unsupportedMedia(
  report: Report,
  part: Part,
  source: DocumentPart["source"] | MediaSource,
  target: Profile,
  protocol: ProtocolId,
): undefined {
  if (target.fallbacks?.["media"] !== "drop") {
    const what = `${protocol} cannot take ${mediaName(part)} as ${sourceName(source)}`;
    refuse("media", part, "", `${what}: send its data, or leave it out with target.fallbacks.media: "drop"`, [
      "media: drop",
    ]);
  }
  lose(report, "media.unsupported", part, "", { values: { type: mediaName(part), source: sourceName(source) } });
  return undefined;
}

/** Reports the media type of a link or stored file, which the target finds out by itself. */
export function reportMediaType(report: Report, part: Part, source: DocumentPart["source"] | MediaSource): void {
  if ((source.type === "url" || source.type === "file") && source.mediaType !== undefined)
    lose(report, "document.field", part, "source/mediaType", { values: { field: "media type" } });
}

/** Reports parameters of a data URL, which the target's sources have no place for. */
export function reportParameters(report: Report, part: Part, source: DocumentPart["source"] | MediaSource): void {
  if (source.type === "base64" && hasParameters(part.wire?.form?.[spellingForm]))
    lose(report, "media.parameters", part, "source/mediaType");
}
