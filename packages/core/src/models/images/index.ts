export type { ImageInput, ImageOptions } from "./input.ts";
export type { GeneratedImage, ImageResult, LinkedImage } from "./result.ts";
