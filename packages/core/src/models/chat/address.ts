import { endpoints } from "../../endpoint/index.ts";
import { ProviderError } from "../../errors/index.ts";
import type { ProtocolId } from "../../ir/index.ts";
import type { Environment } from "../key.ts";
import { findKey } from "../key.ts";
import type { Model } from "../model.ts";
import type { Provider } from "../provider.ts";
import { urlOf } from "../provider.ts";
import { secretsOf } from "./redact.ts";

/** Where a request goes, and what its head says. */
export interface Address {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  /** The credentials in it, which belong in no report. */
  readonly secrets: readonly string[];
}

/** What of an address the request itself says. */
export interface AddressInput {
  readonly api: ProtocolId;
  /** Below the base URL. */
  readonly path: string;
  /** Of the protocol, where it has versions and the request states one. */
  readonly version?: string | undefined;
  readonly betas?: readonly string[] | undefined;
  readonly apiKey?: string | undefined;
  /** Those of the call. */
  readonly headers?: { readonly [name: string]: string | null } | undefined;
}

/** The version of the protocol that is stated where nobody states one. */
const MESSAGES_VERSION = "2026-10-21";

/** Throws a ProviderError where the key is missing, and a ConfigError for a base URL that is none. */
export async function addressOf(
  provider: Provider,
  model: Pick<Model, "baseUrl" | "headers">,
  input: AddressInput,
  own: { readonly [name: string]: string },
  environment: Environment,
): Promise<Address> {
  const { api, betas = [] } = input;
  const url = urlOf(provider, model, api, input.path);
  const { key, status } = await findKey(provider, url, environment, input.apiKey);
  if (!status.ok) throw new ProviderError(status.message as string, { kind: "authentication", retryable: false });
  const version =
    input.version ?? provider.profile?.apiVersion ?? (api === "anthropic-messages" ? MESSAGES_VERSION : undefined);
  const headers: { [name: string]: string } = {
    ...own,
    ...(version !== undefined && { "anthropic-version": version }),
    ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
    ...(key !== undefined && endpoints[api].keyHeaders(key, version)),
  };
  for (const stated of [provider.headers, model.headers, input.headers])
    for (const [name, text] of Object.entries(stated ?? {}))
      if (text === null) delete headers[name.toLowerCase()];
      else headers[name.toLowerCase()] = text;
  return { url, headers, secrets: secretsOf(headers) };
}
