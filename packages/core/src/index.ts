export type { StatedError } from "./codec/errors/envelope.ts";
export { checkProfile, profileFields } from "./codec/profile.ts";
export type {
  Decoded,
  Encoded,
  EncodedRequest,
  RedundancyRule,
  WireError,
  WireRequest,
} from "./codec/protocol.ts";
export { lowerSchema, type SchemaTarget } from "./codec/schema/lower.ts";
export { readModelPath, writeModelPath } from "./codec/url/model-path.ts";
export { convertError, convertRequest, convertResponse, convertStream } from "./convert/convert.ts";
export {
  type ConvertedResponse,
  type Converter,
  type ConvertResponseOptions,
  createConverter,
} from "./convert/converter.ts";
export { detectProtocol } from "./convert/detect.ts";
export type { ErrorInput } from "./convert/error.ts";
export { HistoryCache, type HistoryCacheOptions, type ReadHistory } from "./convert/history/cache.ts";
export { type BodyInput, type HttpRequest, type RequestInput, readHeaders, type SameKind } from "./convert/input.ts";
export { loadProtocol, protocolIds } from "./convert/load.ts";
export type { ConvertedRequest, ConvertRequestOptions } from "./convert/request.ts";
export type { ConvertOptions } from "./convert/settle.ts";
export type { ConvertedStream, ConvertStreamOptions, StreamConversion } from "./convert/stream.ts";
export type { TraceEntry } from "./convert/trace.ts";
export {
  checkUrlTarget,
  type Endpoint,
  endpoints,
  type ModelEntry,
  type ModelListing,
  type UrlTarget,
} from "./endpoint/index.ts";
export * from "./errors/index.ts";
export * from "./ir/index.ts";
export { type InexactPlace, inexactPlaces } from "./json/inexact.ts";
export { readJson, readJsonBytes, readText } from "./json/json-text.ts";
export { checkDepth } from "./json/survey.ts";
export {
  type Acceptance,
  acceptLosses,
  compareLosses,
  enforcePolicy,
  groupLosses,
  type LossCode,
  type LossDefinition,
  type LossGroup,
  type LossPolicy,
  type LossSummary,
  lossCatalogue,
  lossDefinition,
  lossEffects,
  lossSeverities,
  mergeGroups,
  type Novelty,
  readAcceptances,
  summarizeLosses,
  usualDetail,
} from "./loss/index.ts";
export { createModels } from "./models/index.ts";
export {
  type ArgumentSnapshot,
  createArgumentSnapshot,
} from "./stream/argument-snapshot.ts";
export type * from "./stream/events.ts";
export { createFrameParser, createListWriter, type FrameParser, type ListWriter } from "./stream/frames.ts";
export { messageEvents } from "./stream/message-events.ts";
export type { Protocol, StreamDecodeOptions, StreamDecoder, StreamEncoder, StreamFrame } from "./stream/protocol.ts";
export { createReducer, type Reducer, reduce } from "./stream/reduce.ts";
export type { StreamSource } from "./stream/source.ts";
export { createSseParser, type SseFrame, type SseParser, writeComment, writeSse } from "./stream/sse.ts";
export * from "./transcript/index.ts";
