export type { DeferredOptions } from "./chat/deferred.ts";
export type { AssistantMessageEvent } from "./chat/events.ts";
export type { ModelExchange } from "./chat/exchange.ts";
export { type AnswerSource, AssistantMessageStream } from "./chat/message-stream.ts";
export type { ChatOptions } from "./chat/options.ts";
export {
  type Answer,
  type AnswersTo,
  type AnswerTo,
  asClassifier,
  type BoolQuestion,
  type ChoiceQuestion,
  type Classification,
  type ClassifyInput,
  type ClassifyOptions,
  type Question,
  type ScoreQuestion,
} from "./classify/index.ts";
export { type ModelsFile, type ModelsFileOptions, readModelsFile } from "./config/file.ts";
export { type ProvidersOfOptions, providersOf } from "./config/providers-of.ts";
export { estimateCost } from "./cost.ts";
export type { GeneratedImage, ImageInput, ImageOptions, ImageResult, LinkedImage } from "./images/index.ts";
export type { InlineImage } from "./inline-image.ts";
export type { Environment, KeySource, KeyStatus } from "./key.ts";
export {
  type ChatModel,
  type ClassifierModel,
  type ImageModel,
  type MediaLimits,
  type Modality,
  type Model,
  type ModelOf,
  type ModelType,
  type Price,
  type PriceTier,
  type ThinkingLevel,
  thinkingLevels,
} from "./model.ts";
export { createModels, type DeferredAnswer, type Models, type ModelsOptions, type StreamFunction } from "./models.ts";
export type { CallFailure, CallReport } from "./outcome.ts";
export { type ProbeResult, probeModel } from "./probe.ts";
export { createProvider, type Provider, type ProviderOptions, type ProviderRow } from "./provider.ts";
export { createRecorder, readExchanges } from "./record.ts";
export { type SessionUsage, sessionUsage, type UsageTotal } from "./session.ts";
export { clampThinkingLevel } from "./thinking.ts";
export type { Fetch, FetchInit, FetchResponse, RetryOptions, Timeouts } from "./transport/fetch.ts";
