import { ConfigError } from "@rolecall/core";
import type { Engine } from "./engine.ts";
import { createEngine } from "./engine.ts";
import type { AnswerHeaders, Call, Sink } from "./http/sink.ts";
import type { GatewayOptions } from "./options.ts";
import { answerCall } from "./routes/router.ts";

/** Where the paths of the protocols begin in a URL, whatever base a client was given. */
const known =
  /(\/v1(?:alpha|beta))?(\/(?:chat\/completions|responses(?:\/input_tokens)?|messages(?:\/count_tokens)?|(?:models|tunedModels)(?:\/.+)?))$/;

/**
 * A `fetch` for the SDK of a vendor: it takes requests by their path, whatever their host, and answers them by way of the service that the
 * options name. Nothing listens anywhere.
 */
export function rolecallFetch(options: GatewayOptions): typeof globalThis.fetch {
  let engine: Promise<Engine> | undefined;
  return async (input, init) => {
    engine ??= createEngine(options);
    return answerFetch(await engine, new Request(input, init));
  };
}

/** Answers a request as a gateway with this engine does. */
export async function answerFetch(engine: Engine, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const found = known.exec(url.pathname);
  const path = found === null ? url.pathname : (found[1] ?? "/v1") + found[2];
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > engine.settled.limits.body)
    throw new ConfigError("/limits/body", `the body is larger than ${engine.settled.limits.body} bytes`);
  return new Promise((resolve, reject) => {
    const sink = new FetchSink(request, resolve, reject);
    const headers: Call["headers"] = Object.fromEntries(request.headers);
    void answerCall(engine, { method: request.method, path, query: url.search, headers, body, sink });
  });
}

/** The answer of one request, as the body of a Response. */
class FetchSink implements Sink {
  started = false;
  readonly #request: Request;
  readonly #resolve: (response: Response) => void;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;
  #aborted = false;
  #onDrain: (() => void) | undefined;
  #onAbort: (() => void) | undefined;

  constructor(request: Request, resolve: (response: Response) => void, reject: (error: unknown) => void) {
    const { signal } = request;
    this.#request = request;
    this.#resolve = resolve;
    this.#aborted = signal.aborted;
    signal.addEventListener("abort", () => {
      this.#abort();
      if (!this.started) reject(signal.reason);
      else if (!this.#ended) this.#controller?.error(signal.reason);
    });
  }

  get closed(): boolean {
    return this.#aborted;
  }

  head(status: number, headers: AnswerHeaders): void {
    this.started = true;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#onDrain?.(),
        cancel: () => this.#abort(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 64 << 10 }),
    );
    const isEmpty = status === 204 || this.#request.method === "HEAD";
    this.#resolve(new Response(isEmpty ? null : stream, { status, headers: headers as Record<string, string> }));
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#aborted || this.#ended) return true;
    this.#controller?.enqueue(typeof chunk === "string" ? this.#encoder.encode(chunk) : chunk);
    return (this.#controller?.desiredSize ?? 1) > 0;
  }

  end(chunk?: Uint8Array | string): void {
    if (this.#aborted || this.#ended) return;
    if (chunk !== undefined && chunk.length > 0) this.write(chunk);
    this.#ended = true;
    this.#controller?.close();
  }

  destroy(): void {
    if (this.#aborted || this.#ended) return;
    this.#ended = true;
    this.#controller?.error(new TypeError("the answer broke off"));
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  onAbort(listener: () => void): void {
    this.#onAbort = listener;
  }

  #abort(): void {
    if (this.#ended || this.#aborted) return;
    this.#aborted = true;
    this.#onAbort?.();
  }
}
