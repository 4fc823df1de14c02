import type { Ledger } from "../../../codec/ledger.ts";
import {
  createLedger,
  keep,
  keepOdd,
  keepUnknown,
  plainWire,
  readString,
  spell,
  wireField,
  wireOf,
} from "../../../codec/ledger.ts";
import { readDataUrl, spellingForm, writeDataUrl } from "../../../codec/media/data-url.ts";
import { documentText, isTextDocument } from "../../../codec/media/document-text.ts";
import { mediaName, reportMediaType, sourceName, unsupportedMedia } from "../../../codec/media/media.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type { AudioPart, DocumentPart, ImagePart, JsonObject, MediaSource, Part } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { audioKeys, fileInnerKeys, fileKeys, imageKeys, imageUrlKeys, inputAudioKeys } from "../wire.ts";
import { decodeMark, encodeMark, orphanedMarks } from "./cache.ts";

const protocol = "openai-chat";
const details = ["low", "high", "original"] as const;

function decodeUrl(ledger: Ledger, url: string): MediaSource {
  const data = readDataUrl(url);
  if (data === undefined) return { type: "url", url };
  if (data.spelling !== undefined) spell(ledger, spellingForm, data.spelling);
  return { type: "base64", mediaType: data.mediaType, data: data.data };
}

export function decodeImage(part: JsonObject): Part | undefined {
  const image = part["image_url"];
  const ledger = createLedger(protocol);
  keepUnknown(ledger, part, imageKeys);
  const cacheBreakpoint = decodeMark(ledger, part);
  const mark = { ...(cacheBreakpoint !== undefined && { cacheBreakpoint }) };
  if (typeof image === "string") {
    spell(ledger, "image_url", "string");
    return { type: "image", source: decodeUrl(ledger, image), ...mark, ...wireField(ledger) };
  }
  if (!isJsonObject(image) || typeof image["url"] !== "string") return undefined;
  keepUnknown(ledger, image, imageUrlKeys, "image_url/");
  const { detail } = image;
  const known = details.find((word) => word === detail);
  if (detail === "auto") spell(ledger, "detail", "auto");
  else if (known === undefined) keepOdd(ledger, "image_url/detail", detail);
  const source = decodeUrl(ledger, image["url"]);
  return { type: "image", source, ...(known !== undefined && { detail: known }), ...mark, ...wireField(ledger) };
}

const audioTypes: { readonly [format: string]: string } = { mp3: "audio/mpeg" };
const audioFormats: { readonly [type: string]: string } = {
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
};

const audioType = (format: string): string => entryOf(audioTypes, format) ?? `audio/${format}`;

export function decodeAudio(part: JsonObject): Part | undefined {
  const audio = part["input_audio"];
  if (!isJsonObject(audio) || typeof audio["data"] !== "string" || typeof audio["format"] !== "string")
    return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, part, audioKeys);
  keepUnknown(ledger, audio, inputAudioKeys, "input_audio/");
  const cacheBreakpoint = decodeMark(ledger, part);
  const mediaType = audioType(audio["format"]);
  return {
    type: "audio",
    source: { type: "base64", mediaType, data: audio["data"] },
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    ...wireField(ledger),
  };
}

export function decodeFile(part: JsonObject): Part | undefined {
  const { file } = part;
  if (!isJsonObject(file)) return undefined;
  const { file_data: data, file_id: fileId } = file;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, part, fileKeys);
  keepUnknown(ledger, file, fileInnerKeys, "file/");
  const title = readString(ledger, file, "filename", "file/");
  const cacheBreakpoint = decodeMark(ledger, part);
  let source: MediaSource;
  if (typeof data === "string") {
    const url = readDataUrl(data);
    if (url === undefined) spell(ledger, "file_data", "bare");
    else if (url.spelling !== undefined) spell(ledger, spellingForm, url.spelling);
    source = { type: "base64", mediaType: url?.mediaType ?? "application/octet-stream", data: url?.data ?? data };
    if (fileId !== undefined) keep(ledger, "file/file_id", fileId);
  } else if (typeof fileId === "string") {
    source = { type: "file", fileId };
    keepOdd(ledger, "file/file_data", data);
  } else return undefined;
  return {
    type: "document",
    source,
    ...(title !== undefined && { title }),
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    // A file id means something to its own service only, so the part says which.
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

function dataUrl(part: Part, mediaType: string, data: string): string {
  return writeDataUrl(mediaType, data, formOf(part.wire, protocol, spellingForm));
}

function finish(object: WireObject, part: Part, writer: Writer): JsonObject {
  encodeMark(object, part, writer);
  restore(object, part.wire, protocol, orphanedMarks(object, part, writer));
  writer.link?.(part, object);
  return object as JsonObject;
}

export function encodeImage(part: ImagePart, writer: Writer): JsonObject | undefined {
  const { source, detail } = part;
  if (source.type === "file") return unsupportedMedia(writer.report, part, source, writer.target, protocol);
  reportMediaType(writer.report, part, source);
  const url = source.type === "url" ? source.url : dataUrl(part, source.mediaType, source.data);
  if (formOf(part.wire, protocol, "image_url") === "string" && detail === undefined)
    return finish({ type: "image_url", image_url: url }, part, writer);
  const stated = detail ?? (formOf(part.wire, protocol, "detail") === "auto" ? "auto" : undefined);
  return finish(
    { type: "image_url", image_url: { url, ...(stated !== undefined && { detail: stated }) } },
    part,
    writer,
  );
}

export function encodeAudio(part: AudioPart, writer: Writer): JsonObject | undefined {
  const { source } = part;
  if (source.type !== "base64") return unsupportedMedia(writer.report, part, source, writer.target, protocol);
  const format = entryOf(audioFormats, source.mediaType) ?? source.mediaType.replace(/^audio\//, "");
  const mediaType = audioType(format);
  if (mediaType !== source.mediaType)
    lose(writer.report, "media.type", part, "source/mediaType", { replacement: mediaType });
  if (part.transcript !== undefined)
    lose(writer.report, "document.field", part, "transcript", { values: { field: "transcript" } });
  if (part.expiresAt !== undefined)
    lose(writer.report, "document.field", part, "expiresAt", { values: { field: "expiry" } });
  return finish({ type: "input_audio", input_audio: { data: source.data, format } }, part, writer);
}

/** A document as a file part, or as text where Chat has no such document. */
export function encodeDocument(part: DocumentPart, writer: Writer): JsonObject | undefined {
  if (isTextDocument(part)) return finish({ type: "text", text: documentText(part, writer.report) }, part, writer);
  const source = part.source as MediaSource;
  switch (source.type) {
    case "url":
      lose(writer.report, "media.unsupported", part, "", {
        values: { type: mediaName(part), source: sourceName(source) },
      });
      return undefined;
    case "file":
      if (part.wire?.protocol === protocol && writer.target.fileInput) {
        reportMediaType(writer.report, part, source);
        return encodeFile(part, { file_id: source.fileId }, writer);
      }
      return unsupportedMedia(writer.report, part, source, writer.target, protocol);
    case "base64": {
      if (!writer.target.fileInput) {
        lose(writer.report, "media.unsupported", part, "", {
          values: { type: mediaName(part), source: sourceName(source) },
        });
        return undefined;
      }
      const bare = formOf(part.wire, protocol, "file_data") === "bare";
      return encodeFile(part, { file_data: bare ? source.data : dataUrl(part, source.mediaType, source.data) }, writer);
    }
  }
}

const fileNames: { readonly [type: string]: string } = { "application/pdf": "document.pdf" };

function encodeFile(part: DocumentPart, file: WireObject, writer: Writer): JsonObject {
  reportFields(part, writer);
  if (part.title !== undefined) file["filename"] = part.title;
  else if (!writer.faithful && part.source.type === "base64") {
    file["filename"] = entryOf(fileNames, part.source.mediaType) ?? "document";
    lose(writer.report, "document.name", undefined, "", {
      made: { object: file, field: "filename" },
      values: { to: protocol },
    });
  }
  return finish({ type: "file", file: file as JsonObject }, part, writer);
}

function reportFields(part: DocumentPart, writer: Writer): void {
  if (part.context !== undefined)
    lose(writer.report, "document.field", part, "context", { values: { field: "context" } });
  if (part.citations !== undefined)
    lose(writer.report, "document.field", part, "citations", { values: { field: "request for citations" } });
  if (part.detail !== undefined) lose(writer.report, "media.detail", part, "detail");
}
