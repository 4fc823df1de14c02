import type { ProviderErrorDetails } from "../errors/index.ts";
import { ProviderError } from "../errors/index.ts";
import type { StreamFailure } from "./events.ts";

/** A failure as a stream tells it: without an HTTP status of its own. */
export function describeFailure(error: ProviderError): StreamFailure {
  const { status: _status, ...details } = error.details;
  return { message: error.message, ...details };
}

/** The same failure as the error that the codecs of error bodies write. */
export function failureError(failure: StreamFailure): ProviderError {
  const { message, ...details } = failure;
  return new ProviderError(message, details satisfies ProviderErrorDetails);
}

/** The connection ended before the answer did. */
export const endedEarly: StreamFailure = {
  message: "the stream ended before the answer was complete",
  kind: "server",
  retryable: true,
};

/** A frame that is no JSON object. */
export const unreadableFrame: StreamFailure = {
  message: "the stream holds a frame that is not a JSON object",
  kind: "server",
  retryable: true,
};
