import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { AudioPart, DocumentPart, ImagePart, MediaSource, Part, TextPart, VideoPart } from "../../ir/index.ts";
import { few, mostly, oneWord, typed, weighted } from "../shape.ts";
import { arbitraryText, base64, identifier, plainText, url } from "../text.ts";
import { nodeFields, textPart } from "./text.ts";

/** Data or a link; now and then a file that some service stores, which no protocol takes without knowing whose it is. */
const source = (...mediaTypes: readonly string[]): Arbitrary<MediaSource> =>
  weighted<MediaSource>(
    [8, typed("base64", { mediaType: fc.constantFrom(...mediaTypes), data: base64 })],
    [4, typed("url", { url }, { mediaType: fc.constantFrom(...mediaTypes) })],
    [1, typed("file", { fileId: identifier })],
  );

export const imagePart: Arbitrary<ImagePart> = typed(
  "image",
  { source: source("image/png", "image/jpeg", "image/jpg", "image/bmp", "constructor") },
  { ...nodeFields, detail: oneWord("auto", "low", "high", "original") },
);

export const audioPart: Arbitrary<AudioPart> = typed(
  "audio",
  { source: source("audio/wav", "audio/mpeg", "audio/mp3", "constructor") },
  { ...nodeFields, transcript: arbitraryText(), expiresAt: fc.nat() },
);

export const videoPart: Arbitrary<VideoPart> = typed("video", { source: source("video/mp4") }, nodeFields);

const inner: Arbitrary<readonly Part[]> = few(mostly<TextPart | ImagePart>(textPart, imagePart), 2, 0);

const documentSource: Arbitrary<DocumentPart["source"]> = mostly<DocumentPart["source"]>(
  source("application/pdf", "text/csv"),
  typed("text", { text: arbitraryText(), mediaType: oneWord("text/plain", "text/markdown") }),
  typed("content", { content: inner }),
  typed("searchResult", { uri: url, content: inner }),
);

export const documentPart: Arbitrary<DocumentPart> = typed(
  "document",
  { source: documentSource },
  {
    ...nodeFields,
    title: arbitraryText(),
    context: plainText,
    detail: oneWord("auto", "low", "high"),
    citations: fc.boolean(),
  },
);
