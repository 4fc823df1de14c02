import { checkProfile } from "../codec/profile.ts";
import { ConfigError } from "../errors/index.ts";
import type { Profile, ProtocolId } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { readAcceptances } from "../loss/index.ts";
import type { ConvertResponseOptions } from "./converter.ts";
import { HistoryCache } from "./history/cache.ts";
import type { ConvertRequestOptions } from "./request.ts";
import type { ConvertOptions } from "./settle.ts";

/** What callers without types may give in the place of options. */
type Unchecked<T> = { readonly [K in keyof T]?: unknown };

/** Refuses what are no options at all, as where they were forgotten. */
export function checkGiven(options: unknown): void {
  if (!isJsonObject(options)) throw new ConfigError("", 'options are an object that states the protocol as "to"');
}

function checkShared({ onLoss, accept }: Unchecked<ConvertOptions>): void {
  if (onLoss !== undefined && onLoss !== "report" && onLoss !== "throw" && typeof onLoss !== "function")
    throw new ConfigError("/onLoss", '"onLoss" must be "report", "throw" or a function');
  if (accept === undefined) return;
  if (!Array.isArray(accept)) throw new ConfigError("/accept", '"accept" must be a list of acceptances');
  try {
    readAcceptances(accept);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`/accept${error.path}`, error.message) : error;
  }
}

function checkProfileOption(name: "source" | "target", profile: unknown): void {
  if (profile === undefined) return;
  if (!isJsonObject(profile))
    throw new ConfigError(
      `/${name}`,
      `"${name}" must be a profile, which is an object such as {"provider": "mistral"}`,
    );
  checkProfile(profile as Profile);
}

/** Throws a ConfigError for options that are wrong. `path` leads to the option; within a profile, to the field of that. */
export function checkRequestOptions(options: Unchecked<ConvertRequestOptions>): void {
  checkShared(options);
  checkProfileOption("source", options.source);
  checkProfileOption("target", options.target);
  const { cache, scope } = options;
  if (cache !== undefined && !(cache instanceof HistoryCache))
    throw new ConfigError("/cache", '"cache" must be a HistoryCache: new HistoryCache()');
  if (scope !== undefined && typeof scope !== "string") throw new ConfigError("/scope", '"scope" must be a string');
}

/** The same for an answer of `server`: the exchange must be of a request to it. */
export function checkAnswerOptions(options: Unchecked<ConvertResponseOptions>, server: ProtocolId): void {
  checkShared(options);
  checkProfileOption("target", options.target);
  const { exchange, receivedAt } = options;
  if (receivedAt !== undefined && !Number.isFinite(receivedAt))
    throw new ConfigError("/receivedAt", '"receivedAt" must be a time in milliseconds since 1970');
  if (exchange === undefined) return;
  if (!isJsonObject(exchange))
    throw new ConfigError("/exchange", '"exchange" must be what the conversion of the request gave: an object');
  if (exchange["to"] !== server)
    throw new ConfigError("/exchange/to", `"exchange" must be that of a request that was sent in ${server}`);
  for (const key of ["toolNames", "toolCallIds", "namespaces"] as const) {
    if (exchange[key] !== undefined && !isJsonObject(exchange[key]))
      throw new ConfigError(`/exchange/${key}`, `"${key}" of an exchange must be an object, or left out`);
  }
  const { customTools } = exchange;
  if (customTools !== undefined && !Array.isArray(customTools))
    throw new ConfigError("/exchange/customTools", '"customTools" of an exchange must be a list, or left out');
}
