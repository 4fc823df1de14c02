export { detectServers } from "./detect.ts";
export { loadProvider, type ProviderName, providerNames } from "./load-provider.ts";
export { loadProviders } from "./load-providers.ts";
