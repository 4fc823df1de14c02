import type { ChatModel, Models, ModelsOptions, ProviderOptions } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import type { Sample } from "./answers.ts";
import type { Answer, Service } from "./service.ts";
import { startService } from "./service.ts";

export const key = "sk-test-0123456789abcdef";

export interface Started {
  readonly service: Service;
  readonly models: Models;
  readonly model: ChatModel;
}

/** A service of a protocol that answers as stated, and models that ask it. */
export async function start(
  sample: Sample,
  answer: Answer,
  options: ModelsOptions = {},
  more: ProviderOptions & { readonly model?: Partial<ChatModel> } = {},
): Promise<Started> {
  const service = await startService(answer);
  const { model: stated, ...provided } = more;
  const models = createModels({ environment: {}, retry: { baseDelayMs: 1 }, ...options });
  const provider = sample.provider({
    baseUrl: service.origin + sample.base,
    apiKey: key,
    models: [{ type: "chat", id: "m", provider: "", api: sample.api }],
    ...provided,
  });
  const model: ChatModel = { type: "chat", id: "m", provider: provider.id, api: sample.api, ...stated };
  models.setProvider({ ...provider, models: [model] });
  return { service, models, model };
}
