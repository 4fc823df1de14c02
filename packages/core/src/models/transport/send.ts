import { RolecallError } from "../../errors/index.ts";
import type { AnswerHeaders } from "./answer.ts";
import { headersOf, refuseRedirect } from "./answer.ts";
import type { Deadlines } from "./clock.ts";
import { readFailure } from "./failure.ts";
import type { Fetch, FetchInit, FetchResponse } from "./fetch.ts";

/** An answer whose head is there. */
export interface Answer {
  readonly response: FetchResponse;
  readonly headers: AnswerHeaders;
}

/**
 * Sends a request, and waits until the service begins to answer. Throws a TransportError where it cannot be reached, a ProviderError where it leads
 * elsewhere, and what its deadlines throw.
 */
export async function send(
  fetch: Fetch,
  url: URL,
  init: Pick<FetchInit, "method" | "headers" | "body">,
  deadlines: Deadlines,
  firstByteMs: number,
): Promise<Answer> {
  deadlines.start("firstByteTimeout", firstByteMs);
  let response: FetchResponse;
  try {
    response = await fetch(url.href, { ...init, signal: deadlines.signal, redirect: "manual" });
  } catch (error) {
    if (deadlines.signal.aborted) throw deadlines.signal.reason;
    // A fetch of the host's own may know better what is wrong.
    throw error instanceof RolecallError ? error : readFailure(url.host, error);
  } finally {
    deadlines.stop("firstByteTimeout");
  }
  const headers = headersOf(response);
  refuseRedirect(response, headers, url);
  return { response, headers };
}
