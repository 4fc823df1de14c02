import { ProviderError, TransportError } from "../../errors/index.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { bodyOf, readText } from "./answer.ts";
import type { Deadlines } from "./clock.ts";
import type { Answer } from "./send.ts";
import { delayUntil } from "./wait.ts";

/** The error of an answer with a bad status. Throws the reason of `total`, the signal of all attempts, where that fires meanwhile. */
export async function readRefusal(
  { decodeError }: Pick<Protocol, "decodeError">,
  { response, headers }: Answer,
  host: string,
  deadlines: Deadlines,
  idleMs: number,
  total: AbortSignal,
  now: () => number,
): Promise<ProviderError> {
  let text = "";
  try {
    text = await readText(response, host, deadlines, idleMs);
  } catch (error) {
    // That it is refused is known, also where the words for it break off.
    if (total.aborted || !(error instanceof TransportError)) throw error;
  }
  const error = decodeError(response.status, headers, bodyOf(text));
  const wait = error.details.retryAfterMs ?? delayUntil(headers["retry-after"], now());
  return wait === undefined ? error : new ProviderError(error.message, { ...error.details, retryAfterMs: wait });
}
