export { readJson, readJsonBytes } from "./codec/json/json-text.ts";
export type {
  Decoded,
  Encoded,
  EncodedRequest,
  Protocol,
  RedundancyRule,
  WireError,
  WireRequest,
} from "./codec/protocol.ts";
export { lowerSchema, type SchemaTarget } from "./codec/schema.ts";
export { convertError, convertRequest, convertResponse } from "./convert/convert.ts";
export {
  type ConvertedRequest,
  type ConvertedResponse,
  type Converter,
  type ConvertOptions,
  type ConvertRequestOptions,
  type ConvertResponseOptions,
  createConverter,
  type ErrorInput,
} from "./convert/converter.ts";
export { detectProtocol } from "./convert/detect.ts";
export type { BodyInput, RequestInput, SameKind } from "./convert/input.ts";
export { loadProtocol, protocolIds } from "./convert/load.ts";
export type { TraceEntry } from "./convert/trace.ts";
export * from "./errors/index.ts";
export * from "./ir/index.ts";
export {
  type Acceptance,
  acceptLosses,
  compareLosses,
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
  type Novelty,
  readAcceptances,
  summarizeLosses,
} from "./loss/index.ts";
export * from "./transcript/index.ts";
