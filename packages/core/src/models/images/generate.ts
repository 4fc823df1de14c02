import { ConfigError } from "../../errors/index.ts";
import type { ChatRuntime } from "../chat/call.ts";
import type { ImageModel } from "../model.ts";
import type { StreamFunction } from "../models.ts";
import type { Provider } from "../provider.ts";
import { drawByChat } from "./chat-images.ts";
import type { ImageInput, ImageOptions } from "./input.ts";
import { checkCall } from "./input.ts";
import { drawByImages } from "./openai-images.ts";
import type { ImageResult } from "./result.ts";

/** Throws a ConfigError for a call that is wrong in itself; all that happens afterwards the result tells. `shared` counts where nothing is stated. */
export async function generateImages(
  stream: StreamFunction,
  provider: Provider,
  runtime: ChatRuntime,
  model: ImageModel,
  input: ImageInput,
  stated: ImageOptions,
  shared: Pick<ImageOptions, "timeouts" | "retry">,
): Promise<ImageResult> {
  checkCall(input, stated);
  if (model.api === "gemini-generate-content") return drawByChat(stream, runtime.now, model, input, stated);
  if (model.api !== "openai-images")
    throw new ConfigError(
      "/model/api",
      `${model.provider}/${model.id} is asked in "${model.api}"; images are drawn over openai-images and gemini-generate-content`,
    );
  if (stated.onExchange !== undefined)
    throw new ConfigError(
      "/onExchange",
      "exchanges are told only of services that are asked in the protocol of a conversation",
    );
  return drawByImages(provider, model, input, { ...shared, ...stated }, runtime);
}
