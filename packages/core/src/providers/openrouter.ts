import { models } from "@rolecall/catalog/openrouter";
import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import { rows } from "./rows.ts";

/** OpenRouter, in Chat Completions: https://openrouter.ai/docs/api-reference/overview. */
export function openrouterProvider(options: ProviderOptions = {}): Provider {
  return createProvider(rows.openrouter, options, models);
}
