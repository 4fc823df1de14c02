import { ProviderError } from "../errors/index.js";
/** A failure as a stream tells it: without an HTTP status of its own. */
export function describeFailure(error) {
    const { status: _status, ...details } = error.details;
    return { message: error.message, ...details };
}
/** The same failure as the error that the codecs of error bodies write. */
export function failureError(failure) {
    const { message, ...details } = failure;
    return new ProviderError(message, details);
}
/** The connection ended before the answer did. */
export const endedEarly = {
    message: "the stream ended before the answer was complete",
    kind: "server",
    retryable: true,
};
/** A frame that is no JSON object. */
export const unreadableFrame = {
    message: "the stream holds a frame that is not a JSON object",
    kind: "server",
    retryable: true,
};
//# sourceMappingURL=failure.js.map