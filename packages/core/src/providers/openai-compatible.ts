import { models as cerebras } from "@rolecall/catalog/cerebras";
import { models as deepseek } from "@rolecall/catalog/deepseek";
import { models as fireworks } from "@rolecall/catalog/fireworks";
import { models as groq } from "@rolecall/catalog/groq";
import { models as mistral } from "@rolecall/catalog/mistral";
import { models as moonshot } from "@rolecall/catalog/moonshot";
import { models as together } from "@rolecall/catalog/together";
import { models as xai } from "@rolecall/catalog/xai";
import { models as zai } from "@rolecall/catalog/zai";
import { ConfigError } from "../errors/index.ts";
import type { Model, Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import type { KnownService } from "./rows.ts";
import { rows } from "./rows.ts";

/** A service that is known by name, and has no factory of its own. */
export type CompatibleService = Exclude<KnownService, "ollama" | "openrouter">;

/** Their models; servers of one's own, and Azure, have those that are set up there. */
const modelsOf: { readonly [S in CompatibleService]: readonly Model[] } = {
  azure: [],
  cerebras,
  deepseek,
  fireworks,
  groq,
  "llama.cpp": [],
  "lm-studio": [],
  mistral,
  moonshot,
  together,
  vllm: [],
  xai,
  zai,
};

/** The names of the services that are known. */
export const compatibleServices: readonly CompatibleService[] = Object.keys(modelsOf) as CompatibleService[];

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
  if (typeof service === "string") {
    if (!Object.hasOwn(modelsOf, service))
      throw new ConfigError("/service", `no service "${service}" is known: there are ${compatibleServices.join(", ")}`);
    return createProvider(rows[service], options, modelsOf[service]);
  }
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
