import { loadProtocol } from "../convert/load.ts";
import { ConfigError } from "../errors/index.ts";
import type { AssistantMessage } from "../ir/index.ts";
import type { ContextInput, TranscriptContext } from "../transcript/index.ts";
import { normalizeContext } from "../transcript/index.ts";
import { ChatCall } from "./chat/call.ts";
import type { DeferredOptions } from "./chat/deferred.ts";
import { askDeferred } from "./chat/deferred.ts";
import type { ModelExchange } from "./chat/exchange.ts";
import { AssistantMessageStream } from "./chat/message-stream.ts";
import type { ChatOptions } from "./chat/options.ts";
import { checkOptions } from "./chat/options.ts";
import { classify } from "./classify/classify.ts";
import type { Classification, ClassifyInput, ClassifyOptions, Question } from "./classify/index.ts";
import { generateImages } from "./images/generate.ts";
import type { ImageInput, ImageOptions, ImageResult } from "./images/index.ts";
import type { Environment, KeyStatus } from "./key.ts";
import { findKey, processEnvironment } from "./key.ts";
import { listModels } from "./list-models.ts";
import type { ChatModel, ClassifierModel, ImageModel, Model, ModelOf, ModelType } from "./model.ts";
import type { Provider } from "./provider.ts";
import { urlOf } from "./provider.ts";
import type { Fetch, RetryOptions, Timeouts } from "./transport/fetch.ts";

export interface ModelsOptions {
  /** How services are asked; the global `fetch` unless stated. Proxies and certificates are its own to know. */
  readonly fetch?: Fetch;
  /** Where keys are looked for; the variables of the process unless stated. */
  readonly environment?: Environment;
  readonly timeouts?: Timeouts;
  readonly retry?: RetryOptions;
  /** Told of each exchange with a service when it is over. What it throws is no matter of the answer: it is an uncaught error of the process. */
  readonly onExchange?: (exchange: ModelExchange) => void;
}

/**
 * Asks a model, and gives its answer as it comes. Agents and tests take one, so that no module has to know where answers come from. Throws a
 * ConfigError for a call that is wrong in itself, such as an option that does not exist; all that happens afterwards the answer tells.
 */
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
  /**
   * Asks a service which models it has, and knows them from then on. Those that were known keep what is known of them; of the others most services
   * do not say what they are for, and they are taken for chat models. Throws a ProviderError or a TransportError where it does not answer.
   */
  refresh(provider: string, options?: { readonly signal?: AbortSignal }): Promise<readonly Model[]>;
  readonly stream: StreamFunction;
  /** The whole answer. `stopReason` says how it ended; it is rejected only where `stream` throws. */
  complete(
    model: ChatModel,
    context: ContextInput | TranscriptContext,
    options?: ChatOptions,
  ): Promise<AssistantMessage>;
  /**
   * Asks questions about a state, and gives an answer to each, checked against it. It is rejected with a ConfigError for a call that is wrong in
   * itself, such as a chat model that `asClassifier` did not make one; `stopReason` says how all others ended.
   */
  classify<const Q extends readonly Question[]>(
    model: ClassifierModel,
    input: ClassifyInput<Q>,
    options?: ClassifyOptions,
  ): Promise<Classification<Q>>;
  /**
   * Asks for images. It is rejected with a ConfigError for a call that is wrong in itself, such as a model that is no image model; `stopReason` says
   * how all others ended. No URL that a service gives is fetched.
   */
  generateImages(model: ImageModel, input: ImageInput, options?: ImageOptions): Promise<ImageResult>;
  /**
   * Asks for an answer that was deferred: the message as far as it is now. Rejected with a ProviderError or a TransportError where the service does
   * not tell, and with a ConfigError for a message without an id.
   */
  fetchDeferred(model: ChatModel, message: DeferredAnswer, options?: DeferredOptions): Promise<AssistantMessage>;
  /** Gives an answer up that was deferred; what its service made of it so far is the message. Rejected as `fetchDeferred` is. */
  cancelDeferred(model: ChatModel, message: DeferredAnswer, options?: DeferredOptions): Promise<AssistantMessage>;
}

/** An answer that its service keeps, by the id that it gave it. */
export type DeferredAnswer = Pick<AssistantMessage, "responseId">;

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
    expectType(model, "chat");
    checkOptions(stated);
    const provider = providerOf(model.provider);
    const { messages } = normalizeContext(context);
    return new AssistantMessageStream(new ChatCall(provider, model, messages, { ...shared, ...stated }, runtime));
  };

  const deferred = async (
    model: ChatModel,
    { responseId }: DeferredAnswer,
    method: "GET" | "POST",
    stated: DeferredOptions,
  ) => {
    if (responseId === undefined || responseId === "")
      throw new ConfigError("/responseId", "the message says no id by which its service keeps it");
    const { timeouts } = shared;
    const limits = timeouts === undefined ? stated : { timeouts, ...stated };
    return askDeferred(providerOf(model.provider), model, responseId, method, limits, runtime);
  };

  return {
    fetchDeferred: (model, message, stated = {}) => deferred(model, message, "GET", stated),
    cancelDeferred: (model, message, stated = {}) => deferred(model, message, "POST", stated),
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
    complete: async (model, context, stated) => stream(model, context, stated).result(),
    async classify(model, input, stated) {
      expectType(model, "classifier");
      return classify(stream, runtime.now, model, input, stated);
    },
    async generateImages(model, input, stated = {}) {
      expectType(model, "image");
      const { onExchange: _shared, ...patience } = shared;
      return generateImages(stream, providerOf(model.provider), runtime, model, input, stated, patience);
    },
  };
}

const operations: { readonly [T in ModelType]: string } = {
  chat: "stream() and complete()",
  classifier: "classify()",
  image: "generateImages()",
};

/** Throws a ConfigError for a model that another operation asks, also where no compiler looked. */
function expectType(model: Model, type: ModelType): void {
  if (model.type === type) return;
  const asked = Object.hasOwn(operations, model.type) ? operations[model.type] : "nothing here";
  const more = type === "classifier" && model.type === "chat" ? ", or as a classifier by way of asClassifier()" : "";
  throw new ConfigError("/model", `${model.provider}/${model.id} is no ${type} model: it is asked by ${asked}${more}`);
}

function modelOf<T extends ModelType>(provider: Provider | undefined, type: T, id: string): ModelOf<T> | undefined {
  return provider?.models.find((model): model is ModelOf<T> => model.type === type && model.id === id);
}

async function keyStatus(provider: Provider, environment: Environment): Promise<KeyStatus> {
  const { status } = await findKey(provider, urlOf(provider, {}, provider.api, "/"), environment);
  return status;
}
