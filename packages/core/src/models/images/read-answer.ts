import { readDataUrl } from "../../codec/media/data-url.ts";
import type { Json, JsonObject, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { noUsage } from "../cost.ts";
import type { Drawn, GeneratedImage, LinkedImage } from "./result.ts";
import { imageOf, notDrawn } from "./result.ts";

/** The images of an answer: https://platform.openai.com/docs/api-reference/images/object. Throws a ProviderError for one that does not hold any. */
export function readImages(body: JsonObject): Drawn {
  const { data, output_format: format } = body;
  if (!Array.isArray(data) || data.length === 0) throw notDrawn("the service gave no image", body);
  const told = typeof format === "string" ? `image/${format}` : "image/png";
  const images: GeneratedImage[] = [];
  const links: LinkedImage[] = [];
  for (const item of data as readonly Json[]) {
    const read = readImage(item, told);
    if ("url" in read) links.push(read);
    else images.push(read);
  }
  return { images, links };
}

function readImage(item: Json, format: string): GeneratedImage | LinkedImage {
  if (!isJsonObject(item)) throw notDrawn("the service gave something else than an image", item);
  const { b64_json: data, url, revised_prompt: revised, mime_type: type } = item;
  const more = typeof revised === "string" ? { revisedPrompt: revised } : {};
  const told = typeof type === "string" ? type : undefined;
  if (typeof data === "string") return { ...imageOf(data, told ?? format), ...more };
  if (typeof url !== "string" || url === "") throw notDrawn("the service gave an image without data", item);
  const inline = readDataUrl(url);
  if (inline !== undefined) return { ...imageOf(inline.data, inline.mediaType), ...more };
  return { url, ...(told !== undefined && { mediaType: told }), ...more };
}

/** The counts, which models priced by the token tell. */
export function readUsage(told: Json | undefined): Usage {
  if (!isJsonObject(told)) return noUsage;
  const input = count(told, "input_tokens");
  const output = count(told, "output_tokens");
  const total = count(told, "total_tokens");
  const details = told["input_tokens_details"];
  const cached = isJsonObject(details) ? count(details, "cached_tokens") : undefined;
  const unreported: NonNullable<Usage["unreported"]>[number][] = ["cacheWrite"];
  if (input === undefined) unreported.push("input");
  if (output === undefined) unreported.push("output");
  if (cached === undefined) unreported.push("cacheRead");
  if (total === undefined && (input === undefined || output === undefined)) unreported.push("totalTokens");
  const cacheRead = Math.min(cached ?? 0, input ?? 0);
  return {
    input: (input ?? 0) - cacheRead,
    output: output ?? 0,
    cacheRead,
    cacheWrite: 0,
    totalTokens: total ?? (input ?? 0) + (output ?? 0),
    unreported,
    raw: told,
  };
}

function count(told: JsonObject, name: string): number | undefined {
  const value = told[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
