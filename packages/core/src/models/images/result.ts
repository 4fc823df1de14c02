import { ProviderError } from "../../errors/index.ts";
import type { Json } from "../../ir/index.ts";
import type { InlineImage } from "../inline-image.ts";
import { isImageType } from "../inline-image.ts";
import type { CallFailure, CallReport } from "../outcome.ts";

/** An image as the service gave it. */
export interface GeneratedImage extends InlineImage {
  /** What the service made of the prompt before it drew. */
  readonly revisedPrompt?: string;
}

/** An image of which the service gave a URL and no data. It is not fetched: a service says where a host goes only if the host asks it to. */
export interface LinkedImage {
  /** Or the name of a file, where the service keeps it as one. */
  readonly url: string;
  readonly mediaType?: string;
  readonly revisedPrompt?: string;
}

/** What an image model gave, and what it took. It is plain JSON. `cost` is an estimate where its basis is "list". */
export type ImageResult = Generated | NotGenerated;

interface Generated extends CallReport, Drawn {
  readonly stopReason: "stop";
}

interface NotGenerated extends CallReport, CallFailure {
  readonly images: readonly [];
  readonly links: readonly [];
  /** What the model said in place of an image. */
  readonly text?: string;
}

/** What an answer holds: one image or link at least. */
export interface Drawn {
  readonly images: readonly GeneratedImage[];
  readonly links: readonly LinkedImage[];
  /** What the model said beside its images. */
  readonly text?: string;
}

/** The error of an answer without images; `raw` is what came in their place. */
export function notDrawn(message: string, raw: Json, kind: "server" | "content_filter" = "server"): ProviderError {
  return new ProviderError(message, { kind, retryable: false, type: "answer", raw });
}

/** Characters of data that an error tells. */
const SHOWN = 200;

const starts: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  [/^UklGR.{7}RUJQ/, "image/webp"],
];

/** An image of a service, as data. The type is that of its first bytes, and only of other data the one that was told. Throws for what is no base64. */
export function imageOf(data: string, told: string): InlineImage {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    throw notDrawn("the service gave an image whose data is no base64", data.slice(0, SHOWN));
  const begun = data.slice(0, 32);
  const seen = starts.find(([start]) => start.test(begun))?.[1];
  return { data, mediaType: seen ?? (isImageType(told) ? told : "application/octet-stream") };
}
