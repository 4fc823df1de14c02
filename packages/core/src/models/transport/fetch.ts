/** The part of `fetch` that is used: the global one, that of undici, and one that an application wraps around them fit. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly signal: AbortSignal;
  /** An answer that leads elsewhere is shown as it is, and then refused: credentials go nowhere else. */
  readonly redirect: "manual";
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  /** Types of streams differ from library to library; that its pieces can be read one by one is common to them. */
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
}

/** Milliseconds; 0 is no limit. */
export interface Timeouts {
  /** Until the service begins to answer, with the time to reach it; 300,000 unless stated. */
  readonly firstByteMs?: number;
  /** Between two events of an answer; 300,000 unless stated. Comments, with which servers keep a connection alive, are none. */
  readonly idleMs?: number;
  /** For the whole of an answer, with all attempts; no limit unless stated. */
  readonly totalMs?: number;
}

/** How often a request is sent again that failed before anything of an answer was there. */
export interface RetryOptions {
  /** Further attempts at most; 2 unless stated. */
  readonly maxRetries?: number;
  /** Milliseconds before the first of them, which double with each; 500 unless stated. A random part of them, up to all, is left out. */
  readonly baseDelayMs?: number;
  /** The longest wait; 60,000 unless stated. A service that asks for a longer one is not asked again. */
  readonly maxDelayMs?: number;
}
