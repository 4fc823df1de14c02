import type { WireError } from "../codec/protocol.ts";
import type { Converted, ProtocolId } from "../ir/index.ts";
import type { StreamSource } from "../stream/source.ts";
import type { ConvertedResponse, ConvertResponseOptions } from "./converter.ts";
import { convertResponseWith } from "./converter.ts";
import type { ErrorInput } from "./error.ts";
import { convertErrorWith } from "./error.ts";
import type { BodyInput, RequestInput } from "./input.ts";
import { loadProtocol } from "./load.ts";
import { checkGiven } from "./options.ts";
import type { ConvertedRequest, ConvertRequestOptions } from "./request.ts";
import { convertRequestWith } from "./request.ts";
import { protocolOfRequest } from "./request-protocol.ts";
import type { ConvertedStream, ConvertStreamOptions } from "./stream.ts";
import { convertStreamWith, reported } from "./stream.ts";

/**
 * Converts a request. `input` is a body (object, JSON text, bytes) or a WireRequest; `value` is of the same kind. Without `from` the
 * protocol is detected. Throws DecodeError, UnsupportedError, EncodeError or LossError.
 */
export async function convertRequest<T extends RequestInput>(
  input: T,
  options: ConvertRequestOptions & { readonly from?: ProtocolId; readonly to: ProtocolId },
): Promise<ConvertedRequest<T>> {
  checkGiven(options);
  const from = options.from ?? protocolOfRequest(input, "from");
  const [source, target] = await Promise.all([loadProtocol(from), loadProtocol(options.to)]);
  return convertRequestWith(source, target, input, options);
}

/** Converts a response of a server of `from` for a client of `to`. With the request's `exchange` it speaks in the client's own terms. */
export async function convertResponse<T extends BodyInput>(
  input: T,
  options: ConvertResponseOptions & { readonly from: ProtocolId; readonly to: ProtocolId },
): Promise<ConvertedResponse<T>> {
  checkGiven(options);
  const [source, target] = await Promise.all([loadProtocol(options.from), loadProtocol(options.to)]);
  return convertResponseWith(source, target, input, options);
}

/** Converts an error answer of a server of `from` into the envelope, status and headers of `to`. */
export async function convertError(
  input: ErrorInput,
  options: ConvertResponseOptions & { readonly from: ProtocolId; readonly to: ProtocolId },
): Promise<Converted<WireError>> {
  checkGiven(options);
  const [source, target] = await Promise.all([loadProtocol(options.from), loadProtocol(options.to)]);
  return convertErrorWith(source, target, input, options);
}

/**
 * Converts the stream of a server of `from` for a client of `to`, chunk by chunk: nothing is read that is not asked for. `report` gives the
 * losses when the stream has ended. A failure inside of the stream, or of its source, becomes an error frame of `to`, and is the stream's `failure`.
 */
export function convertStream(
  source: StreamSource,
  options: ConvertStreamOptions & { readonly from: ProtocolId; readonly to: ProtocolId },
): ConvertedStream {
  return reported(async function* (settle) {
    let stream: ConvertedStream | undefined;
    try {
      checkGiven(options);
      const [from, to] = await Promise.all([loadProtocol(options.from), loadProtocol(options.to)]);
      stream = convertStreamWith(from, to, source, options);
      yield* stream;
    } finally {
      settle({ losses: (await stream?.report) ?? [], failure: await stream?.failure });
    }
  });
}
