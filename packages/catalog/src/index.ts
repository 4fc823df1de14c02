import type { CatalogProvider } from "./loaders.ts";
import { loaders } from "./loaders.ts";
import type { CatalogRow } from "./row.ts";

export type { CatalogProvider } from "./loaders.ts";
export type {
  CatalogRow,
  ChatRow,
  ClassifierRow,
  ImageRow,
  MediaLimits,
  Modality,
  ModelType,
  Price,
  PriceTier,
  ThinkingLevel,
} from "./row.ts";

/** The providers whose models are known, by name. */
export const catalogProviders: readonly CatalogProvider[] = Object.keys(loaders) as CatalogProvider[];

/** The models of a provider, sorted by id. Its file alone is loaded. Rejects a name that is not one of `catalogProviders`. */
export async function loadCatalog(provider: CatalogProvider): Promise<readonly CatalogRow[]> {
  if (!Object.hasOwn(loaders, provider))
    throw new RangeError(`the catalog has no provider ${JSON.stringify(provider)}`);
  return (await loaders[provider]()).models;
}
