import type { JsonObject } from "../../ir/index.ts";
import type { Protocol } from "../../stream/protocol.ts";
import type { AnswerHeaders } from "./answer.ts";
import { readText } from "./answer.ts";
import { Deadlines, FIRST_BYTE, IDLE } from "./clock.ts";
import type { Fetch, RetryOptions, Timeouts } from "./fetch.ts";
import { readRefusal } from "./refusal.ts";
import { send } from "./send.ts";
import { delayAfter, wait } from "./wait.ts";

/** A request whose answer is no stream. */
export interface WholeRequest {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: JsonObject;
  readonly fetch: Fetch;
  readonly timeouts: Timeouts;
  readonly retry: RetryOptions;
  readonly now: () => number;
  readonly random: () => number;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/**
 * Asks until there is an answer that can be read, as often as may help. Throws the error of the last attempt, and the reason of `total`, the limits
 * of all of them, as soon as its signal fires.
 */
export async function askWhole<T>(
  request: WholeRequest,
  total: Deadlines,
  protocol: Pick<Protocol, "decodeError">,
  read: (answer: WholeAnswer) => T,
): Promise<T> {
  const { url, headers, fetch, timeouts, retry, now, random } = request;
  const { firstByteMs = FIRST_BYTE, idleMs = IDLE } = timeouts;
  const { signal } = total;
  const body = JSON.stringify(request.body);
  for (let attempt = 0; ; attempt++) {
    const deadlines = new Deadlines(url.host, signal);
    try {
      const answer = await send(fetch, url, { method: "POST", headers, body }, deadlines, firstByteMs);
      const { status } = answer.response;
      if (status < 200 || status >= 300)
        throw await readRefusal(protocol, answer, url.host, deadlines, idleMs, signal, now);
      return read({
        status,
        headers: answer.headers,
        text: await readText(answer.response, url.host, deadlines, idleMs),
      });
    } catch (error) {
      signal.throwIfAborted();
      const delay = delayAfter(error, attempt, retry, random);
      if (delay === undefined) throw error;
      deadlines.end();
      deadlines.abort();
      await wait(delay, signal);
    } finally {
      deadlines.end();
      deadlines.abort();
    }
  }
}
