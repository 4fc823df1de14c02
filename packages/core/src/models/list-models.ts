import { loadProtocol } from "../convert/load.ts";
import { endpoints } from "../endpoint/index.ts";
import { ProviderError } from "../errors/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { addressOf } from "./chat/address.ts";
import type { Environment } from "./key.ts";
import type { Model } from "./model.ts";
import type { Provider } from "./provider.ts";
import { bodyOf, readText } from "./transport/answer.ts";
import { Deadlines } from "./transport/clock.ts";
import type { Fetch, Timeouts } from "./transport/fetch.ts";
import { send } from "./transport/send.ts";

/** So many pages of a list are read; no service has more models. */
const PAGES = 50;

/** Milliseconds that count where none are stated; a list is there at once. */
const SHORT = 30_000;

/**
 * The models that a service says it has. Those that are known keep what is known of them. Of the others a service tells little: where it says that
 * one does not generate, it is left out; else it is taken for a chat model.
 */
export async function listModels(
  provider: Provider,
  environment: Environment,
  fetch: Fetch,
  { firstByteMs = SHORT, idleMs = SHORT }: Timeouts,
  signal: AbortSignal | undefined,
): Promise<readonly Model[]> {
  const { api } = provider;
  const { models: listing } = endpoints[api];
  const known = new Map(provider.models.map((model) => [model.id, model]));
  const found = new Map<string, Model>();
  let path: string | undefined = listing.path;
  for (let page = 0; page < PAGES && path !== undefined; page++) {
    const own = { accept: "application/json" };
    const { url, headers } = await addressOf(provider, {}, { api, path }, own, environment);
    const deadlines = new Deadlines(url.host, signal);
    try {
      const answer = await send(provider.fetch ?? fetch, url, { method: "GET", headers }, deadlines, firstByteMs);
      const body = bodyOf(await readText(answer.response, url.host, deadlines, idleMs));
      const { status } = answer.response;
      if (status !== 200) throw (await loadProtocol(api)).decodeError(status, answer.headers, body);
      if (!isJsonObject(body))
        throw new ProviderError(`${url.host} did not answer with a list of models`, {
          kind: "server",
          retryable: false,
        });
      for (const { id, name, isChat } of listing.read(body)) {
        const model = known.get(id);
        if (model !== undefined) found.set(id, model);
        else if (isChat !== false)
          found.set(id, { type: "chat", id, provider: provider.id, api, ...(name !== id && { name }) });
      }
      path = listing.next?.(body);
    } finally {
      deadlines.end();
    }
  }
  return [...found.values()];
}
