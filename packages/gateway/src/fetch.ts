import { ConfigError } from "@rolecall/core";
import type { Engine } from "./engine.ts";
import { createEngine } from "./engine.ts";
import type { Call, Sink } from "./http/sink.ts";
import type { GatewayOptions } from "./options.ts";
import { answerCall } from "./routes/router.ts";

/** Where the paths of the protocols begin in a URL, whatever base a client was given. */
const known = /\/(?:chat\/completions|messages(?:\/count_tokens)?|models(?:\/[^/]+)?)$/;

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
  const path = found === null ? url.pathname : `/v1${found[0]}`;
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > engine.settled.limits.body)
    throw new ConfigError("/limits/body", `the body is larger than ${engine.settled.limits.body} bytes`);
  return new Promise((resolve, reject) => {
    const sink = createFetchSink(request, resolve, reject);
    const headers: Call["headers"] = Object.fromEntries(request.headers);
    void answerCall(engine, { method: request.method, path, query: url.search, headers, body, sink });
  });
}

function createFetchSink(
  request: Request,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): Sink {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let started = false;
  let ended = false;
  let closed = false;
  let drained: (() => void) | undefined;
  const aborts: (() => void)[] = [];
  const encoder = new TextEncoder();
  const abort = () => {
    if (ended || closed) return;
    closed = true;
    for (const listener of aborts) listener();
  };
  if (request.signal.aborted) closed = true;
  request.signal.addEventListener("abort", () => {
    abort();
    if (!started) reject(request.signal.reason);
    else if (!ended) controller?.error(request.signal.reason);
  });
  const write = (chunk: Uint8Array | string): boolean => {
    if (closed || ended) return true;
    controller?.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
    return (controller?.desiredSize ?? 1) > 0;
  };
  return {
    get started() {
      return started;
    },
    get closed() {
      return closed;
    },
    head(status, headers) {
      started = true;
      const stream = new ReadableStream<Uint8Array>(
        {
          start: (created) => {
            controller = created;
          },
          pull: () => drained?.(),
          cancel: abort,
        },
        new ByteLengthQueuingStrategy({ highWaterMark: 64 << 10 }),
      );
      const empty = status === 204 || request.method === "HEAD";
      resolve(new Response(empty ? null : stream, { status, headers: headers as Record<string, string> }));
    },
    write,
    end(chunk) {
      if (closed || ended) return;
      if (chunk !== undefined) write(chunk);
      ended = true;
      controller?.close();
    },
    destroy() {
      if (closed || ended) return;
      ended = true;
      controller?.error(new TypeError("the answer broke off"));
    },
    onDrain(listener) {
      drained = listener;
    },
    onAbort(listener) {
      aborts.push(listener);
    },
  };
}
