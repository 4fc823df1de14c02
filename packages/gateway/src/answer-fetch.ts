import type { Engine } from "./engine.ts";
import { Body, noBody } from "./http/body.ts";
import type { AnswerHeaders, Sink } from "./http/sink.ts";
import { answerCall, refuseSize } from "./routes/router.ts";

/** Where the paths of the protocols begin in a URL, whatever base a client was given. */
const known =
  /(\/v1(?:alpha|beta))?(\/(?:chat\/completions|responses(?:\/input_tokens)?|messages(?:\/count_tokens)?|(?:models|tunedModels)(?:\/.+)?))$/;

/** Answers a request as a gateway with this engine does. Whoever gives the request up is told the reason at once, at every stage. */
export function answerFetch(engine: Engine | Promise<Engine>, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    answer(engine, request, resolve).catch(reject);
  });
}

async function answer(
  pending: Engine | Promise<Engine>,
  request: Request,
  resolve: (response: Response) => void,
): Promise<void> {
  const engine = await pending;
  if (engine.closed) throw new TypeError("the gateway is closed");
  const url = new URL(request.url);
  const found = known.exec(url.pathname);
  const path = found === null ? url.pathname : (found[1] ?? "/v1") + found[2];
  const { limits } = engine.settled;
  const body = await readBody(request, limits.body);
  // Nobody waits for the answer any more.
  if (request.signal.aborted) return;
  const sink = new FetchSink(request, resolve);
  const call = { method: request.method, path, query: url.search, headers: Object.fromEntries(request.headers), sink };
  const over = Promise.race([
    body === undefined ? refuseSize({ ...call, body: noBody }, limits.body) : answerCall(engine, { ...call, body }),
    sink.gone,
  ]);
  engine.running.add(over);
  await over.finally(() => engine.running.delete(over));
}

/** Undefined for a body that is too large, of which no more is read. */
async function readBody(request: Request, limit: number): Promise<Body | undefined> {
  const reader = request.body?.getReader();
  if (reader === undefined) return noBody;
  const giveUp = () => void reader.cancel(request.signal.reason).catch(() => undefined);
  request.signal.addEventListener("abort", giveUp);
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > limit) {
      giveUp();
      return undefined;
    }
    chunks.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
  }
  request.signal.removeEventListener("abort", giveUp);
  return new Body(chunks);
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

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
  #leave: () => void = () => undefined;
  /** Settles when the caller goes away before the answer is complete. */
  readonly gone: Promise<void>;

  constructor(request: Request, resolve: (response: Response) => void) {
    const { signal } = request;
    this.#request = request;
    this.#resolve = resolve;
    this.gone = new Promise((leave) => {
      this.#leave = leave;
    });
    signal.addEventListener("abort", () => {
      if (!this.#ended) this.#controller?.error(signal.reason);
      this.#abort();
    });
  }

  get closed(): boolean {
    return this.#aborted;
  }

  head(status: number, headers: AnswerHeaders): void {
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
    const isEmpty = bodiless.has(status) || this.#request.method === "HEAD";
    const response = new Response(isEmpty ? null : stream, { status, headers: headers as Record<string, string> });
    this.started = true;
    this.#resolve(response);
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
    this.#leave();
  }
}
