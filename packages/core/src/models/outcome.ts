import type { AssistantMessage, Cost, Loss, Usage } from "../ir/index.ts";
import type { StreamFailure } from "../stream/events.ts";
import { failureOf } from "../stream/failure.ts";

/** What is told of one call beside what it gives. It is plain JSON. */
export interface CallReport {
  readonly provider: string;
  readonly model: string;
  /** The model that the service says it asked. */
  readonly responseModel?: string;
  /** As the service says why it ended. */
  readonly rawStopReason?: string;
  readonly usage: Usage;
  /** Absent where there is no price, or the service told no counts. `basis` says whether it is an estimate. */
  readonly cost?: Cost;
  /** Milliseconds from the call to its end, with all attempts. */
  readonly durationMs: number;
  /** What was lost on the way to the service and back. */
  readonly losses: readonly Loss[];
}

/** How a call ended that gave nothing. */
export interface CallFailure {
  /** "aborted": it was given up. */
  readonly stopReason: "error" | "aborted";
  readonly errorMessage: string;
  /** Why; absent where it was given up. */
  readonly error?: StreamFailure;
}

/** The report of a call that a chat model answered. */
export function reportOf(message: AssistantMessage, losses: readonly Loss[], durationMs: number): CallReport {
  const { provider, model, responseModel, rawStopReason, usage } = message;
  return {
    provider,
    model,
    ...(responseModel !== undefined && { responseModel }),
    ...(rawStopReason !== undefined && { rawStopReason }),
    usage,
    ...(usage.cost !== undefined && { cost: usage.cost }),
    durationMs,
    losses,
  };
}

/** How a message ended that is no answer; undefined for one that came to its end, or that was cut off, filtered or refused. */
export function failureOfMessage(message: AssistantMessage): CallFailure | undefined {
  const { stopReason, errorMessage } = message;
  if (stopReason === "aborted") return { stopReason, errorMessage: errorMessage ?? "the answer was given up" };
  const failure = failureOf(message);
  return failure === undefined ? undefined : failed(failure);
}

export function failed(error: StreamFailure): CallFailure {
  return { stopReason: "error", errorMessage: error.message, error };
}
