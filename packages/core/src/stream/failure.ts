import type { ProviderErrorDetails } from "../errors/index.ts";
import { ProviderError } from "../errors/index.ts";
import type { Json, StopDetail, StopReason } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { StreamFailure } from "./events.ts";

/** A failure as a stream tells it: with an HTTP status only where it names one. */
export function describeFailure(error: ProviderError): StreamFailure {
  const { status = 0, ...details } = error.details;
  return { message: error.message, ...details, ...(status >= 400 && { status }) };
}

/** How a failed answer ends. */
export function failedEnd(failure: StreamFailure): {
  readonly stopReason: "error";
  readonly errorMessage: string;
  readonly error: Json;
} {
  return { stopReason: "error", errorMessage: failure.message, error: failure as unknown as Json };
}

/** The failure of an answer that did not end well; undefined for one that was cut off, filtered or refused. */
export function failureOf(answer: {
  readonly stopReason?: StopReason;
  readonly stopDetail?: StopDetail;
  readonly rawStopReason?: string;
  readonly errorMessage?: string;
  readonly error?: Json;
}): StreamFailure | undefined {
  if (answer.stopReason !== "error" || answer.stopDetail !== undefined) return undefined;
  if (isJsonObject(answer.error) && typeof answer.error["message"] === "string")
    return answer.error as unknown as StreamFailure;
  const message = `the model failed: ${answer.errorMessage ?? answer.rawStopReason ?? "no reason given"}`;
  return { message, kind: "server", retryable: true };
}

/** The same failure as the error that the codecs of error bodies write. */
export function failureError(failure: StreamFailure): ProviderError {
  const { message, ...details } = failure;
  return new ProviderError(message, details satisfies ProviderErrorDetails);
}

/** The source could not be read to its end. */
export const brokenSource: StreamFailure = {
  message: "the source of the stream failed",
  kind: "server",
  retryable: true,
};

/** The connection ended before the answer did. */
export const endedEarly: StreamFailure = {
  message: "the stream ended before the answer was complete",
  kind: "server",
  retryable: true,
};
