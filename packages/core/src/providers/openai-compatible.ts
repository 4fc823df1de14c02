import type { Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import type { CompatibleService } from "./rows.ts";
import { rows } from "./rows.ts";

export type { CompatibleService } from "./rows.ts";

/** The names of the services that are known. */
export const compatibleServices: readonly CompatibleService[] = Object.keys(rows) as CompatibleService[];

/** A server of one's own, or of a vendor that is not known by name. */
export interface OwnServer extends ProviderOptions {
  readonly id: string;
  readonly baseUrl: string;
  /** Variables of the environment that hold its key; without any, it is asked without one unless `apiKey` is stated. */
  readonly keyVariables?: readonly string[];
}

/**
 * A service that speaks Chat Completions: one that is known by its name, or any other by its id and base URL. Throws a ConfigError for a name that
 * is not known, and for a base URL that is none.
 */
export function openaiCompatibleProvider(service: CompatibleService, options?: ProviderOptions): Provider;
export function openaiCompatibleProvider(server: OwnServer): Provider;
export function openaiCompatibleProvider(
  service: CompatibleService | OwnServer,
  options: ProviderOptions = {},
): Provider {
  if (typeof service === "string") return createProvider(rows[service], options);
  const { id, baseUrl, keyVariables = [], ...stated } = service;
  const row = {
    id,
    name: id,
    baseUrl,
    api: "openai-chat" as const,
    keyVariables,
    isKeyless: keyVariables.length === 0,
  };
  return createProvider(row, { ...stated, baseUrl });
}
