import type { Provider } from "./provider.ts";

/** The variables of the environment; those of the process unless others are given. */
export type Environment = { readonly [name: string]: string | undefined };

export function processEnvironment(): Environment {
  return (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {};
}

/** Where a key comes from, without the key. */
export type KeySource = "call" | "provider" | "none" | { readonly variable: string };

export interface KeyStatus {
  /** There is a key, or none is needed. */
  readonly ok: boolean;
  readonly source?: KeySource;
  /** What is missing, and the mend. */
  readonly message?: string;
}

interface FoundKey {
  readonly key?: string;
  readonly status: KeyStatus;
}

/**
 * The key for a URL of a service. One from the environment is that service's own, so it goes to no other origin than its own: whoever asks elsewhere
 * states the key.
 */
export async function findKey(
  provider: Provider,
  url: URL,
  environment: Environment,
  stated?: string,
): Promise<FoundKey> {
  if (stated !== undefined && stated !== "") return { key: stated, status: { ok: true, source: "call" } };
  const { apiKey, keyVariables, keyOrigins, isKeyless, id } = provider;
  const own = typeof apiKey === "function" ? await apiKey() : apiKey;
  if (own !== undefined && own !== "") return { key: own, status: { ok: true, source: "provider" } };
  const variable = keyVariables.find((name) => (environment[name] ?? "") !== "");
  if (variable !== undefined && keyOrigins.includes(url.origin))
    return { key: environment[variable] as string, status: { ok: true, source: { variable } } };
  if (isKeyless === true) return { status: { ok: true, source: "none" } };
  const message =
    variable !== undefined
      ? `no key for provider ${id}: ${variable} is not sent to ${url.origin}; state it as apiKey if it shall go there`
      : `no key for provider ${id}: set ${keyVariables[0] ?? "apiKey"}, or state apiKey`;
  return { status: { ok: false, message } };
}
