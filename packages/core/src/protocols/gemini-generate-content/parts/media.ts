import type { Ledger } from "../../../codec/ledger.ts";
import { createLedger, keep, keepOdd, keepUnknown, plainWire, spell } from "../../../codec/ledger.ts";
import { reportParameters, unsupportedMedia } from "../../../codec/media/media.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import { entryOf } from "../../../codec/table.ts";
import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  JsonObject,
  MediaSource,
  Part,
  Pointer,
  VideoPart,
} from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { finishObject, spelledWire } from "../spelling.ts";
import { blobKeys, fileDataKeys, fileKeys, inlineKeys, resolutionKeys } from "../wire.ts";
import { reportMark } from "./cache.ts";
import { readSignature, writeSignature } from "./reasoning.ts";

const protocol = "gemini-generate-content";

export type MediaPart = ImagePart | AudioPart | VideoPart | DocumentPart;

const levels: { readonly [level: string]: NonNullable<ImagePart["detail"]> } = {
  MEDIA_RESOLUTION_LOW: "low",
  MEDIA_RESOLUTION_HIGH: "high",
  MEDIA_RESOLUTION_ULTRA_HIGH: "original",
};
const levelOf: { readonly [detail: string]: string } = {
  auto: "MEDIA_RESOLUTION_UNSPECIFIED",
  low: "MEDIA_RESOLUTION_LOW",
  high: "MEDIA_RESOLUTION_HIGH",
  original: "MEDIA_RESOLUTION_ULTRA_HIGH",
};

const typesOfNames: { readonly [extension: string]: string } = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  html: "text/html",
  csv: "text/csv",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

/** What the name at the end of a URL says of its media type. */
function typeOfName(url: string): string | undefined {
  const extension = /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1];
  return extension === undefined ? undefined : entryOf(typesOfNames, extension.toLowerCase());
}

const isVideoPage = (url: string): boolean => /^https?:\/\/(?:www\.)?(?:youtube\.com|youtu\.be)\//i.test(url);

/** Files that Google stores: no other service can read them. */
const isStored = (uri: string): boolean =>
  !/^https?:\/\//i.test(uri) || /^https?:\/\/[^/]*\bgoogleapis\.com\/(?:.*\/)?files\//i.test(uri);

type Kind = MediaPart["type"];

function kindOf(mediaType: string): Kind {
  const head = mediaType.split("/", 1)[0]?.toLowerCase();
  return head === "image" || head === "audio" || head === "video" ? head : "document";
}

export function readInlineData(
  part: JsonObject,
  data: JsonObject,
  snake: readonly Pointer[] | undefined,
  reader: Reader,
): Part | undefined {
  const { mimeType: mediaType, data: bytes } = data;
  if (typeof mediaType !== "string" || typeof bytes !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, inlineKeys);
  keepUnknown(ledger, data, blobKeys, "inlineData/");
  const source: MediaSource = { type: "base64", mediaType, data: bytes };
  return finishMedia(kindOf(mediaType), source, part, data["displayName"], "inlineData", ledger, snake, reader);
}

export function readFileData(
  part: JsonObject,
  data: JsonObject,
  snake: readonly Pointer[] | undefined,
  reader: Reader,
): Part | undefined {
  const { mimeType: mediaType, fileUri: uri } = data;
  if (typeof uri !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, fileKeys);
  keepUnknown(ledger, data, fileDataKeys, "fileData/");
  const type = typeof mediaType === "string" ? mediaType : undefined;
  if (type === undefined) {
    spell(ledger, "mimeType", "omitted");
    keepOdd(ledger, "fileData/mimeType", mediaType);
  }
  const stated = type === undefined ? {} : { mediaType: type };
  const source: MediaSource = isStored(uri)
    ? { type: "file", fileId: uri, ...stated, wire: plainWire(protocol) }
    : { type: "url", url: uri, ...stated };
  const kind = isVideoPage(uri) ? "video" : kindOf(type ?? typeOfName(uri) ?? "");
  return finishMedia(kind, source, part, data["displayName"], "fileData", ledger, snake, reader);
}

function finishMedia(
  type: Kind,
  source: MediaSource,
  part: JsonObject,
  name: JsonObject[string] | undefined,
  key: "inlineData" | "fileData",
  ledger: Ledger,
  snake: readonly Pointer[] | undefined,
  reader: Reader,
): Part {
  const state = readSignature(ledger, part, reader);
  const detail = readResolution(part, type, ledger);
  const title = type === "document" && typeof name === "string" ? name : undefined;
  if (title === undefined && name !== undefined) {
    if (typeof name === "string") keep(ledger, `${key}/displayName`, name);
    else keepOdd(ledger, `${key}/displayName`, name);
  }
  const wire = spelledWire(ledger, snake);
  return {
    type,
    source,
    ...(detail !== undefined && { detail }),
    ...(title !== undefined && { title }),
    ...(state !== undefined && { state }),
    ...(wire !== undefined && { wire }),
  } as MediaPart;
}

function readResolution(part: JsonObject, type: Kind, ledger: Ledger): ImagePart["detail"] | undefined {
  const value = part["mediaResolution"];
  const level = isJsonObject(value) && typeof value["level"] === "string" ? value["level"] : "";
  const detail = type === "image" ? entryOf(levels, level) : undefined;
  if (detail === undefined || !isJsonObject(value)) return keepOdd(ledger, "mediaResolution", value);
  keepUnknown(ledger, value, resolutionKeys, "mediaResolution/");
  return detail;
}

/** Media as a part, or inside of a function response. `leveled`: the part may say how closely the model looks, which media of a result cannot. */
export function writeMedia(part: MediaPart, writer: Writer, leveled = true): JsonObject | undefined {
  const { source } = part;
  const object: WireObject = {};
  switch (source.type) {
    case "base64":
      object["inlineData"] = { mimeType: source.mediaType, data: source.data, ...nameOf(part) };
      reportParameters(writer.report, part, source);
      // The media type alone says here what a part is.
      if (part.wire?.protocol !== protocol && kindOf(source.mediaType) !== part.type)
        lose(writer.report, "field.no_counterpart", part, "type");
      break;
    case "url":
      object["fileData"] = fileData(part, source.url, source.mediaType, writer);
      break;
    case "file":
      if (!writer.faithful && source.wire?.protocol !== protocol)
        return unsupportedMedia(writer.report, part, source, writer.target, protocol);
      object["fileData"] = fileData(part, source.fileId, source.mediaType, writer);
      break;
    default:
      // Documents of text are written as such.
      return undefined;
  }
  if (part.type === "image" && part.detail !== undefined) {
    if (leveled) object["mediaResolution"] = { level: levelOf[part.detail] as string };
    else lose(writer.report, "media.detail", part, "detail");
  }
  reportFields(part, writer);
  reportMark(part, writer);
  writeSignature(object, part, writer);
  return finishObject(object, part.wire) as JsonObject;
}

function nameOf(part: MediaPart): { readonly displayName?: string } {
  return part.type === "document" && part.title !== undefined ? { displayName: part.title } : {};
}

const usualTypes: { readonly [K in Kind]: string } = {
  image: "image/jpeg",
  audio: "audio/mpeg",
  video: "video/mp4",
  document: "application/pdf",
};

/** A link of this protocol is left as it is, unless its name would make another kind of media of it. */
const needsType = (part: MediaPart, uri: string, writer: Writer): boolean =>
  !writer.faithful || kindOf(typeOfName(uri) ?? "") !== part.type;

/** The API wants to be told the media type of a link; where the source does not say it, its name does. */
function fileData(part: MediaPart, uri: string, mediaType: string | undefined, writer: Writer): JsonObject {
  const object: WireObject = {};
  object["fileUri"] = uri;
  if (mediaType !== undefined) object["mimeType"] = mediaType;
  else if (formOf(part.wire, protocol, "mimeType") !== "omitted" && !isVideoPage(uri) && needsType(part, uri, writer)) {
    const named = typeOfName(uri);
    object["mimeType"] = named !== undefined && kindOf(named) === part.type ? named : usualTypes[part.type];
    lose(writer.report, "media.type_guessed", undefined, "", {
      made: { object, field: "mimeType" },
      values: { to: protocol },
    });
  }
  return Object.assign(object, nameOf(part)) as JsonObject;
}

function reportFields(part: MediaPart, writer: Writer): void {
  const field = (name: string, called: string): void =>
    lose(writer.report, "document.field", part, name, { values: { field: called } });
  part.state?.forEach(({ kind, protocol: issuer }, index) => {
    if (kind === "itemId" && issuer !== protocol) field(`state:${index}`, "id");
  });
  if (part.type === "audio") {
    if (part.transcript !== undefined) field("transcript", "transcript");
    if (part.expiresAt !== undefined) field("expiresAt", "expiry");
  }
  if (part.type !== "document") return;
  if (part.context !== undefined) field("context", "context");
  if (part.citations !== undefined) field("citations", "request for citations");
  if (part.detail !== undefined) lose(writer.report, "media.detail", part, "detail");
}
