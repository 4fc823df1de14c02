import { ConfigError } from "../../errors/index.ts";
import { escapeSegment } from "../../ir/index.ts";
import type { ChatOptions } from "../chat/options.ts";
import type { InlineImage } from "../inline-image.ts";
import { checkImages } from "../inline-image.ts";

/** What is to be seen. What a service has no word for is a loss. */
export interface ImageInput {
  readonly prompt: string;
  /** How many images; one unless stated. */
  readonly n?: number;
  /** As the service writes it, such as "1024x1024". */
  readonly size?: string;
  /** Images that are changed, or that the new one takes after. */
  readonly images?: readonly InlineImage[];
  /** As the service writes it, such as "low" or "hd". */
  readonly quality?: string;
  readonly background?: "transparent" | "opaque" | "auto";
  /** How the image is written. */
  readonly format?: "png" | "jpeg" | "webp";
}

/** How an image model is asked. Exchanges are told only of services that are asked in the protocol of a conversation. */
export type ImageOptions = Pick<
  ChatOptions,
  "signal" | "apiKey" | "headers" | "fetch" | "timeouts" | "retry" | "onExchange" | "onLoss" | "accept"
>;

const inputNames: { readonly [K in keyof Required<ImageInput>]: true } = {
  prompt: true,
  n: true,
  size: true,
  images: true,
  quality: true,
  background: true,
  format: true,
};

const optionNames: { readonly [K in keyof Required<ImageOptions>]: true } = {
  signal: true,
  apiKey: true,
  headers: true,
  fetch: true,
  timeouts: true,
  retry: true,
  onExchange: true,
  onLoss: true,
  accept: true,
};

/** Throws a ConfigError with the place of what cannot be asked. */
export function checkCall(input: ImageInput, options: ImageOptions): void {
  expectNames(input, inputNames, "input");
  expectNames(options, optionNames, "option");
  if (typeof input.prompt !== "string" || input.prompt.trim() === "")
    throw new ConfigError("/prompt", "a prompt says in words what is to be seen");
  if (input.n !== undefined && !(Number.isSafeInteger(input.n) && input.n > 0))
    throw new ConfigError("/n", "n is how many images: a whole number from 1");
  for (const name of ["size", "quality", "background", "format"] as const)
    if (input[name] !== undefined && typeof input[name] !== "string")
      throw new ConfigError(`/${name}`, `${name} is a text`);
  checkImages(input.images);
}

function expectNames(stated: object, known: object, what: string): void {
  for (const name of Object.keys(stated))
    if (!Object.hasOwn(known, name))
      throw new ConfigError(
        `/${escapeSegment(name)}`,
        `images have no ${what} "${name}"; there are ${Object.keys(known).join(", ")}`,
      );
}
