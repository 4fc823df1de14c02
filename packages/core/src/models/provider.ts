import { endpoints } from "../endpoint/index.ts";
import { ConfigError } from "../errors/index.ts";
import type { Profile, ProtocolId } from "../ir/index.ts";
import type { Model } from "./model.ts";
import type { Fetch } from "./transport/fetch.ts";

/** What is known of a service, as data. */
export interface ProviderRow {
  /** The name by which models say whose they are. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** Where its vendor's own clients ask it. */
  readonly baseUrl: string;
  /** The protocol of its models, where a model does not say another one. */
  readonly api: ProtocolId;
  /** Variables of the environment that hold its key; the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** It answers without a key, as servers on one's own machine do. */
  readonly isKeyless?: boolean;
  /** What is known of all its models, beyond its protocol. */
  readonly profile?: Profile;
}

/** What an application states of a service it asks. */
export interface ProviderOptions {
  /** Another place where it is asked: a proxy, or a server of one's own. A key from the environment does not go there. */
  readonly baseUrl?: string;
  /** Its key, or what gives it for each request. */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** Sent with each request. */
  readonly headers?: { readonly [name: string]: string };
  /** What is known of this server. */
  readonly profile?: Profile;
  /** Its models, in place of those that are known. */
  readonly models?: readonly Model[];
  /** How it is asked, in place of what its models are created with. */
  readonly fetch?: Fetch;
}

/** A service that can be asked. */
export interface Provider extends ProviderRow {
  readonly models: readonly Model[];
  /** The origins that a key from the environment may go to. */
  readonly keyOrigins: readonly string[];
  readonly apiKey?: string | (() => string | Promise<string>);
  readonly headers?: { readonly [name: string]: string };
  readonly fetch?: Fetch;
}

/** A service, from what is known of it and what an application states. Throws a ConfigError for a base URL that is none. */
export function createProvider(
  row: ProviderRow,
  options: ProviderOptions = {},
  models: readonly Model[] = [],
): Provider {
  const { baseUrl = row.baseUrl, apiKey, headers, profile, fetch } = options;
  readBaseUrl(baseUrl, "/baseUrl");
  const known: Profile = { ...row.profile, ...profile };
  return {
    ...row,
    baseUrl,
    keyOrigins: row.baseUrl === "" ? [] : [new URL(row.baseUrl).origin],
    models: options.models ?? models,
    ...(Object.keys(known).length > 0 && { profile: known }),
    ...(apiKey !== undefined && { apiKey }),
    ...(headers !== undefined && { headers }),
    ...(fetch !== undefined && { fetch }),
  };
}

/** The URL of a service. Throws a ConfigError for a text that is none, or that holds what a base URL must not. */
function readBaseUrl(text: string, path: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(path, "the base URL is not a URL, such as https://api.example.com/v1");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new ConfigError(path, `a base URL begins with https:// or http://, not ${url.protocol}//`);
  if (url.username !== "" || url.password !== "")
    throw new ConfigError(path, "a base URL holds no user or password: state the key as apiKey");
  return url;
}

/** Where a model is asked for something, by the path of its protocol. A query of the base URL, as of Azure, stays. */
export function urlOf(provider: Provider, model: Pick<Model, "baseUrl">, api: ProtocolId, path: string): URL {
  const stated = readBaseUrl(model.baseUrl ?? provider.baseUrl, "/baseUrl");
  const base = endpoints[api].baseUrl?.(stated) ?? stated;
  const url = new URL(base);
  const [place = "", query] = path.split("?", 2);
  url.pathname = `${base.pathname.replace(/\/+$/, "")}${place}`;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url;
}
