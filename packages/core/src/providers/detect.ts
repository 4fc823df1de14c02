import type { Model, ModelsOptions, Provider, ProviderRow } from "../models/index.ts";
import { createModels, createProvider } from "../models/index.ts";
import { rows } from "./rows.ts";

/** Milliseconds: a server on this machine is there at once, or not at all. */
const SHORT = 1000;

/**
 * The servers on this machine that run, each with the models that it says it has: Ollama, llama.cpp, LM Studio and vLLM, at their usual places. They
 * are asked when this is called, and never otherwise. Two that use one place are told apart by nobody: the first that is known of it is given.
 */
export async function detectServers(
  options: Pick<ModelsOptions, "fetch" | "timeouts"> = {},
): Promise<readonly Provider[]> {
  const local = Object.values(rows).filter(({ isKeyless }) => isKeyless === true);
  const found = await Promise.all(local.map((row) => askServer(row, options)));
  return found.filter((provider) => provider !== undefined);
}

async function askServer(
  row: ProviderRow,
  { timeouts, ...options }: Parameters<typeof detectServers>[0] & object,
): Promise<Provider | undefined> {
  const models = createModels({
    ...options,
    environment: {},
    timeouts: { firstByteMs: SHORT, idleMs: SHORT, ...timeouts },
  });
  const provider = createProvider(row);
  models.setProvider(provider);
  let listed: readonly Model[];
  try {
    listed = await models.refresh(row.id);
  } catch {
    // Nobody answers there, or somebody else.
    return undefined;
  }
  return { ...provider, models: listed };
}
