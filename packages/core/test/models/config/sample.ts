import { ConfigError } from "../../../src/index.ts";
import type { Provider, ProvidersOfOptions } from "../../../src/models/index.ts";
import { providersOf } from "../../../src/models/index.ts";
import { anthropicProvider } from "../../../src/providers/anthropic.ts";
import { openaiProvider } from "../../../src/providers/openai.ts";
import { openaiCompatibleProvider } from "../../../src/providers/openai-compatible.ts";
import { rows } from "../../../src/providers/rows.ts";

/** A text that names a variable. */
export const variable = (name: string): string => `$\{${name}}`;

export const known: readonly Provider[] = [
  anthropicProvider(),
  openaiProvider(),
  openaiCompatibleProvider("groq"),
  { ...rows.azure, models: [], keyOrigins: [] },
];

/** A file of one provider, whose id is "own" and which is a server of one's own unless something else is stated. */
export function fileOf(stated: object, id = "own"): object {
  const base = { baseUrl: "https://own.test/v1", api: "openai-chat" };
  return { providers: { [id]: id === "own" ? { ...base, ...stated } : stated } };
}

/** The one provider of a file. */
export function providerOf(value: unknown, options: ProvidersOfOptions = {}): Provider {
  const providers = providersOf(value, { environment: {}, known, ...options });
  if (providers.length !== 1) throw new Error(`there are ${providers.length} providers`);
  return providers[0] as Provider;
}

/** The error of a file that is wrong. */
export function errorOf(value: unknown, options: ProvidersOfOptions = {}): ConfigError {
  try {
    providersOf(value, { environment: {}, known, ...options });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

/** All that an error tells, in whatever field. */
export function everythingOf(error: object): string {
  const names = ["message", "stack", "cause", ...Object.getOwnPropertyNames(error)];
  return names.map((name) => String((error as Record<string, unknown>)[name])).join("\n");
}
