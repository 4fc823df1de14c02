import { familyOf } from "../families/index.ts";
import { answerHeaders, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import type { Settled } from "../options.ts";
import { protocolOf } from "../protocols.ts";
import type { Collector } from "../upstream/collect.ts";
import { createCollector } from "../upstream/collect.ts";
import type { EventGuard } from "../upstream/event-guard.ts";
import { createEventGuard } from "../upstream/event-guard.ts";
import { isEventStream } from "../upstream/expand.ts";
import type { ListGuard } from "../upstream/list-guard.ts";
import { createListGuard } from "../upstream/list-guard.ts";
import type { Flow, Upstream, UpstreamHeaders, UpstreamListener } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import { convertErrorAnswer, encodeFor, errorOf } from "./errors.ts";
import type { EventScrubber } from "./event-errors.ts";
import { createEventScrubber } from "./event-errors.ts";
import type { OpenExchange } from "./exchange.ts";
import { createFraming } from "./framing.ts";
import type { PreparedRequest } from "./prepare.ts";

export interface PassContext {
  readonly upstream: Upstream;
  readonly settled: Settled;
  readonly call: Call;
  readonly exchange: OpenExchange;
}

/** How a JSON body starts that is an error whatever its status claims. */
const errorStart = /^[\s\uFEFF]*(?:\[\s*)?\{\s*"(?:error"\s*:\s*[{"]|type"\s*:\s*"error"|object"\s*:\s*"error")/;

const listStart = /^\s*\[/;

/** Sends a request as it is, and its answer back as it comes. Resolves when the exchange is over. */
export function passExchange(context: PassContext, prepared: PreparedRequest): Promise<void> {
  if (context.call.sink.closed) {
    context.exchange.finish("aborted");
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => new Passage(context, resolve, reject).send(prepared));
}

/** One answer on its way through. */
class Passage implements UpstreamListener {
  readonly #context: PassContext;
  readonly #scrubber: EventScrubber;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  #flow: Flow | undefined;
  #status = 0;
  #headers: UpstreamHeaders = {};
  /** Of a stream. */
  #guard: EventGuard | undefined;
  /** The same, where the stream is a JSON list. */
  #list: ListGuard | undefined;
  /** Of an error, which is gathered and sent as a whole. */
  #collector: Collector | undefined;

  constructor(context: PassContext, resolve: () => void, reject: (error: unknown) => void) {
    this.#context = context;
    this.#scrubber = createEventScrubber(context.exchange.secrets);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  send({ path, body }: PreparedRequest): void {
    const { upstream, settled, call } = this.#context;
    const { protocol } = upstream;
    const headers = upstreamHeaders(settled, call, protocol);
    const flow = upstream.send({ method: "POST", path, headers, body }, this);
    this.#flow = flow;
    call.sink.onDrain(() => flow.resume());
    call.sink.onAbort(() => {
      flow.abort();
      this.#context.exchange.finish("aborted");
      this.#resolve();
    });
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status < 200 || status >= 300) this.#collector = createCollector(this.#context.settled.limits.answer);
    else if (isEventStream(headers)) {
      this.#guard = createEventGuard(this.#context.upstream.protocol);
      this.#start();
    }
  }

  onData(bytes: Buffer): boolean {
    const { sink } = this.#context.call;
    const isBegun = this.#guard !== undefined || this.#begin(bytes);
    if (this.#guard !== undefined) {
      const ready = this.#guard.push(bytes);
      if (this.#guard.progressed) this.#flow?.progress();
      return ready === undefined || sink.write(this.#scrubber.bytes(ready));
    }
    this.#flow?.progress();
    return !isBegun || sink.write(bytes);
  }

  onEnd(rest: Buffer | undefined): void {
    const { call, exchange } = this.#context;
    const isBegun = this.#guard !== undefined || this.#begin(rest);
    if (this.#guard !== undefined) {
      if (!this.#endEvents(rest, this.#guard)) return;
    } else if (!isBegun) {
      this.#refuse().then(this.#resolve, this.#reject);
      return;
    } else if (call.sink.started) call.sink.end(rest);
    else throw new UpstreamFailure("answer", "its answer is empty");
    const { failure } = this.#scrubber;
    if (failure === undefined) exchange.finish("complete");
    else exchange.finish("failed", { stage: "service", message: failure });
    this.#resolve();
  }

  /** False for a stream that is not complete; what is whole of it goes out all the same. */
  #endEvents(last: Buffer | undefined, guard: EventGuard): boolean {
    const { sink } = this.#context.call;
    const clean = (bytes: Buffer | undefined) => bytes && this.#scrubber.bytes(bytes);
    const ready = clean(last === undefined ? undefined : guard.push(last));
    const { rest: held, complete } = guard.finish();
    const rest = clean(held);
    if (complete && rest === undefined) {
      sink.end(ready);
      return true;
    }
    if (ready !== undefined) sink.write(ready);
    if (complete) sink.end(rest);
    else this.onError(new UpstreamFailure("answer", "the stream ended before it was complete"));
    return complete;
  }

  onError(failure: UpstreamFailure): void {
    if (this.#guard?.ended === true) this.onEnd(undefined);
    else if (this.#context.call.sink.started) this.#cut(failure).then(this.#resolve, this.#reject);
    else this.#reject(failure);
  }

  /** Starts the answer where its first piece is no error; an error under status 200 is gathered and sent with the status that it has. */
  #begin(first: Buffer | undefined): boolean {
    const { call, settled } = this.#context;
    if (this.#collector === undefined && first !== undefined && !call.sink.started) {
      const text = first.toString("latin1", 0, 200);
      if (errorStart.test(text)) this.#collector = createCollector(settled.limits.answer);
      else {
        if (call.url?.stream === true && listStart.test(text) && this.#headers["content-encoding"] === undefined)
          this.#guard = this.#list = createListGuard((element) => this.#scrubber.bytes(element));
        this.#start();
      }
    }
    this.#collector?.push(first);
    return this.#collector === undefined;
  }

  #start(): void {
    const { exchange, call } = this.#context;
    exchange.firstByte();
    exchange.record.status = this.#status;
    const headers = Object.assign(answerHeaders(this.#headers, true), exchange.headers());
    // What is taken out of it, or put behind it, makes it longer or shorter.
    if (this.#list !== undefined) delete headers["content-length"];
    call.sink.head(this.#status, headers);
  }

  async #refuse(): Promise<void> {
    const { call, exchange, upstream } = this.#context;
    const headers = this.#headers;
    const body = this.#collector?.body(headers) ?? Buffer.alloc(0);
    const protocol = await protocolOf(upstream.protocol);
    const refused = convertErrorAnswer(protocol, protocol, { status: this.#status, headers, body }, exchange.secrets);
    exchange.record.status = refused.status;
    sendJson(call.sink, refused.status, refused.body, { ...refused.headers, ...exchange.headers() });
    exchange.finish("failed", { stage: "service", message: refused.message });
  }

  /** Tells the client of a stream what cut it off; without one, nothing but the end of the connection can. */
  async #cut(failure: UpstreamFailure): Promise<void> {
    const { call, exchange, upstream } = this.#context;
    const { protocol } = upstream;
    const error = this.#guard === undefined ? undefined : await encodeFor(protocol, errorOf(failure, "answer"));
    if (error === undefined || call.sink.closed) call.sink.destroy();
    else if (this.#list !== undefined) call.sink.end(this.#list.close(JSON.stringify(error.body)));
    else call.sink.end(createFraming(call.url).fail(familyOf(protocol).errorEvent(error.body)));
    exchange.finish("failed", { stage: failure.stage, message: failure.message });
  }
}
