import type { StreamConversion } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { streamHeaders } from "../http/sink.ts";
import { converterOf } from "../protocols.ts";
import type { Collector } from "../upstream/collect.ts";
import { createCollector } from "../upstream/collect.ts";
import type { EventGuard } from "../upstream/event-guard.ts";
import { createEventGuard } from "../upstream/event-guard.ts";
import { isEventStream } from "../upstream/expand.ts";
import type { Flow, UpstreamHeaders, UpstreamListener, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { answerOptions } from "./context.ts";
import { sendConverted } from "./convert-whole.ts";
import { encodeError, errorEvent, errorOf, scrubError } from "./errors.ts";
import type { EventScrubber } from "./event-errors.ts";
import { createEventScrubber } from "./event-errors.ts";
import type { PreparedRequest } from "./prepare.ts";

/** How JSON begins, and no event. */
const jsonStart = /^(?:\xef\xbb\xbf)?\s*[{[]/;

/** Converts a stream while it runs. Answers without a stream, errors among them, are converted as a whole. Resolves when the exchange is over. */
export function convertAnswer(
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

interface Stream {
  readonly guard: EventGuard;
  readonly conversion: StreamConversion;
  readonly scrubber: EventScrubber;
}

/** One answer on its way from the service's protocol to the client's. */
class Translation implements UpstreamListener {
  readonly #context: ConvertContext;
  readonly #prepared: PreparedRequest;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #flow: Flow | undefined;
  #status = 0;
  #headers: UpstreamHeaders = {};
  #stream: Stream | undefined;
  /** Of an answer that is no stream. */
  #collector: Collector | undefined;
  #looked = false;
  #over = false;

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
    const { settled, client, service } = this.#context;
    if (!this.#prepared.stream || status < 200 || status >= 300 || !isEventStream(headers)) {
      this.#collector = createCollector(settled.limits.answer);
      return;
    }
    const { exchange } = this.#prepared;
    const options = answerOptions(settled, exchange);
    this.#stream = {
      guard: createEventGuard(service.id),
      conversion: converterOf(client, service).createStreamConversion(options),
      scrubber: createEventScrubber(this.#context.exchange.secrets),
    };
  }

  onData(bytes: Buffer): boolean {
    this.#look(bytes);
    if (this.#stream === undefined) {
      this.#flow?.progress();
      this.#collector?.push(bytes);
      return true;
    }
    const { guard } = this.#stream;
    const ready = guard.push(bytes);
    if (guard.progressed) this.#flow?.progress();
    return ready === undefined || this.#convert(this.#stream, ready);
  }

  onEnd(rest: Buffer | undefined): void {
    if (rest !== undefined) this.#look(rest);
    if (this.#stream === undefined) {
      this.#collector?.push(rest);
      this.#sendWhole();
      return;
    }
    const stream = this.#stream;
    const { guard } = stream;
    const ready = rest === undefined ? undefined : guard.push(rest);
    if (ready !== undefined) this.#convert(stream, ready);
    const end = guard.finish();
    // Where the client got nothing yet, it can be told by a status.
    if (!end.complete && !this.#context.call.sink.started)
      this.#fail(new UpstreamFailure("answer", "the stream ended before it was complete"));
    else this.#convert(stream, end.rest, true);
  }

  onError(failure: UpstreamFailure): void {
    if (this.#stream?.guard.ended === true) this.onEnd(undefined);
    else this.#fail(failure);
  }

  /** Some servers give a whole answer the header of a stream. */
  #look(first: Buffer): void {
    if (this.#looked) return;
    this.#looked = true;
    if (this.#stream === undefined || !jsonStart.test(first.toString("latin1", 0, 100))) return;
    this.#stream = undefined;
    this.#collector = createCollector(this.#context.settled.limits.answer);
  }

  /** Converts what came and writes what it gives. False: wait. */
  #convert({ conversion, scrubber }: Stream, bytes: Buffer | undefined, isEnd = false): boolean {
    if (this.#over) return true;
    const { sink } = this.#context.call;
    let text: string;
    try {
      text = bytes === undefined ? "" : conversion.push(bytes);
      if (isEnd) text += conversion.finish();
    } catch (error) {
      this.#fail(error);
      return true;
    }
    text = scrubber.text(text);
    // After an error nothing follows.
    const isOver = conversion.over || conversion.failure !== undefined;
    if (text === "" && !isOver) return true;
    if (!sink.started) this.#start();
    if (!isOver) return sink.write(text);
    this.#finish(conversion, scrubber, text);
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

  #finish(conversion: StreamConversion, scrubber: EventScrubber, text: string): void {
    this.#over = true;
    const { exchange, call } = this.#context;
    // The conversion may end before the service does.
    this.#flow?.abort();
    exchange.answerLosses(conversion.losses);
    call.sink.end(text);
    const message = conversion.failure?.message ?? scrubber.failure;
    if (message === undefined) exchange.finish("complete");
    else exchange.finish("failed", { stage: "service", message });
    this.#resolve();
  }

  #fail(thrown: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const { exchange, call, client } = this.#context;
    this.#flow?.abort();
    if (!call.sink.started) {
      this.#reject(thrown);
      return;
    }
    const error = scrubError(errorOf(thrown, "answer"), exchange.secrets);
    if (!call.sink.closed) call.sink.end(errorEvent(client.id, encodeError(client, error).body));
    if (this.#stream !== undefined) exchange.answerLosses(this.#stream.conversion.losses);
    exchange.finish("failed", { stage: "answer", message: error.message });
    this.#resolve();
  }

  #sendWhole(): void {
    const headers = this.#headers;
    const { stream, exchange } = this.#prepared;
    try {
      const body = this.#collector?.body(headers) ?? Buffer.alloc(0);
      const sent = sendConverted(this.#context, { status: this.#status, headers, body }, exchange, stream);
      if (sent === undefined) this.#resolve();
      else sent.then(this.#resolve, this.#reject);
    } catch (error) {
      this.#reject(error);
    }
  }
}
