import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import { rows } from "./rows.ts";

/**
 * Ollama on this machine, in Chat Completions: https://docs.ollama.com/api/openai-compatibility. Which models it has is not known before it is asked:
 * state them, or call `refresh("ollama")`.
 */
export function ollamaProvider(options: ProviderOptions = {}): Provider {
  return createProvider(rows.ollama, options);
}
