import { ConfigError } from "../../errors/index.ts";
import type { Json, JsonObject } from "../../ir/index.ts";
import { addressOf } from "../chat/address.ts";
import type { ChatRuntime } from "../chat/call.ts";
import { describe } from "../chat/failure.ts";
import { answeredBody } from "../chat/read-answer.ts";
import { scrubbed } from "../chat/redact.ts";
import { noUsage } from "../cost.ts";
import type { ImageModel } from "../model.ts";
import type { CallReport } from "../outcome.ts";
import { failed } from "../outcome.ts";
import type { Provider } from "../provider.ts";
import { askWhole } from "../transport/ask.ts";
import { Deadlines } from "../transport/clock.ts";
import { costOfImages } from "./cost.ts";
import type { ImageInput, ImageOptions } from "./input.ts";
import { readImages, readUsage } from "./read-answer.ts";
import type { ImageResult } from "./result.ts";

/** OpenAI's own way of asking for images, which others took over: https://platform.openai.com/docs/api-reference/images */
export async function drawByImages(
  provider: Provider,
  model: ImageModel,
  input: ImageInput,
  options: ImageOptions,
  runtime: ChatRuntime,
): Promise<ImageResult> {
  const { path, body } = requestOf(model, input);
  const { timeouts = {}, retry = {}, fetch = provider.fetch ?? runtime.fetch, signal, apiKey, headers } = options;
  const { now, random } = runtime;
  const startedAt = now();
  // An answer that holds no image may have been billed.
  let usage = noUsage;
  const report = (images: number): CallReport => {
    const cost = costOfImages(model.cost, usage, images);
    return {
      provider: provider.id,
      model: model.id,
      usage,
      ...(cost !== undefined && { cost }),
      durationMs: now() - startedAt,
      losses: [],
    };
  };
  const total = new Deadlines(provider.id, signal);
  total.start("totalTimeout", timeouts.totalMs ?? 0);
  let secrets: readonly string[] = [];
  try {
    // Keys and errors are those of Chat Completions.
    const protocol = await runtime.load("openai-chat");
    total.signal.throwIfAborted();
    const own = { "content-type": "application/json", accept: "application/json" };
    const asked = { api: protocol.id, path, apiKey, headers };
    const address = await addressOf(provider, model, asked, own, runtime.environment);
    secrets = address.secrets;
    total.signal.throwIfAborted();
    const request = { url: address.url, headers: address.headers, body, fetch, timeouts, retry, now, random };
    const drawn = await askWhole(request, total, protocol, ({ text, status, headers }) => {
      const answered = answeredBody(text, status, headers, protocol);
      usage = readUsage(answered["usage"]);
      return readImages(answered);
    });
    return { ...report(drawn.images.length + drawn.links.length), stopReason: "stop", ...drawn };
  } catch (error) {
    const { signal: over, expired } = total;
    const failure =
      over.aborted && !expired
        ? ({ stopReason: "aborted", errorMessage: "the images were given up" } as const)
        : failed(describe(error));
    // Services say keys again in what they complain of.
    const shown = scrubbed(failure as unknown as Json, secrets) as unknown as typeof failure;
    return { ...report(0), ...shown, images: [], links: [] };
  } finally {
    total.end();
  }
}

/** These give data alone, and refuse to be asked for it. */
const isGptImage = (id: string): boolean => /(?:^|\/)(?:chat)?gpt-image/.test(id);

function requestOf(model: ImageModel, input: ImageInput): { readonly path: string; readonly body: JsonObject } {
  const { prompt, n, size, quality, background, format, images = [] } = input;
  const body = {
    model: model.id,
    prompt,
    ...(n !== undefined && { n }),
    ...(size !== undefined && { size }),
    ...(quality !== undefined && { quality }),
    ...(background !== undefined && { background }),
    ...(format !== undefined && { output_format: format }),
    ...(!isGptImage(model.id) && { response_format: "b64_json" }),
  };
  if (images.length === 0) return { path: "/images/generations", body };
  if (/(?:^|\/)dall-e/.test(model.id))
    throw new ConfigError("/images", `${model.id} takes images as files only: ask a GPT image model to change images`);
  const references = images.map(({ data, mediaType }) => ({ image_url: `data:${mediaType};base64,${data}` }));
  return { path: "/images/edits", body: { ...body, images: references } };
}
