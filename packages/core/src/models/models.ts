import { loadProtocol } from "../convert/load.ts";
import { endpoints } from "../endpoint/index.ts";
import { ConfigError, ProviderError } from "../errors/index.ts";
import type { AssistantMessage, JsonObject } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { ContextInput, TranscriptContext } from "../transcript/index.ts";
import { normalizeContext } from "../transcript/index.ts";
import { ChatCall } from "./chat/call.ts";
import type { ModelExchange } from "./chat/exchange.ts";
import { AssistantMessageStream } from "./chat/message-stream.ts";
import type { ChatOptions } from "./chat/options.ts";
import type { Environment, KeyStatus } from "./key.ts";
import { findKey, processEnvironment } from "./key.ts";
import type { ChatModel, Model, ModelOf, ModelType } from "./model.ts";
import type { Provider } from "./provider.ts";
import { urlOf } from "./provider.ts";
import { bodyOf, headersOf, readText } from "./transport/answer.ts";
import { Deadlines } from "./transport/clock.ts";
import { readFailure } from "./transport/failure.ts";
import type { Fetch, RetryOptions, Timeouts } from "./transport/fetch.ts";

export interface ModelsOptions {
  /** How services are asked; the global `fetch` unless stated. Proxies and certificates are its own to know. */
  readonly fetch?: Fetch;
  /** Where keys are looked for; the variables of the process unless stated. */
  readonly environment?: Environment;
  readonly timeouts?: Timeouts;
  readonly retry?: RetryOptions;
  /** Told of each exchange with a service when it is over. */
  readonly onExchange?: (exchange: ModelExchange) => void;
}

/** Asks a model, and gives its answer as it comes. Agents and tests take one, so that no module has to know where answers come from. */
export type StreamFunction = (
  model: ChatModel,
  context: ContextInput | TranscriptContext,
  options?: ChatOptions,
) => AssistantMessageStream;

/** Services and their models. Two of them share nothing. */
export interface Models {
  setProvider(provider: Provider): void;
  deleteProvider(id: string): boolean;
  getProvider(id: string): Provider | undefined;
  getProviders(): readonly Provider[];
  /** A chat model that is known; undefined for others. That it is known does not say that the account may use it. */
  getModel(provider: string, id: string): ChatModel | undefined;
  getModelOfType<T extends ModelType>(type: T, provider: string, id: string): ModelOf<T> | undefined;
  /** All models that are known, or those of one provider. */
  getModels(provider?: string): readonly Model[];
  /** Of one kind those for whose provider there is a key. */
  getAvailableOfType<T extends ModelType>(type: T): Promise<readonly ModelOf<T>[]>;
  /** Whether there is a key for a provider, and where it comes from. Nothing is sent. */
  checkAuth(provider: string): Promise<KeyStatus>;
  /** Asks a service which models it has, and knows them from then on. Those that were known keep what is known of them. */
  refresh(provider: string, options?: { readonly signal?: AbortSignal }): Promise<readonly Model[]>;
  readonly stream: StreamFunction;
  /** The whole answer. It is not rejected: `stopReason` says how it ended. */
  complete(
    model: ChatModel,
    context: ContextInput | TranscriptContext,
    options?: ChatOptions,
  ): Promise<AssistantMessage>;
}

/** An empty set of services. */
export function createModels(options: ModelsOptions = {}): Models {
  const providers = new Map<string, Provider>();
  const environment = options.environment ?? processEnvironment();
  const ask: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init as RequestInit) as ReturnType<Fetch>);
  const runtime = { environment, fetch: ask, now: Date.now, random: Math.random, load: loadProtocol };

  const providerOf = (id: string): Provider => {
    const provider = providers.get(id);
    if (provider !== undefined) return provider;
    const known = [...providers.keys()].join(", ");
    throw new ConfigError(
      "/provider",
      `no provider "${id}" is set: setProvider first${known === "" ? "" : `; there are ${known}`}`,
    );
  };
  const shared: Pick<ChatOptions, "timeouts" | "retry" | "onExchange"> = {
    ...(options.timeouts !== undefined && { timeouts: options.timeouts }),
    ...(options.retry !== undefined && { retry: options.retry }),
    ...(options.onExchange !== undefined && { onExchange: options.onExchange }),
  };

  const stream: StreamFunction = (model, context, stated = {}) => {
    const { type } = model as Model;
    if (type !== "chat")
      throw new ConfigError(
        "/model",
        `${model.provider}/${model.id} is no chat model: it is asked by ${operations[type] ?? "nothing here"}`,
      );
    const provider = providerOf(model.provider);
    const { messages } = normalizeContext(context);
    return new AssistantMessageStream(new ChatCall(provider, model, messages, { ...shared, ...stated }, runtime));
  };

  return {
    setProvider(provider) {
      providers.set(provider.id, provider);
    },
    deleteProvider: (id) => providers.delete(id),
    getProvider: (id) => providers.get(id),
    getProviders: () => [...providers.values()],
    getModel: (provider, id) => modelOf(providers.get(provider), "chat", id),
    getModelOfType: (type, provider, id) => modelOf(providers.get(provider), type, id),
    getModels: (id) =>
      id === undefined ? [...providers.values()].flatMap(({ models }) => models) : (providers.get(id)?.models ?? []),
    async getAvailableOfType(type) {
      const found = await Promise.all(
        [...providers.values()].map(async (provider) => {
          const { ok } = await keyStatus(provider, environment);
          return ok ? provider.models.filter((model) => model.type === type) : [];
        }),
      );
      return found.flat() as unknown as readonly ModelOf<typeof type>[];
    },
    checkAuth: async (id) => keyStatus(providerOf(id), environment),
    async refresh(id, { signal } = {}) {
      const provider = providerOf(id);
      const models = await listModels(provider, environment, ask, options.timeouts ?? {}, signal);
      providers.set(id, { ...provider, models });
      return models;
    },
    stream,
    complete: (model, context, stated) => stream(model, context, stated).result(),
  };
}

const operations: { readonly [type: string]: string } = { classifier: "classify()", image: "generateImages()" };

function modelOf<T extends ModelType>(provider: Provider | undefined, type: T, id: string): ModelOf<T> | undefined {
  return provider?.models.find((model): model is ModelOf<T> => model.type === type && model.id === id);
}

async function keyStatus(provider: Provider, environment: Environment): Promise<KeyStatus> {
  const { status } = await findKey(provider, urlOf(provider, {}, provider.api, "/"), environment);
  return status;
}

/** So many pages of a list are read; no service has more models. */
const PAGES = 50;

async function listModels(
  provider: Provider,
  environment: Environment,
  ask: Fetch,
  { firstByteMs = 30_000, idleMs = 30_000 }: Timeouts,
  outer: AbortSignal | undefined,
): Promise<readonly Model[]> {
  const { api, profile, headers: stated } = provider;
  const endpoint = endpoints[api];
  const version = api === "anthropic-messages" ? (profile?.apiVersion ?? "2026-10-21") : undefined;
  const found = new Map<string, Model>();
  let path: string | undefined = endpoint.models.path;
  for (let page = 0; page < PAGES && path !== undefined; page++) {
    const url = urlOf(provider, {}, api, path);
    const { key, status } = await findKey(provider, url, environment);
    if (!status.ok) throw new ProviderError(status.message as string, { kind: "authentication", retryable: false });
    const deadlines = new Deadlines(url.host, outer);
    try {
      deadlines.start("firstByteTimeout", firstByteMs);
      const headers = {
        accept: "application/json",
        ...(version !== undefined && { "anthropic-version": version }),
        ...(key !== undefined && endpoint.keyHeaders(key, version)),
        ...stated,
      };
      const response = await ask(url.href, { method: "GET", headers, signal: deadlines.signal, redirect: "error" });
      deadlines.stop("firstByteTimeout");
      deadlines.start("idleTimeout", idleMs);
      const body = bodyOf(await readText(response, deadlines.signal));
      if (response.status !== 200)
        throw (await loadProtocol(api)).decodeError(response.status, headersOf(response), body);
      const list = isJsonObject(body) ? body : (noList(url) as JsonObject);
      for (const { id, name } of endpoint.models.read(list)) {
        const known = provider.models.find((model) => model.id === id);
        found.set(id, known ?? { type: "chat", id, provider: provider.id, api, ...(name !== id && { name }) });
      }
      path = endpoint.models.next?.(list);
    } catch (error) {
      if (deadlines.signal.aborted) throw deadlines.signal.reason;
      throw error instanceof ProviderError ? error : readFailure(url.host, error);
    } finally {
      deadlines.end();
    }
  }
  return [...found.values()];
}

function noList(url: URL): never {
  throw new ProviderError(`${url.host} did not answer with a list of models`, { kind: "server", retryable: false });
}
