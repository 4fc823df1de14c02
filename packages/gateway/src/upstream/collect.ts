import type { Flow, Upstream, UpstreamHeaders, UpstreamListener, UpstreamRequest } from "./upstream.ts";
import { UpstreamFailure } from "./upstream.ts";
import { zlib } from "./zlib.ts";

export interface WholeAnswer {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly body: Buffer;
}

/** Headers with one value each. */
export function singleHeaders(headers: UpstreamHeaders): { readonly [name: string]: string } {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return single;
}

/** Gathers the pieces of a body. */
export interface Collector {
  /** Throws an UpstreamFailure for a body that is too large. */
  push(chunk: Buffer | undefined): void;
  /** As it was before the service compressed it. Of an error that cannot be expanded the status is left. */
  body(headers: UpstreamHeaders, status: number): Buffer;
}

export function createCollector(limit: number): Collector {
  return new Gathered(limit);
}

class Gathered implements Collector {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer | undefined): void {
    if (chunk === undefined) return;
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw new UpstreamFailure("answer", `its answer is larger than ${this.#limit} bytes`);
    this.#chunks.push(chunk);
  }

  body(headers: UpstreamHeaders, status: number): Buffer {
    const [first] = this.#chunks;
    const whole = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const encoding = headers["content-encoding"];
    if (encoding === undefined) return whole;
    try {
      return expand(whole, encoding, this.#limit);
    } catch (error) {
      if (status < 400) throw error;
      return Buffer.alloc(0);
    }
  }
}

/** We ask for plain bodies; some servers compress anyway. */
function expand(body: Buffer, encoding: string | string[], limit: number): Buffer {
  const options = { maxOutputLength: limit };
  try {
    switch (String(encoding).trim().toLowerCase()) {
      case "":
      case "identity":
        return body;
      case "gzip":
      case "x-gzip":
        return zlib().gunzipSync(body, options);
      case "deflate":
        return zlib().inflateSync(body, options);
      case "br":
        return zlib().brotliDecompressSync(body, options);
    }
  } catch (cause) {
    throw new UpstreamFailure("answer", "its answer cannot be decompressed", cause);
  }
  throw new UpstreamFailure("answer", "its answer has an unknown content-encoding");
}

/** Sends a request and gathers the whole answer. `onFlow` gets the means to give it up. */
export function sendWhole(
  upstream: Upstream,
  request: UpstreamRequest,
  limit: number,
  onFlow: (flow: Flow) => void,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => onFlow(new Gathering(limit, resolve, reject).send(upstream, request)));
}

/** One answer that is gathered. */
class Gathering implements UpstreamListener {
  readonly #collector: Collector;
  readonly #resolve: (answer: WholeAnswer) => void;
  readonly #reject: (failure: UpstreamFailure) => void;
  #flow: Flow | undefined;
  #status = 0;
  #headers: UpstreamHeaders = {};

  constructor(limit: number, resolve: (answer: WholeAnswer) => void, reject: (failure: UpstreamFailure) => void) {
    this.#collector = createCollector(limit);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  send(upstream: Upstream, request: UpstreamRequest): Flow {
    const flow = upstream.send(request, this);
    this.#flow = flow;
    return flow;
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onData(bytes: Buffer): boolean {
    this.#flow?.progress();
    this.#collector.push(bytes);
    return true;
  }

  onEnd(rest: Buffer | undefined): void {
    this.#collector.push(rest);
    const headers = this.#headers;
    this.#resolve({ status: this.#status, headers, body: this.#collector.body(headers, this.#status) });
  }

  onError(failure: UpstreamFailure): void {
    this.#reject(failure);
  }
}
