import type { KnownKeys, Ledger } from "../../../codec/ledger.ts";
import {
  createLedger,
  keepOdd,
  keepUnknown,
  knownKeys,
  plainWire,
  readString,
  spell,
  wireField,
  wireOf,
} from "../../../codec/ledger.ts";
import {
  mediaName,
  reportMediaType,
  reportParameters,
  sourceName,
  unsupportedMedia,
} from "../../../codec/media/media.ts";
import { readText } from "../../../codec/media/text-file.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf, isStated, restore } from "../../../codec/restore.ts";
import type { DocumentPart, ImagePart, Json, JsonObject, MediaSource, Part, Pointer } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { documentKeys, imageKeys, imageTypes, searchResultKeys } from "../wire.ts";
import { decodeCacheControl, encodeCacheControl } from "./cache.ts";

const protocol = "anthropic-messages";
const base64Keys: KnownKeys = knownKeys("type", "media_type", "data");
const urlKeys: KnownKeys = knownKeys("type", "url");
const fileKeys: KnownKeys = knownKeys("type", "file_id");
const contentKeys: KnownKeys = knownKeys("type", "content");

/** Decodes the blocks inside of a document. */
export type BlockDecoder = (list: readonly Json[], pointer: Pointer, reader: Reader) => Part[];
export type BlockEncoder = (part: Part, writer: Writer) => JsonObject | undefined;

function decodeSource(source: Json | undefined, pointer: Pointer, reader: Reader): MediaSource | undefined {
  if (!isJsonObject(source)) return undefined;
  const ledger = createLedger(protocol);
  const found = readSource(source, ledger);
  if (found?.wire !== undefined) reader.trace.pointers.set(found, `${pointer}/source`);
  return found;
}

function readSource(source: JsonObject, ledger: Ledger): MediaSource | undefined {
  const { type, media_type: mediaType, data, url, file_id: fileId } = source;
  if (type === "base64" && typeof mediaType === "string" && typeof data === "string") {
    keepUnknown(ledger, source, base64Keys);
    return { type, mediaType, data, ...wireField(ledger) };
  }
  if (type === "url" && typeof url === "string") {
    keepUnknown(ledger, source, urlKeys);
    return { type, url, ...wireField(ledger) };
  }
  if (type === "file" && typeof fileId === "string") {
    keepUnknown(ledger, source, fileKeys);
    // A file id means something to its own service only, so the source says which.
    return { type, fileId, wire: wireOf(ledger) ?? plainWire(protocol) };
  }
  return undefined;
}

export function decodeImage(block: JsonObject, pointer: Pointer, reader: Reader): Part | undefined {
  const source = decodeSource(block["source"], pointer, reader);
  if (source === undefined) return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, imageKeys);
  const cacheBreakpoint = decodeCacheControl(ledger, block);
  return { type: "image", source, ...(cacheBreakpoint !== undefined && { cacheBreakpoint }), ...wireField(ledger) };
}

export function decodeDocument(
  block: JsonObject,
  pointer: Pointer,
  reader: Reader,
  decodeBlocks: BlockDecoder,
): Part | undefined {
  const source = decodeDocumentSource(block["source"], pointer, reader, decodeBlocks);
  if (source === undefined) return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, documentKeys);
  const title = readString(ledger, block, "title");
  const context = readString(ledger, block, "context");
  return {
    type: "document",
    source,
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    ...finish(ledger, block),
  };
}

/** The fields that documents and search results share. */
function finish(ledger: Ledger, block: JsonObject): Partial<DocumentPart> {
  const cacheBreakpoint = decodeCacheControl(ledger, block);
  const config = block["citations"];
  const enabled = isJsonObject(config) ? config["enabled"] : undefined;
  const citations =
    typeof enabled === "boolean" && Object.keys(config as JsonObject).length === 1 ? enabled : undefined;
  if (citations === undefined) keepOdd(ledger, "citations", config);
  return {
    ...(citations !== undefined && { citations }),
    ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
    ...wireField(ledger),
  };
}

function decodeDocumentSource(
  value: Json | undefined,
  pointer: Pointer,
  reader: Reader,
  decodeBlocks: BlockDecoder,
): DocumentPart["source"] | undefined {
  if (!isJsonObject(value)) return undefined;
  const ledger = createLedger(protocol);
  if (value["type"] === "text" && typeof value["data"] === "string") {
    keepUnknown(ledger, value, base64Keys);
    const mediaType = readString(ledger, value, "media_type") ?? "text/plain";
    if (value["media_type"] === undefined) spell(ledger, "media_type", "absent");
    return traced({ type: "text", text: value["data"], mediaType, ...wireField(ledger) }, pointer, reader);
  }
  if (value["type"] !== "content") return decodeSource(value, pointer, reader);
  keepUnknown(ledger, value, contentKeys);
  const { content } = value;
  if (typeof content === "string") {
    const part: Part = { type: "text", text: content };
    reader.trace.pointers.set(part, `${pointer}/source/content`);
    return traced(
      { type: "content", content: [part], wire: { protocol, ...wireField(ledger).wire, form: { content: "string" } } },
      pointer,
      reader,
    );
  }
  if (!Array.isArray(content)) return undefined;
  const parts = decodeBlocks(content, `${pointer}/source/content`, reader);
  return traced({ type: "content", content: parts, ...wireField(ledger) }, pointer, reader);
}

function traced(source: DocumentPart["source"], pointer: Pointer, reader: Reader): DocumentPart["source"] {
  reader.trace.pointers.set(source, `${pointer}/source`);
  return source;
}

export function decodeSearchResult(
  block: JsonObject,
  pointer: Pointer,
  reader: Reader,
  decodeBlocks: BlockDecoder,
): Part | undefined {
  const { source: uri, content, title } = block;
  if (typeof uri !== "string" || !Array.isArray(content) || typeof title !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, searchResultKeys);
  const parts = decodeBlocks(content, `${pointer}/content`, reader);
  return { type: "document", source: { type: "searchResult", uri, content: parts }, title, ...finish(ledger, block) };
}

export function encodeImage(part: ImagePart, writer: Writer): JsonObject | undefined {
  const source = encodeImageSource(part, writer);
  if (source === undefined) return undefined;
  if (part.detail !== undefined) lose(writer.report, "media.detail", part, "detail");
  reportMediaType(writer.report, part, part.source);
  reportParameters(writer.report, part, part.source);
  const object: WireObject = { type: "image", source };
  encodeCacheControl(object, part, part, writer);
  restore(object, part.wire, protocol);
  return object as JsonObject;
}

function encodeImageSource(part: ImagePart, writer: Writer): JsonObject | undefined {
  const { source } = part;
  if (writer.faithful) return writeSource(source);
  if (source.type === "url") {
    // Data that could not be read, in the place of a link: nobody can fetch it.
    if (!/^data:/i.test(source.url)) return writeSource(source);
    lose(writer.report, "media.unsupported", part, "", { values: { type: "an image", source: "a broken data URL" } });
    return undefined;
  }
  if (source.type === "file") {
    if (part.wire?.protocol === protocol || source.wire?.protocol === protocol) return writeSource(source);
    return unsupportedMedia(writer.report, part, source, writer.target, protocol);
  }
  const stated = source.mediaType.toLowerCase();
  const mediaType = stated === "image/jpg" ? "image/jpeg" : stated;
  if (!imageTypes.includes(mediaType)) {
    lose(writer.report, "media.unsupported", part, "", { values: { type: "an image", source: sourceName(source) } });
    return undefined;
  }
  if (mediaType !== source.mediaType)
    lose(writer.report, "media.type", part, "source/mediaType", { replacement: mediaType });
  return writeSource({ ...source, mediaType });
}

function writeSource(source: MediaSource): JsonObject {
  const object: WireObject =
    source.type === "base64"
      ? { type: "base64", media_type: source.mediaType, data: source.data }
      : source.type === "url"
        ? { type: "url", url: source.url }
        : { type: "file", file_id: source.fileId };
  restore(object, source.wire, protocol);
  return object as JsonObject;
}

export function encodeDocument(part: DocumentPart, writer: Writer, encodeBlock: BlockEncoder): JsonObject | undefined {
  const { source } = part;
  if (source.type === "searchResult") return encodeSearchResult(part, source, writer, encodeBlock);
  const encoded = encodeDocumentSource(part, writer, encodeBlock);
  if (encoded === undefined) return undefined;
  const object: WireObject = { type: "document", source: encoded };
  if (part.title !== undefined) object["title"] = part.title;
  if (part.context !== undefined) object["context"] = part.context;
  if (part.citations !== undefined) object["citations"] = { enabled: part.citations };
  if (part.detail !== undefined) lose(writer.report, "media.detail", part, "detail");
  reportMediaType(writer.report, part, part.source);
  reportParameters(writer.report, part, source);
  encodeCacheControl(object, part, part, writer);
  restore(object, part.wire, protocol);
  return object as JsonObject;
}

function encodeDocumentSource(part: DocumentPart, writer: Writer, encodeBlock: BlockEncoder): JsonObject | undefined {
  const { source } = part;
  if (!writer.target.fileInput && (source.type === "url" || source.type === "file" || source.type === "base64")) {
    const values = { type: mediaName(part), source: sourceName(source) };
    lose(writer.report, "media.unsupported", part, "", { values });
    return undefined;
  }
  switch (source.type) {
    case "text": {
      const object: WireObject = { type: "text", data: source.text };
      if (formOf(source.wire, protocol, "media_type") !== "absent" && !isStated(source.wire, protocol, "media_type"))
        object["media_type"] = source.mediaType;
      restore(object, source.wire, protocol);
      return object as JsonObject;
    }
    case "content":
    case "searchResult": {
      const blocks = encodeAll(source.content, writer, encodeBlock);
      const only = source.content[0];
      const asString =
        formOf(source.wire, protocol, "content") === "string" && source.content.length === 1 && only?.type === "text";
      const object: WireObject = { type: "content", content: asString ? only.text : blocks };
      restore(object, source.wire, protocol);
      return object as JsonObject;
    }
    case "url":
      return writeSource(source);
    case "file":
      if (writer.faithful || source.wire?.protocol === protocol || part.wire?.protocol === protocol)
        return writeSource(source);
      return unsupportedMedia(writer.report, part, source, writer.target, protocol);
    case "base64":
      if (writer.faithful) return writeSource(source);
      if (source.mediaType.toLowerCase() === "application/pdf")
        return writeSource({ ...source, mediaType: "application/pdf" });
      return encodeTextFile(part, source, writer);
  }
}

/** A file of plain text goes as text; of other files the API takes PDF alone. */
function encodeTextFile(
  part: DocumentPart,
  source: Extract<MediaSource, { readonly type: "base64" }>,
  { report }: Writer,
): JsonObject | undefined {
  const text = source.mediaType.toLowerCase() === "text/plain" ? readText(source.data) : undefined;
  if (text === undefined) {
    lose(report, "media.unsupported", part, "", { values: { type: "a document", source: sourceName(source) } });
    return undefined;
  }
  lose(report, "document.decoded", part);
  return { type: "text", media_type: "text/plain", data: text };
}

function encodeAll(parts: readonly Part[], writer: Writer, encodeBlock: BlockEncoder): JsonObject[] {
  return parts.map((part) => encodeBlock(part, writer)).filter((block) => block !== undefined);
}

function encodeSearchResult(
  part: DocumentPart,
  source: Extract<DocumentPart["source"], { readonly type: "searchResult" }>,
  writer: Writer,
  encodeBlock: BlockEncoder,
): JsonObject {
  if (part.title === undefined) lose(writer.report, "document.name", undefined, "", { values: { to: protocol } });
  if (part.context !== undefined)
    lose(writer.report, "document.field", part, "context", { values: { field: "context" } });
  if (part.detail !== undefined) lose(writer.report, "media.detail", part, "detail");
  const object: WireObject = {
    type: "search_result",
    source: source.uri,
    title: part.title ?? source.uri,
    content: encodeAll(source.content, writer, encodeBlock),
  };
  if (part.citations !== undefined) object["citations"] = { enabled: part.citations };
  encodeCacheControl(object, part, part, writer);
  restore(object, part.wire, protocol);
  return object as JsonObject;
}
