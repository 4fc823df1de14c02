import type { Encoded, EncodeOptions } from "../../../codec/protocol.ts";
import type { AssistantMessage, Exchange } from "../../../ir/index.ts";
import { failureOf } from "../../../stream/failure.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import { encodeResponse } from "../response.ts";
import { errorFrame } from "./encode.ts";

/** The whole stream that gives a message. A chunk is a response, so one chunk holds all of it. */
export function encodeStream(
  message: AssistantMessage,
  exchange?: Exchange,
  options?: EncodeOptions,
): Encoded<readonly StreamFrame[]> {
  const { value, losses } = encodeResponse(message, exchange, options);
  const failure = failureOf(message);
  if (failure === undefined) return { value: [{ data: JSON.stringify(value), terminal: true }], losses };
  const { candidates, ...others } = value;
  const begun = Array.isArray(candidates) ? candidates.map(unended) : [];
  const frames: StreamFrame[] = [{ data: JSON.stringify({ ...others, candidates: begun }) }, errorFrame(failure)];
  // An error says all that a reason to end could not.
  return { value: frames, losses: losses.filter(({ code }) => code !== "response.error") };
}

function unended(candidate: unknown): unknown {
  const { finishReason: _reason, ...others } = candidate as { readonly finishReason?: unknown };
  return others;
}
