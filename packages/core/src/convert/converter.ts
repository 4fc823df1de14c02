import type { Open } from "../codec/ledger.ts";
import type { Encoded, EncodeOptions, Linker, WireError } from "../codec/protocol.ts";
import type { AssistantMessage, Converted, Exchange, JsonObject, Profile } from "../ir/index.ts";
import { inexactDrafts } from "../json/inexact.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { StreamSource } from "../stream/source.ts";
import { writeSse } from "../stream/sse.ts";
import { collectStreamWith } from "./collect.ts";
import type { ErrorInput } from "./error.ts";
import { convertErrorWith } from "./error.ts";
import type { BodyInput, ReadBody, RequestInput, SameKind } from "./input.ts";
import { readBody } from "./input.ts";
import { checkAnswerOptions } from "./options.ts";
import type { ConvertedRequest, ConvertRequestOptions } from "./request.ts";
import { convertRequestWith } from "./request.ts";
import type { ConvertOptions } from "./settle.ts";
import { checked, encodeOrPlace, mended, settle } from "./settle.ts";
import type { ConvertedStream, ConvertStreamOptions, StreamConversion } from "./stream.ts";
import { convertStreamWith, createStreamConversion } from "./stream.ts";
import type { TraceEntry } from "./trace.ts";
import { traceNodes } from "./trace.ts";

export interface ConvertResponseOptions extends ConvertOptions {
  /** Of the request that the response answers. */
  readonly exchange?: Exchange;
  /** What the client understands beyond its protocol. */
  readonly target?: Profile;
  /** When the answer came, in milliseconds since 1970: what a client is told whose protocol has a time, where the service tells none. */
  readonly receivedAt?: number;
}

export interface ConvertedResponse<T> extends Converted<SameKind<T>> {
  readonly trace: () => TraceEntry[];
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
