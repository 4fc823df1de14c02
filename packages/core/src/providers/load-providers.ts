import { isJsonObject } from "../ir/index.ts";
import type { ModelsFileOptions, Provider, ProviderRow } from "../models/index.ts";
import { createProvider, providersOf, readModelsFile } from "../models/index.ts";
import type { ProviderName } from "./load-provider.ts";
import { loadProvider } from "./load-provider.ts";
import { rows, vendorRows } from "./rows.ts";

/**
 * The services of `models.json`, for `setProvider`: of the file that is stated, or of that in the user's directory, which may be missing. See
 * `readModelsFile` for where that is, and docs/models-file.md for what it may say. Of services that are known only those are loaded that it names.
 * Rejects with a ConfigError, with file and place, for what cannot be read or is wrong.
 */
export async function loadProviders(options: ModelsFileOptions = {}): Promise<readonly Provider[]> {
  const found = await readModelsFile(options);
  if (found === undefined) return [];
  const { value, file } = found;
  const named = isJsonObject(value) && isJsonObject(value["providers"]) ? value["providers"] : {};
  const services = [...Object.values(vendorRows), ...Object.values(rows)];
  const known = await Promise.all(services.map((row) => knownProvider(row, Object.hasOwn(named, row.id))));
  return providersOf(value, {
    file,
    known,
    ...(options.environment !== undefined && { environment: options.environment }),
  });
}

/** A service as it is known. Its models are loaded where the file says something of it; whose its key is must be known of all. */
async function knownProvider(row: ProviderRow, isNamed: boolean): Promise<Provider> {
  if (row.baseUrl === "") return { ...row, models: [], keyOrigins: [] };
  return isNamed ? loadProvider(row.id as ProviderName) : createProvider(row);
}
