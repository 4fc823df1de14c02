import { DecodeError } from "../errors/index.js";
import { convertRequestWith, convertResponseWith } from "./converter.js";
import { detectProtocol } from "./detect.js";
import { convertErrorWith } from "./error.js";
import { isWireRequest, readRequest } from "./input.js";
import { loadProtocol } from "./load.js";
import { convertStreamWith, reported } from "./stream.js";
/**
 * Converts a request. `input` is a body (object, JSON text, bytes) or a WireRequest; `value` is of the same kind. Without `from` the
 * protocol is detected. Throws DecodeError, UnsupportedError, EncodeError or LossError.
 */
export async function convertRequest(input, options) {
    const from = options.from ?? detected(input);
    const [source, target] = await Promise.all([loadProtocol(from), loadProtocol(options.to)]);
    return convertRequestWith(source, target, input, options);
}
function detected(input) {
    const { wire } = readRequest(input);
    const { path, url } = isWireRequest(input) ? input : {};
    const place = [path, url].find((item) => typeof item === "string");
    const protocol = detectProtocol(wire.body, place);
    if (protocol === undefined) {
        throw new DecodeError("", 'the body could be of several protocols: state which with "from"');
    }
    return protocol;
}
/** Converts a response of a server of `from` for a client of `to`. With the request's `exchange` it speaks in the client's own terms. */
export async function convertResponse(input, options) {
    const [source, target] = await Promise.all([loadProtocol(options.from), loadProtocol(options.to)]);
    return convertResponseWith(source, target, input, options);
}
/** Converts an error answer of a server of `from` into the envelope, status and headers of `to`. */
export async function convertError(input, options) {
    const [source, target] = await Promise.all([loadProtocol(options.from), loadProtocol(options.to)]);
    return convertErrorWith(source, target, input, options);
}
/**
 * Converts the stream of a server of `from` for a client of `to`, chunk by chunk: nothing is read that is not asked for. `report` gives the
 * losses when the stream has ended. A failure inside of the stream, or of its source, becomes an error frame of `to`.
 */
export function convertStream(source, options) {
    return reported(async function* (settle) {
        let stream;
        try {
            const [from, to] = await Promise.all([loadProtocol(options.from), loadProtocol(options.to)]);
            stream = convertStreamWith(from, to, source, options);
            yield* stream;
        }
        finally {
            settle(stream === undefined ? [] : await stream.report);
        }
    });
}
//# sourceMappingURL=convert.js.map