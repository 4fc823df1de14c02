import { models } from "@rolecall/catalog/anthropic";
import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";

/** Anthropic, in the Messages API: https://platform.claude.com/docs/en/api/messages. */
export function anthropicProvider(options: ProviderOptions = {}): Provider {
  return createProvider(
    {
      id: "anthropic",
      name: "Anthropic",
      baseUrl: "https://api.anthropic.com",
      api: "anthropic-messages",
      keyVariables: ["ANTHROPIC_API_KEY"],
    },
    options,
    models,
  );
}
