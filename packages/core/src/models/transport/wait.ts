import { ProviderError, TransportError } from "../../errors/index.ts";
import type { RetryOptions } from "./fetch.ts";

/** Further attempts where none are stated. */
const RETRIES = 2;

/** Milliseconds until a request that failed is sent again; undefined where it shall not be. */
export function delayAfter(
  error: unknown,
  attempt: number,
  retry: RetryOptions,
  random: () => number,
): number | undefined {
  const { retryable, retryAfterMs } = patience(error);
  return retryable && attempt < (retry.maxRetries ?? RETRIES)
    ? retryDelay(attempt, retryAfterMs, retry, random)
    : undefined;
}

/** Whether asking again may help, and when. */
function patience(error: unknown): { readonly retryable: boolean; readonly retryAfterMs?: number } {
  if (error instanceof TransportError) return { retryable: error.retryable };
  if (!(error instanceof ProviderError)) return { retryable: false };
  const { retryable, retryAfterMs } = error.details;
  return { retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Milliseconds to wait before an attempt, from 0; undefined where the service asks for more than anybody would wait. */
function retryDelay(
  attempt: number,
  asked: number | undefined,
  { baseDelayMs = 500, maxDelayMs = 60_000 }: RetryOptions,
  random: () => number,
): number | undefined {
  if (asked !== undefined) return asked > maxDelayMs ? undefined : asked;
  return Math.min(maxDelayMs, baseDelayMs * 2 ** attempt) * (1 - random());
}

/** The wait that a date in `retry-after` means. */
export function delayUntil(date: string | undefined, now: number): number | undefined {
  const time = date === undefined || !/[a-z]/i.test(date) ? Number.NaN : Date.parse(date);
  return Number.isFinite(time) ? Math.max(0, time - now) : undefined;
}

/** Waits, and throws the reason of the signal as soon as it fires. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", give);
      resolve();
    }, milliseconds);
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
}
