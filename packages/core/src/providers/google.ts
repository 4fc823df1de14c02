import { models } from "@rolecall/catalog/google";
import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import { vendorRows } from "./rows.ts";

/** The Gemini API of Google: https://ai.google.dev/api/generate-content. */
export function googleProvider(options: ProviderOptions = {}): Provider {
  return createProvider(vendorRows.google, options, models);
}
