import { ConfigError } from "../errors/index.ts";
import type { ImagePart } from "../ir/index.ts";

/** An image as data. */
export interface InlineImage {
  /** Base64, without the head of a data URL. */
  readonly data: string;
  /** Such as "image/png". */
  readonly mediaType: string;
}

export const isImageType = (text: string): boolean => /^image\/[a-z0-9][a-z0-9.+-]*$/i.test(text);

/** Throws a ConfigError with the place of one that is none. */
export function checkImages(images: readonly InlineImage[] | undefined): void {
  if (images === undefined) return;
  if (!Array.isArray(images)) throw new ConfigError("/images", "images are a list of { data, mediaType }");
  for (const [index, image] of (images as readonly (InlineImage | null | undefined)[]).entries()) {
    if (typeof image?.data !== "string" || image.data === "" || image.data.startsWith("data:"))
      throw new ConfigError(`/images/${index}/data`, "the data of an image is base64, without the head of a data URL");
    if (typeof image.mediaType !== "string" || !isImageType(image.mediaType))
      throw new ConfigError(`/images/${index}/mediaType`, "an image has a media type, such as image/png");
  }
}

export function imageParts(images: readonly InlineImage[]): readonly ImagePart[] {
  return images.map(({ data, mediaType }) => ({ type: "image", source: { type: "base64", mediaType, data } }));
}
