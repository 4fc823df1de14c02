import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, plainWire, readString, spell, wireOf } from "../../../codec/ledger.ts";
import { readDataUrl, spellingForm, writeDataUrl } from "../../../codec/media/data-url.ts";
import { documentText, isTextDocument } from "../../../codec/media/document-text.ts";
import { reportMediaType, unsupportedMedia } from "../../../codec/media/media.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, restore } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type { DocumentPart, ImagePart, Json, JsonObject, MediaSource, Part } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { fileKeys, imageKeys } from "../wire.ts";
import { decodeMark, encodeMark } from "./cache.ts";

const protocol = "openai-responses";
const imageDetails = ["low", "high", "original"] as const;
const fileDetails = ["low", "high"] as const;

function readUrl(ledger: Ledger, url: string): MediaSource {
  const data = readDataUrl(url);
  if (data === undefined) return { type: "url", url };
  if (data.spelling !== undefined) spell(ledger, spellingForm, data.spelling);
  return { type: "base64", mediaType: data.mediaType, data: data.data };
}

/** The level of detail; the stated default is a spelling. */
function readDetail<T extends string>(ledger: Ledger, detail: Json | undefined, known: readonly T[]): T | undefined {
  const found = known.find((word) => word === detail);
  if (detail === "auto") spell(ledger, "detail", "auto");
  else if (found === undefined) keepOdd(ledger, "detail", detail);
  return found;
}

export function decodeImage(part: JsonObject): Part | undefined {
  const { image_url: url, file_id: fileId } = part;
  const ledger = createLedger(protocol);
  let source: MediaSource;
  if (typeof url === "string") {
    source = readUrl(ledger, url);
    keepOdd(ledger, "file_id", fileId);
  } else if (typeof fileId === "string") {
    source = { type: "file", fileId };
    keepOdd(ledger, "image_url", url);
  } else return undefined;
  keepUnknown(ledger, part, imageKeys);
  const detail = readDetail(ledger, part["detail"], imageDetails);
  const cacheBreakpoint = decodeMark(ledger, part);
  return {
    type: "image",
    source,
    ...(detail !== undefined && { detail }),
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    // A file id means something to its own service only, so the part says which.
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

export function decodeFile(part: JsonObject): Part | undefined {
  const { file_data: data, file_url: url, file_id: fileId } = part;
  const ledger = createLedger(protocol);
  let source: MediaSource;
  let used: string;
  if (typeof data === "string") {
    const read = readDataUrl(data);
    if (read === undefined) spell(ledger, "file_data", "bare");
    else if (read.spelling !== undefined) spell(ledger, spellingForm, read.spelling);
    source = { type: "base64", mediaType: read?.mediaType ?? "application/octet-stream", data: read?.data ?? data };
    used = "file_data";
  } else if (typeof url === "string") {
    source = { type: "url", url };
    used = "file_url";
  } else if (typeof fileId === "string") {
    source = { type: "file", fileId };
    used = "file_id";
  } else return undefined;
  for (const key of ["file_data", "file_url", "file_id"]) if (key !== used) keepOdd(ledger, key, part[key]);
  keepUnknown(ledger, part, fileKeys);
  const title = readString(ledger, part, "filename");
  const detail = readDetail(ledger, part["detail"], fileDetails);
  const cacheBreakpoint = decodeMark(ledger, part);
  return {
    type: "document",
    source,
    ...(title !== undefined && { title }),
    ...(detail !== undefined && { detail }),
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
}

function dataUrl(part: Part, mediaType: string, data: string): string {
  return writeDataUrl(mediaType, data, formOf(part.wire, protocol, spellingForm));
}

function finish(object: WireObject, part: Part, writer: Writer): JsonObject {
  encodeMark(object, part, writer);
  restore(object, part.wire, protocol);
  writer.link?.(part, object);
  return object as JsonObject;
}

/** `demanded`: the place wants a level of detail, whatever it is. */
export function encodeImage(part: ImagePart, demanded: boolean, writer: Writer): JsonObject | undefined {
  const { source, detail } = part;
  const isOwn = part.wire?.protocol === protocol;
  if (source.type === "file" && !isOwn) return unsupportedMedia(writer.report, part, source, writer.target, protocol);
  reportMediaType(writer.report, part, source);
  const object: WireObject = { type: "input_image" };
  if (source.type === "file") object["file_id"] = source.fileId;
  else object["image_url"] = source.type === "url" ? source.url : dataUrl(part, source.mediaType, source.data);
  const usual = (demanded && !isOwn) || formOf(part.wire, protocol, "detail") === "auto" ? "auto" : undefined;
  if ((detail ?? usual) !== undefined) object["detail"] = detail ?? usual;
  return finish(object, part, writer);
}

const fileNames: { readonly [type: string]: string } = { "application/pdf": "document.pdf" };

/** A document as a file part, or as text where Responses has no such document. */
export function encodeDocument(part: DocumentPart, writer: Writer): JsonObject | undefined {
  if (isTextDocument(part))
    return finish({ type: "input_text", text: documentText(part, writer.report) }, part, writer);
  const source = part.source as MediaSource;
  const isOwn = part.wire?.protocol === protocol;
  if ((source.type === "file" && !isOwn) || !writer.target.fileInput)
    return unsupportedMedia(writer.report, part, source, writer.target, protocol);
  if (part.context !== undefined)
    lose(writer.report, "document.field", part, "context", { values: { field: "context" } });
  if (part.citations !== undefined)
    lose(writer.report, "document.field", part, "citations", { values: { field: "request for citations" } });
  reportMediaType(writer.report, part, source);
  const object: WireObject = { type: "input_file" };
  if (source.type === "file") object["file_id"] = source.fileId;
  else if (source.type === "url") object["file_url"] = source.url;
  else {
    const bare = formOf(part.wire, protocol, "file_data") === "bare";
    object["file_data"] = bare ? source.data : dataUrl(part, source.mediaType, source.data);
  }
  if (part.title !== undefined) object["filename"] = part.title;
  else if (!writer.faithful && source.type === "base64") {
    object["filename"] = entryOf(fileNames, source.mediaType) ?? "document";
    const made = { object, field: "filename" };
    lose(writer.report, "document.name", undefined, "", { made, values: { to: protocol } });
  }
  const detail = part.detail ?? (formOf(part.wire, protocol, "detail") === "auto" ? "auto" : undefined);
  if (detail !== undefined) object["detail"] = detail;
  return finish(object, part, writer);
}
