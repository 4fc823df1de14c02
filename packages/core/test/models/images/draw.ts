import type { ImageModel, Models, ModelsOptions, ProviderOptions } from "../../../src/models/index.ts";
import { createModels } from "../../../src/models/index.ts";
import { googleProvider } from "../../../src/providers/google.ts";
import { openaiProvider } from "../../../src/providers/openai.ts";
import type { Answer, Service } from "../service.ts";
import { startService } from "../service.ts";
import { key } from "../start.ts";

/** The first bytes of an image, which are enough to tell its kind. */
export const png = "iVBORw0KGgo=";
export const jpeg = "/9j/4AAQSkZJRg==";
export const webp = "UklGRhI0VnhXRUJQVlA4IA==";

export interface Drawing {
  readonly service: Service;
  readonly models: Models;
  readonly model: ImageModel;
}

/** A service that draws as stated, and models that ask it. */
async function start(
  own: Omit<ImageModel, "type" | "provider">,
  base: string,
  provide: (options: ProviderOptions) => ReturnType<typeof openaiProvider>,
  answer: Answer,
  options: ModelsOptions,
): Promise<Drawing> {
  const service = await startService(answer);
  const models = createModels({ environment: {}, retry: { baseDelayMs: 1 }, ...options });
  const provider = provide({ baseUrl: service.origin + base, apiKey: key });
  models.setProvider(provider);
  return { service, models, model: { type: "image", provider: provider.id, ...own } };
}

export const startOpenAi = (answer: Answer, own: Partial<ImageModel> = {}, options = {}): Promise<Drawing> =>
  start({ id: "gpt-image-1.5", api: "openai-images", ...own }, "/v1", openaiProvider, answer, options);

export const startGoogle = (answer: Answer, own: Partial<ImageModel> = {}, options = {}): Promise<Drawing> =>
  start({ id: "gemini-image", api: "gemini-generate-content", ...own }, "/v1beta", googleProvider, answer, options);

/** An answer of Gemini. */
export function drawn(parts: readonly object[], finishReason = "STOP"): object {
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 1290, totalTokenCount: 1302 },
    modelVersion: "gemini-image-002",
    responseId: "r_1",
  };
}
