import { ProviderError, RolecallError, TransportError } from "../../errors/index.ts";
import type { StreamFailure } from "../../stream/events.ts";
import { describeFailure } from "../../stream/failure.ts";

/** Why an answer failed, as a message tells it. What is no error of Rolecall is of nobody's kind: a fault of its own, or of what it was given. */
export function describe(error: unknown): StreamFailure {
  if (error instanceof ProviderError) return describeFailure(error);
  if (error instanceof TransportError)
    return {
      message: error.message,
      kind: error.kind.endsWith("Timeout") ? "timeout" : "server",
      retryable: error.retryable,
      type: "transport",
      providerCode: error.kind,
    };
  if (error instanceof RolecallError)
    return { message: error.message, kind: "invalid_request", retryable: false, type: error.code };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : "the call failed";
  return { message, kind: "unknown", retryable: false };
}
