import type { InexactPlace } from "../codec/json/inexact.ts";
import { inexactDrafts } from "../codec/json/inexact.ts";
import type { Survey } from "../codec/json/survey.ts";
import { checkJson, refuseDepth, survey, wellFormed } from "../codec/json/survey.ts";
import type { Open } from "../codec/ledger.ts";
import type { Decoded, Encoded, EncodeOptions, Linker, WireError, WireRequest } from "../codec/protocol.ts";
import { placed } from "../codec/refuse.ts";
import type {
  AssistantMessage,
  Conversation,
  Converted,
  Exchange,
  Json,
  JsonObject,
  Loss,
  Profile,
  Settings,
} from "../ir/index.ts";
import type { Acceptance, LossDraft, LossPolicy } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, irLocator, resolveLosses, traceLocator } from "../loss/index.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { StreamSource } from "../stream/source.ts";
import { writeSse } from "../stream/sse.ts";
import { collectStreamWith } from "./collect.ts";
import type { ErrorInput } from "./error.ts";
import { convertErrorWith } from "./error.ts";
import type { BodyInput, ReadBody, RequestInput, SameKind } from "./input.ts";
import { isWireRequest, readBody, readRequest } from "./input.ts";
import { checkAnswerOptions, checkRequestOptions } from "./options.ts";
import { crossesIssuers, refuseElsewhere, sealedPlaces, withoutPlaces } from "./sealed.ts";
import type { ConvertedStream, ConvertStreamOptions, StreamConversion } from "./stream.ts";
import { convertStreamWith, createStreamConversion } from "./stream.ts";
import type { TraceEntry } from "./trace.ts";
import { pointersOf, traceNodes } from "./trace.ts";

export interface ConvertOptions {
  /** What to do about losses; `report` unless stated. */
  readonly onLoss?: LossPolicy;
  /** Losses that are known and accepted. */
  readonly accept?: readonly Acceptance[];
  /**
   * For an input that the caller read from text: what `inexactPlaces` found in it. An object from text is not checked for what is no JSON. Text
   * and bytes are looked at anyway.
   */
  readonly inexact?: readonly InexactPlace[];
}

export interface ConvertRequestOptions extends ConvertOptions {
  readonly source?: Profile;
  readonly target?: Profile;
  /** Toward the same protocol: mend what its services refuse, and report it, as is done toward another. */
  readonly mend?: true;
}

export interface ConvertResponseOptions extends ConvertOptions {
  /** Of the request that the response answers. */
  readonly exchange?: Exchange;
  /** What the client understands beyond its protocol. */
  readonly target?: Profile;
  /** When the answer came, in milliseconds since 1970: what a client is told whose protocol has a time, where the service tells none. */
  readonly receivedAt?: number;
}

export interface ConvertedRequest<T> extends Converted<SameKind<T>> {
  readonly exchange: Exchange;
  /** Source, IR and target place of every node. */
  readonly trace: () => TraceEntry[];
}

export interface ConvertedResponse<T> extends Converted<SameKind<T>> {
  readonly trace: () => TraceEntry[];
}

/** Refuses a body that nests too deep or, given as an object, is no JSON. Toward another protocol it is looked for half surrogates as well. */
function checked(value: Json, isText: boolean, cross: boolean): Survey {
  const found = survey(value, cross);
  refuseDepth(found, value);
  if (!isText) checkJson(value);
  return found;
}

/** Half surrogates are no characters: toward another protocol they are replaced and reported, whatever place they stand in. */
function mended(value: Json, { halves }: Survey, drafts: LossDraft[]): Json {
  if (!halves) return value;
  return wellFormed(value, (path) => drafts.push({ code: "text.lone_surrogate", stage: "decode", path }));
}

const noLosses: readonly Loss[] = Object.freeze([]);

function settle<T extends Conversation | AssistantMessage>(
  decoded: Decoded<T>,
  encoded: Encoded<unknown>,
  body: object,
  before: readonly LossDraft[],
  source: Protocol,
  target: Protocol,
  options: ConvertOptions,
): readonly Loss[] {
  if (before.length + decoded.losses.length + encoded.losses.length === 0) return noLosses;
  const drafts = [...before, ...decoded.losses, ...encoded.losses];
  let places: ReturnType<typeof pointersOf> | undefined;
  const locateTarget = (object: object) => {
    places ??= pointersOf(body);
    return places.get(object);
  };
  const nodes = new Set<object>();
  for (const { node } of drafts) if (node !== undefined) nodes.add(node);
  const locate = traceLocator(decoded.trace, nodes);
  const resolved = resolveLosses(drafts, source.id, target.id, locate, irLocator(decoded.value, nodes), locateTarget);
  const losses = options.accept === undefined ? resolved : acceptLosses(resolved, options.accept);
  enforcePolicy(losses, options.onLoss ?? "report");
  return losses;
}

function encodeOrPlace<T>(decoded: Decoded<Conversation | AssistantMessage>, encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    throw placed(error, traceLocator(decoded.trace), irLocator(decoded.value));
  }
}

/**
 * What decoding gives, without what a body has in fields of no protocol that only its service can read, where another service is asked. What that
 * service has stored is refused, or left out where the profile asks for that.
 */
function unsealed(
  source: Protocol,
  target: Protocol,
  wire: WireRequest,
  options: ConvertRequestOptions,
  drafts: LossDraft[],
): Decoded<Conversation> {
  const decoded = source.decodeRequest(wire, options.source);
  // Other protocols get no residue at all.
  if (source !== target || !crossesIssuers(options.source, options.target)) return decoded;
  const { source: issuer, target: profile = {} } = options;
  const locate = traceLocator(decoded.trace);
  const left = encodeOrPlace(decoded, () => refuseElsewhere(decoded.value, profile, target.id));
  const media = left.map(({ node, ...draft }) => {
    const path = (node && locate(node, "")) ?? "";
    drafts.push({ ...draft, path });
    return path;
  });
  const sealed = sealedPlaces(decoded).filter((place) => !media.some((path) => place.startsWith(`${path}/`)));
  for (const path of sealed)
    drafts.push({
      code: "state.foreign",
      stage: "decode",
      path,
      values: { kind: "payload", from: issuer?.provider ?? "" },
    });
  // The places of each are in the order of the body, those of one are never within those of the other.
  const body = withoutPlaces(withoutPlaces(wire.body, sealed), media);
  return body === wire.body ? decoded : source.decodeRequest({ ...wire, body }, options.source);
}

export function convertRequestWith<T extends RequestInput>(
  source: Protocol,
  target: Protocol,
  input: T,
  options: ConvertRequestOptions = {},
): ConvertedRequest<T> {
  checkRequestOptions(options);
  const { wire, body: read, write } = readRequest(input);
  const cross = source !== target;
  const found = checked(wire.body, read.isText || options.inexact !== undefined, cross);
  const before = inexactDrafts(options.inexact ?? read.inexact(found));
  const body = mended(wire.body, found, before);
  if (cross && wire.headers !== undefined) before.push({ code: "header.beta", stage: "decode", path: "/headers" });
  const decoded = unsealed(source, target, body === wire.body ? wire : { ...wire, body }, options, before);
  const encode = (link?: Linker) => {
    const how: Open<EncodeOptions> = {};
    if (options.mend === true) how.mend = true;
    if (link !== undefined) how.link = link;
    return target.encodeRequest(decoded.value, options.target, how);
  };
  const encoded = encodeOrPlace(decoded, () => encode());
  const { url, body: written } = encoded.value;
  if (url !== undefined && !isWireRequest(input)) before.push(...unwritten(url, decoded.value.settings));
  const losses = settle(decoded, encoded, written as object, before, source, target, options);
  return {
    value: write(encoded.value as WireRequest) as SameKind<T>,
    losses,
    exchange: withOrigin(encoded.exchange, source, cross ? source.echoOf?.(wire) : undefined),
    trace: () => traceNodes(decoded.value, decoded.trace, (link) => encode(link).value.body as object),
  };
}

/** The exchange with the client's protocol, and what an answer in it says again of its request. */
function withOrigin(exchange: Exchange, { id }: Protocol, echo: Exchange["echo"]): Exchange {
  if (echo !== undefined) return { ...exchange, from: id, echo };
  return exchange.from === id ? exchange : { ...exchange, from: id };
}

/** What a target has in its URL, where the result is a body alone. */
function unwritten(url: NonNullable<WireRequest["url"]>, settings: Settings): LossDraft[] {
  const fields = (["model", "stream"] as const).filter((field) => url[field] !== undefined);
  return fields.map((field) => ({ code: "url.missing", stage: "encode", node: settings, field }));
}

/** An answer that `write` encodes, with what was lost on the way. */
function convertAnswer<E extends object>(
  source: Protocol,
  target: Protocol,
  { value, isText, inexact }: ReadBody,
  options: ConvertResponseOptions,
  write: (message: AssistantMessage, options: EncodeOptions) => Encoded<E>,
) {
  const found = checked(value, isText || options.inexact !== undefined, source !== target);
  const before = inexactDrafts(options.inexact ?? inexact(found));
  const body = mended(value, found, before);
  const decoded = source.decodeResponse(body, options.exchange);
  const { target: profile, receivedAt } = options;
  const encode = (link?: Linker) => {
    const how: Open<EncodeOptions> = {};
    if (profile !== undefined) how.profile = profile;
    if (receivedAt !== undefined) how.receivedAt = receivedAt;
    if (link !== undefined) how.link = link;
    return write(decoded.value, how);
  };
  const encoded = encodeOrPlace(decoded, () => encode());
  const losses = settle(decoded, encoded, encoded.value, before, source, target, options);
  return { value: encoded.value, losses, decoded, encode };
}

export function convertResponseWith<T extends BodyInput>(
  source: Protocol,
  target: Protocol,
  input: T,
  options: ConvertResponseOptions = {},
): ConvertedResponse<T> {
  checkAnswerOptions(options, source.id);
  const read = readBody(input);
  const { value, losses, decoded, encode } = convertAnswer(source, target, read, options, (message, how) =>
    target.encodeResponse(message, options.exchange, how),
  );
  return {
    value: read.write(value) as SameKind<T>,
    losses,
    trace: () => traceNodes(decoded.value, decoded.trace, (link) => encode(link).value),
  };
}

function streamResponseWith(
  source: Protocol,
  target: Protocol,
  input: BodyInput,
  options: ConvertResponseOptions = {},
): Converted<string> {
  checkAnswerOptions(options, source.id);
  const { value, losses } = convertAnswer(source, target, readBody(input), options, (message, how) =>
    target.encodeStream(message, options.exchange, how),
  );
  return { value: value.map((frame) => writeSse(frame)).join(""), losses };
}

/** Converts between two protocols that are already loaded: requests from the first to the second, their answers back. */
export interface Converter {
  convertRequest<T extends RequestInput>(input: T, options?: ConvertRequestOptions): ConvertedRequest<T>;
  convertResponse<T extends BodyInput>(input: T, options?: ConvertResponseOptions): ConvertedResponse<T>;
  convertStream(source: StreamSource, options?: ConvertStreamOptions): ConvertedStream;
  /** A response as the text of a stream: for a client that asked for a stream, and a server that answered without one. */
  streamResponse(input: BodyInput, options?: ConvertResponseOptions): Converted<string>;
  /** A stream as a response: for a client that asked for none. Throws a ProviderError for a stream that fails. */
  collectStream(source: StreamSource, options?: ConvertStreamOptions): Promise<Converted<JsonObject>>;
  createStreamConversion(options?: ConvertStreamOptions): StreamConversion;
  convertError(input: ErrorInput, options?: ConvertResponseOptions): Converted<WireError>;
}

/** A converter for a client of `client` and a server of `server`. */
export function createConverter(client: Protocol, server: Protocol): Converter {
  return {
    convertRequest: (input, options) => convertRequestWith(client, server, input, options),
    convertResponse: (input, options) => convertResponseWith(server, client, input, options),
    convertStream: (source, options) => convertStreamWith(server, client, source, options),
    streamResponse: (input, options) => streamResponseWith(server, client, input, options),
    collectStream: (source, options) => collectStreamWith(server, client, source, options),
    createStreamConversion: (options) => createStreamConversion(server, client, options),
    convertError: (input, options) => convertErrorWith(server, client, input, options),
  };
}
