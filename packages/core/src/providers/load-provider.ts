import { ConfigError } from "../errors/index.ts";
import type { Provider, ProviderOptions } from "../models/index.ts";
import type { KnownService, VendorService } from "./rows.ts";
import { rows, vendorRows } from "./rows.ts";

/** A service that can be asked for by its name. */
export type ProviderName = VendorService | KnownService;

/** The names of all services that are known. */
export const providerNames: readonly ProviderName[] = [
  ...(Object.keys(vendorRows) as VendorService[]),
  ...(Object.keys(rows) as KnownService[]),
];

/** A service by its name. Its module alone is loaded. Rejects with a ConfigError for a name that is not one of `providerNames`. */
export async function loadProvider(name: ProviderName, options: ProviderOptions = {}): Promise<Provider> {
  switch (name) {
    case "anthropic":
      return (await import("./anthropic.ts")).anthropicProvider(options);
    case "google":
      return (await import("./google.ts")).googleProvider(options);
    case "openai":
      return (await import("./openai.ts")).openaiProvider(options);
    case "openrouter":
      return (await import("./openrouter.ts")).openrouterProvider(options);
    case "ollama":
      return (await import("./ollama.ts")).ollamaProvider(options);
    default: {
      if (!providerNames.includes(name))
        throw new ConfigError("/provider", `no provider "${name}" is known: there are ${providerNames.join(", ")}`);
      return (await import("./openai-compatible.ts")).openaiCompatibleProvider(name, options);
    }
  }
}
