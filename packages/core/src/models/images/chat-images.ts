import type { AssistantMessage, Loss, Part } from "../../ir/index.ts";
import { acceptLosses, enforcePolicy, resolveLosses } from "../../loss/index.ts";
import { describe } from "../chat/failure.ts";
import { noUsage } from "../cost.ts";
import { imageParts } from "../inline-image.ts";
import type { ImageModel } from "../model.ts";
import type { StreamFunction } from "../models.ts";
import type { CallFailure, CallReport } from "../outcome.ts";
import { failed, failureOfMessage, reportOf } from "../outcome.ts";
import { costOfImages } from "./cost.ts";
import type { ImageInput, ImageOptions } from "./input.ts";
import type { Drawn, GeneratedImage, ImageResult, LinkedImage } from "./result.ts";
import { imageOf, notDrawn } from "./result.ts";

const api = "gemini-generate-content";

/** Asks a model that draws within a conversation: the prompt is the message of a user, and the images are parts of the answer. */
export async function drawByChat(
  stream: StreamFunction,
  now: () => number,
  model: ImageModel,
  input: ImageInput,
  options: ImageOptions,
): Promise<ImageResult> {
  const startedAt = now();
  const { n, prompt, images = [] } = input;
  const unsaid = lossesOf(input, options);
  try {
    enforcePolicy(unsaid, options.onLoss ?? "report");
  } catch (error) {
    const { provider, id } = model;
    const report: CallReport = { provider, model: id, usage: noUsage, durationMs: now() - startedAt, losses: unsaid };
    return { ...report, ...failed(describe(error)), images: [], links: [] };
  }
  const content = [...imageParts(images), { type: "text" as const, text: prompt }];
  const asked = stream(
    { ...model, type: "chat", api },
    { messages: [{ role: "user", content }] },
    { ...options, stream: false, modalities: ["image", "text"], ...(n !== undefined && { n }) },
  );
  const message = await asked.result();
  const { drawn, wrong } = read(message);
  const cost = costOfImages(model.cost, message.usage, drawn.images.length + drawn.links.length);
  const { cost: _tokens, ...report } = reportOf(message, [...unsaid, ...asked.losses], now() - startedAt);
  const told = { ...report, ...(cost !== undefined && { cost }) };
  const failure = failureOfMessage(message) ?? wrong ?? failureOfImages(message, drawn);
  return failure === undefined
    ? { ...told, stopReason: "stop", ...drawn }
    : { ...told, ...failure, images: [], links: [], ...(drawn.text !== undefined && { text: drawn.text }) };
}

/** What the protocol has no word for. */
function lossesOf(input: ImageInput, { accept = [] }: ImageOptions): readonly Loss[] {
  const fields = (["size", "quality", "background", "format"] as const).filter((name) => input[name] !== undefined);
  const drafts = fields.map((name) => ({
    code: "setting.no_counterpart" as const,
    stage: "encode" as const,
    path: `/${name}`,
  }));
  const nowhere = { locate: () => undefined, locateIr: () => undefined };
  return acceptLosses(resolveLosses(drafts, api, api, nowhere), accept);
}

/** What is drawn on the way to an image is no image of the answer. */
const isThought = ({ wire }: Part): boolean => wire?.rest?.["thought"] === true;

function read(message: AssistantMessage): { readonly drawn: Drawn; readonly wrong?: CallFailure } {
  const images: GeneratedImage[] = [];
  const links: LinkedImage[] = [];
  let text = "";
  let wrong: CallFailure | undefined;
  for (const part of [message, ...(message.alternatives ?? [])].flatMap(({ content }) => content)) {
    if (part.type === "text") text += part.text;
    if (part.type !== "image" || isThought(part)) continue;
    const { source } = part;
    if (source.type === "base64") {
      try {
        images.push(imageOf(source.data, source.mediaType));
      } catch (error) {
        wrong ??= failed(describe(error));
      }
    } else
      links.push({
        url: source.type === "url" ? source.url : source.fileId,
        ...(source.mediaType !== undefined && { mediaType: source.mediaType }),
      });
  }
  const drawn = { images, links, ...(text !== "" && { text }) };
  return { drawn, ...(wrong !== undefined && { wrong }) };
}

function failureOfImages(
  { stopDetail, rawStopReason }: AssistantMessage,
  { images, links, text = "" }: Drawn,
): CallFailure | undefined {
  if (images.length + links.length > 0) return undefined;
  const isRefusal = stopDetail === "refusal" || stopDetail === "contentFilter";
  const why = rawStopReason === undefined ? "" : `, and ended with "${rawStopReason}"`;
  const error = isRefusal
    ? notDrawn(`the model refused to draw${why}`, text, "content_filter")
    : notDrawn(`the model drew no image${why}`, text);
  return failed(describe(error));
}
