import type { Profile, ProtocolId } from "../../ir/index.ts";
import type { Provider, ProviderRow } from "../provider.ts";
import { createProvider } from "../provider.ts";
import type { Entry, Fields } from "./entry.ts";
import { below, entriesOf, hintOf, itemsOf, readFields, wrong } from "./entry.ts";
import { readCompat, readHeaders, readKey, readProtocol, readUrl } from "./fields.ts";
import type { StatedModels } from "./merge.ts";
import { mergedModels, withHeaders } from "./merge.ts";
import type { StatedModel } from "./model.ts";
import { readModel } from "./model.ts";
import { checkOrigins, originsOf } from "./origins.ts";
import { readText } from "./variable.ts";

/** What a file may say of a provider. */
interface StatedProvider extends StatedModels {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly compat?: Profile;
}

const providerFields: Fields<StatedProvider> = {
  name: readText,
  baseUrl: readUrl,
  api: readProtocol,
  apiKey: readKey,
  headers: readHeaders,
  compat: readCompat,
  models: (entry) => itemsOf(entry, "models").map(readModel),
  modelOverrides: (entry) => entriesOf(entry, "modelOverrides"),
};

/** The provider of an entry of `providers`. What it does not say is taken from the one of this id among those that are known. */
export function readProvider(id: string, place: Entry, all: readonly Provider[]): Provider {
  if (!/^[^\s/]+$/.test(id)) throw wrong(place, "the id of a provider is a word without spaces and slashes");
  const entry: Entry = { ...place, source: { ...place.source, uses: [] } };
  const known = all.find((provider) => provider.id === id);
  const stated = readFields<StatedProvider>(entry, "a provider", providerFields);
  const row = rowOf(id, stated, known, entry, all);
  const provider = createProvider(row, {
    ...(stated.baseUrl !== undefined && { baseUrl: stated.baseUrl }),
    ...(stated.compat !== undefined && { profile: stated.compat }),
    models: mergedModels(stated, row, known?.models ?? []),
  });
  checkOrigins({ entry, provider, models: stated.models ?? [] }, all);
  const own = known !== undefined && isAtHome(provider, known) ? known : undefined;
  const apiKey = stated.apiKey ?? own?.apiKey;
  const headers = withHeaders(own?.headers, stated.headers);
  return {
    ...provider,
    ...(known !== undefined && { keyOrigins: known.keyOrigins }),
    ...(apiKey !== undefined && { apiKey }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** What is known of a provider, with the place and the protocol that it has in the file. */
function rowOf(
  id: string,
  stated: StatedProvider,
  known: Provider | undefined,
  entry: Entry,
  all: readonly Provider[],
): ProviderRow {
  const baseUrl = known?.baseUrl || stated.baseUrl;
  if (baseUrl === undefined)
    throw wrong(below(entry, "baseUrl"), `it is not known where ${id} is: state its baseUrl${meantOf(id, all)}`);
  const api = stated.api ?? known?.api ?? apiOf(stated.models ?? []);
  if (api === undefined) throw wrong(below(entry, "api"), "state the protocol of this provider, or of all its models");
  const { keyVariables = [], isKeyless = known === undefined, profile } = known ?? {};
  return {
    id,
    name: stated.name ?? known?.name ?? id,
    baseUrl,
    api,
    keyVariables,
    ...(isKeyless && { isKeyless }),
    ...(profile !== undefined && { profile }),
  };
}

function meantOf(id: string, known: readonly Provider[]): string {
  const names = known.map((provider) => provider.id).filter((name) => name !== id);
  return names.length === 0 ? "" : `; of the services that are known${hintOf(id, names)}`;
}

/** The protocol of the models of a provider that states none itself. */
function apiOf(models: readonly StatedModel[]): ProtocolId | undefined {
  const apis = models.map(({ type, change }) => (type === "chat" ? change.api : undefined));
  return apis.includes(undefined) ? undefined : (apis[0] as ProtocolId | undefined);
}

/** Whether a provider and its models are where the known one has them. */
function isAtHome(provider: Provider, known: Provider): boolean {
  const home = originsOf(known);
  return [...originsOf(provider)].every((origin) => home.has(origin));
}
