import { models } from "@rolecall/catalog/google";
import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";

/** The Gemini API of Google: https://ai.google.dev/api/generate-content. */
export function googleProvider(options: ProviderOptions = {}): Provider {
  return createProvider(
    {
      id: "google",
      name: "Google",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      api: "gemini-generate-content",
      keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    },
    options,
    models,
  );
}
