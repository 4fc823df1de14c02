import { models } from "@rolecall/catalog/anthropic";
import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import { vendorRows } from "./rows.ts";

/** Anthropic, in the Messages API: https://platform.claude.com/docs/en/api/messages. */
export function anthropicProvider(options: ProviderOptions = {}): Provider {
  return createProvider(vendorRows.anthropic, options, models);
}
