import type { ProviderError, StreamConversion } from "@rolecall/core";
import { LossError } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { converterOf } from "../protocols.ts";
import type { BodyForm, FormFinder } from "../upstream/body-form.ts";
import { createFormFinder, formOfWhole } from "../upstream/body-form.ts";
import type { Collector } from "../upstream/collect.ts";
import { createCollector } from "../upstream/collect.ts";
import type { EventGuard } from "../upstream/event-guard.ts";
import { createEventGuard } from "../upstream/event-guard.ts";
import { isEventStream } from "../upstream/expand.ts";
import { createListGuard } from "../upstream/list-guard.ts";
import type { Flow, UpstreamHeaders, UpstreamListener, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { answerOptions } from "./context.ts";
import { isStreamed, sendConverted } from "./convert-whole.ts";
import { errorOf, failureEvents, scrubError } from "./errors.ts";
import type { EventScrubber } from "./event-errors.ts";
import { createEventScrubber } from "./event-errors.ts";
import type { Framing } from "./framing.ts";
import { createFraming } from "./framing.ts";
import type { PreparedRequest } from "./prepare.ts";

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

interface OpenStream {
  readonly guard: EventGuard;
  readonly conversion: StreamConversion;
  readonly scrubber: EventScrubber;
}

/** One answer on its way from the service's protocol to the client's. */
class Translation implements UpstreamListener {
  readonly #context: ConvertContext;
  readonly #prepared: PreparedRequest;
  readonly #framing: Framing;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #flow: Flow | undefined;
  #status = 0;
  #headers: UpstreamHeaders = {};
  #stream: OpenStream | undefined;
  /** Of an answer that is no stream. */
  #collector: Collector | undefined;
  /** Until it is known which of them it is. */
  #finder: FormFinder | undefined;
  #over = false;

  constructor(
    context: ConvertContext,
    prepared: PreparedRequest,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#context = context;
    this.#prepared = prepared;
    this.#framing = createFraming(context.call.url);
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
    const { answer: limit } = this.#context.settled.limits;
    if (!this.#prepared.stream || status < 200 || status >= 300) this.#collector = createCollector(limit);
    else this.#finder = createFormFinder(limit);
  }

  onData(bytes: Buffer): boolean {
    const found = this.#finder?.push(bytes);
    if (found !== undefined) this.#take(found.form);
    const chunk = found?.bytes ?? bytes;
    if (this.#stream === undefined) {
      this.#flow?.progress();
      this.#collector?.push(chunk);
      return true;
    }
    const { guard } = this.#stream;
    const ready = guard.push(chunk);
    if (guard.progressed) this.#flow?.progress();
    return ready === undefined || this.#convert(this.#stream, ready);
  }

  onEnd(rest: Buffer | undefined): void {
    let last = rest;
    if (this.#finder !== undefined) {
      const found = (rest && this.#finder.push(rest)) ?? this.#finder.finish();
      this.#take(found.form);
      last = found.bytes;
    }
    if (this.#stream === undefined) {
      this.#collector?.push(last);
      this.#endWhole();
    } else this.#endStream(last, this.#stream);
  }

  #endStream(last: Buffer | undefined, stream: OpenStream): void {
    const { guard } = stream;
    const ready = last === undefined ? undefined : guard.push(last);
    if (ready !== undefined) this.#convert(stream, ready);
    const rest = guard.finish();
    // Where the client got nothing yet, it can be told by a status.
    if (!this.#context.call.sink.started && !guard.complete)
      this.#fail(new UpstreamFailure("answer", "the stream ended before it was complete"));
    else this.#convert(stream, rest, true);
  }

  onError(failure: UpstreamFailure): void {
    try {
      if (this.#stream?.guard.ended === true) this.onEnd(undefined);
      else this.#fail(failure);
    } catch (error) {
      // Nobody above catches it; the exchange ends, and not the process.
      this.#reject(error);
    }
  }

  /** What its first bytes say that an answer is: headers are wrong both ways, and some services give a list where events were asked for. */
  #take(form: BodyForm): void {
    this.#finder = undefined;
    const { settled, service } = this.#context;
    const { answer: limit } = settled.limits;
    if (form === "events" || (form === "other" && isEventStream(this.#headers)))
      this.#open(createEventGuard(service.id, limit));
    else if (isStreamed(form, service)) this.#open(createListGuard((element) => element));
    else this.#collector = createCollector(limit);
  }

  #open(guard: EventGuard): OpenStream {
    const { settled, client, service } = this.#context;
    const options = answerOptions(settled, this.#prepared.exchange);
    this.#stream = {
      guard,
      conversion: converterOf(client, service).createStreamConversion(options),
      scrubber: createEventScrubber(this.#context.exchange.secrets),
    };
    return this.#stream;
  }

  /** Converts what came and writes what it gives. False: wait. */
  #convert({ conversion, scrubber }: OpenStream, bytes: Buffer | undefined, isEnd = false): boolean {
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
    if (!isOver) return sink.write(this.#framing.push(text));
    this.#finish(conversion, scrubber, text);
    return true;
  }

  #start(): void {
    const { exchange, call, client } = this.#context;
    exchange.firstByte();
    exchange.record.status = 200;
    call.sink.head(200, {
      ...renameRequestId(answerHeaders(this.#headers, false, exchange.secrets), client.id),
      ...this.#framing.headers,
      ...exchange.headers(),
    });
  }

  #finish(conversion: StreamConversion, scrubber: EventScrubber, text: string): void {
    this.#over = true;
    const { exchange, call } = this.#context;
    // The conversion may end before the service does.
    this.#flow?.abort();
    exchange.answerLosses(conversion.losses);
    const message = conversion.failure?.message ?? scrubber.failure;
    call.sink.end(message === undefined ? this.#framing.end(text) : this.#framing.fail(text));
    if (message === undefined) exchange.finish("complete");
    else exchange.finish("failed", { stage: "service", message });
    this.#resolve();
  }

  #fail(thrown: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const { exchange, call } = this.#context;
    this.#flow?.abort();
    if (!call.sink.started) {
      exchange.refusedLosses(thrown);
      // As for a whole answer, what the policy refuses is no fault of the request.
      this.#reject(thrown instanceof LossError ? errorOf(thrown, "answer") : thrown);
      return;
    }
    const error = scrubError(errorOf(thrown, "answer"), exchange.secrets);
    const last = this.#failureEvents(thrown, error);
    if (!call.sink.closed) call.sink.end(this.#framing.fail(last));
    if (this.#stream !== undefined) exchange.answerLosses(this.#stream.conversion.losses);
    exchange.refusedLosses(thrown);
    exchange.finish("failed", { stage: "answer", message: error.message });
    this.#resolve();
  }

  #failureEvents(thrown: unknown, error: ProviderError): string {
    // What a policy refused was not sent, and what follows cannot refer to it.
    if (this.#stream !== undefined && thrown instanceof UpstreamFailure) {
      try {
        return this.#stream.conversion.fail(thrown, error);
      } catch {
        // It may refuse what the failure loses as well. The client is told all the same.
      }
    }
    return failureEvents(this.#context.client, error);
  }

  #endWhole(): void {
    const headers = this.#headers;
    const status = this.#status;
    const { stream, exchange } = this.#prepared;
    try {
      const body = this.#collector?.body(headers, status) ?? Buffer.alloc(0);
      if (stream && status < 300 && formOfWhole(body) === "events") {
        // Under another header it was compressed until now.
        this.#endStream(body, this.#open(createEventGuard(this.#context.service.id, body.length)));
        return;
      }
      const sent = sendConverted(this.#context, { status, headers, body }, exchange, stream);
      if (sent === undefined) this.#resolve();
      else sent.then(this.#resolve, this.#reject);
    } catch (error) {
      this.#reject(error);
    }
  }
}
