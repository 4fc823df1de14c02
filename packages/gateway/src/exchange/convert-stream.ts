import type { StreamConversion } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { streamHeaders } from "../http/sink.ts";
import { converterOf } from "../protocols.ts";
import type { Collector } from "../upstream/collect.ts";
import { createCollector } from "../upstream/collect.ts";
import type { EventGuard } from "../upstream/event-guard.ts";
import { createEventGuard } from "../upstream/event-guard.ts";
import type { Flow, UpstreamHeaders, UpstreamListener, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { sendConverted } from "./convert-whole.ts";
import { encodeError, errorEvent, errorOf } from "./errors.ts";
import type { PreparedRequest } from "./prepare.ts";

/** An error that a service reports within its stream, as the encoders write it. */
const inBandError = /^(?:event: error|data: \{"error":)/m;

/** Converts a stream while it runs. Answers without a stream, errors among them, are converted as a whole. */
export function convertStreamedAnswer(
  context: ConvertContext,
  request: UpstreamRequest,
  prepared: PreparedRequest,
): Promise<void> {
  if (context.call.sink.closed) {
    context.exchange.finish("aborted");
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => new Translation(context, prepared, resolve, reject).send(request));
}

/** One stream on its way from the service's protocol to the client's. */
class Translation implements UpstreamListener {
  readonly #context: ConvertContext;
  readonly #prepared: PreparedRequest;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #flow: Flow | undefined;
  #status = 0;
  #headers: UpstreamHeaders = {};
  #stream: { readonly guard: EventGuard; readonly conversion: StreamConversion } | undefined;
  /** Of an answer that is no stream. */
  #collector: Collector | undefined;
  #last = "";

  constructor(
    context: ConvertContext,
    prepared: PreparedRequest,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#context = context;
    this.#prepared = prepared;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  send(request: UpstreamRequest): void {
    const { upstream, call, exchange } = this.#context;
    const flow = upstream.send(request, this);
    this.#flow = flow;
    call.sink.onDrain(() => flow.resume());
    call.sink.onAbort(() => {
      flow.abort();
      exchange.finish("aborted");
      this.#resolve();
    });
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#status = status;
    this.#headers = headers;
    const isStream = status >= 200 && status < 300 && /^text\/event-stream/i.test(String(headers["content-type"]));
    const { settled, client, service } = this.#context;
    if (!isStream) {
      this.#collector = createCollector(settled.limits.answer);
      return;
    }
    const { exchange } = this.#prepared;
    const options = exchange === undefined ? settled.losses : { ...settled.losses, exchange };
    this.#stream = {
      guard: createEventGuard(service.id),
      conversion: converterOf(client, service).createStreamConversion(options),
    };
  }

  onData(bytes: Buffer): boolean {
    if (this.#stream === undefined) {
      this.#flow?.progress();
      this.#collector?.push(bytes);
      return true;
    }
    const { guard, conversion } = this.#stream;
    const ready = guard.push(bytes);
    if (guard.progressed) this.#flow?.progress();
    return ready === undefined || this.#convert(conversion, ready);
  }

  onEnd(rest: Buffer | undefined): void {
    if (this.#stream === undefined) {
      this.#collector?.push(rest);
      this.#sendWhole().then(this.#resolve, this.#reject);
      return;
    }
    const { guard, conversion } = this.#stream;
    const ready = rest === undefined ? undefined : guard.push(rest);
    if (ready !== undefined) this.#convert(conversion, ready);
    const end = guard.finish();
    if (!end.complete) this.#fail(new UpstreamFailure("answer", "the stream ended before it was complete"));
    else this.#convert(conversion, end.rest, true);
  }

  onError(failure: UpstreamFailure): void {
    this.#fail(failure);
  }

  /** Converts what came and writes what it gives. False: wait. */
  #convert(conversion: StreamConversion, bytes: Buffer | undefined, isEnd = false): boolean {
    const { sink } = this.#context.call;
    let text: string;
    try {
      text = bytes === undefined ? "" : conversion.push(bytes);
      if (isEnd) text += conversion.finish();
    } catch (error) {
      this.#fail(error);
      return true;
    }
    if (text === "" && !conversion.over) return true;
    if (!sink.started) this.#start();
    if (text !== "") this.#last = text;
    if (!conversion.over) return sink.write(text);
    this.#finish(conversion, text);
    return true;
  }

  #start(): void {
    const { exchange, call, client } = this.#context;
    exchange.firstByte();
    exchange.record.status = 200;
    call.sink.head(200, {
      ...renameRequestId(answerHeaders(this.#headers, false), client.id),
      ...streamHeaders,
      ...exchange.headers(),
    });
  }

  #finish(conversion: StreamConversion, text: string): void {
    const { exchange, call } = this.#context;
    // The conversion may end before the service does.
    this.#flow?.abort();
    exchange.answerLosses(conversion.losses);
    call.sink.end(text);
    if (inBandError.test(this.#last))
      exchange.finish("failed", { stage: "service", message: "the service failed within its stream" });
    else exchange.finish("complete");
    this.#resolve();
  }

  #fail(thrown: unknown): void {
    const { exchange, call, client } = this.#context;
    this.#flow?.abort();
    if (!call.sink.started) {
      this.#reject(thrown);
      return;
    }
    const error = errorOf(thrown, "answer");
    if (!call.sink.closed) call.sink.end(errorEvent(client.id, encodeError(client, error).body));
    if (this.#stream !== undefined) exchange.answerLosses(this.#stream.conversion.losses);
    exchange.finish("failed", { stage: "answer", message: error.message });
    this.#resolve();
  }

  async #sendWhole(): Promise<void> {
    const headers = this.#headers;
    const body = this.#collector?.body(headers) ?? Buffer.alloc(0);
    await sendConverted(this.#context, { status: this.#status, headers, body }, this.#prepared.exchange, true);
  }
}
