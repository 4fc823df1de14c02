import type { Json, ProtocolId } from "@rolecall/core";
import { answerHeaders, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import type { Settled } from "../options.ts";
import { protocolOf } from "../protocols.ts";
import type { BodyForm, FormFinder } from "../upstream/body-form.ts";
import { createFormFinder, formOfWhole } from "../upstream/body-form.ts";
import type { Collector } from "../upstream/collect.ts";
import { createCollector } from "../upstream/collect.ts";
import type { EventGuard } from "../upstream/event-guard.ts";
import { createEventGuard } from "../upstream/event-guard.ts";
import { expandedHeaders, isEventStream } from "../upstream/expand.ts";
import type { ListGuard } from "../upstream/list-guard.ts";
import { createListGuard } from "../upstream/list-guard.ts";
import type { Flow, Upstream, UpstreamHeaders, UpstreamListener } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import { convertErrorAnswer, encodeError, errorOf, failureEvents } from "./errors.ts";
import type { EventScrubber } from "./event-errors.ts";
import { createEventScrubber, mayHold } from "./event-errors.ts";
import type { OpenExchange } from "./exchange.ts";
import { createFraming } from "./framing.ts";
import type { PreparedRequest } from "./prepare.ts";

/** What is asked; without a body it is only read. */
type PassedRequest = Pick<PreparedRequest, "path"> & Partial<Pick<PreparedRequest, "body">>;

export interface PassContext {
  readonly upstream: Upstream;
  readonly settled: Settled;
  readonly call: Call;
  readonly exchange: OpenExchange;
}

/** Sends a request as it is, and its answer back as it comes. Resolves when the exchange is over. */
export function passExchange(context: PassContext, prepared: PassedRequest): Promise<void> {
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
  /** How it began. */
  #begun: Buffer | undefined;
  /** The same, where the stream is a JSON list. */
  #list: ListGuard | undefined;
  /** Of an answer that is no stream: it is gathered, because an error may stand anywhere in it. */
  #collector: Collector | undefined;
  /** Until it is known which of them it is. */
  #finder: FormFinder | undefined;

  constructor(context: PassContext, resolve: () => void, reject: (error: unknown) => void) {
    this.#context = context;
    this.#scrubber = createEventScrubber(context.exchange.secrets);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  send({ path, body }: PassedRequest): void {
    const { upstream, settled, call } = this.#context;
    const { protocol } = upstream;
    const headers = upstreamHeaders(settled, call, protocol);
    const flow = upstream.send(
      body === undefined ? { method: "GET", path, headers } : { method: "POST", path, headers, body },
      this,
    );
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
    const { answer: limit } = this.#context.settled.limits;
    if (status < 200 || status >= 300) this.#collector = createCollector(limit);
    else this.#finder = createFormFinder(limit);
  }

  onData(bytes: Buffer): boolean {
    const found = this.#finder?.push(bytes);
    if (found !== undefined) this.#take(found.form);
    const chunk = found?.bytes ?? bytes;
    if (this.#guard === undefined) {
      this.#flow?.progress();
      this.#collector?.push(chunk);
      return true;
    }
    const ready = this.#guard.push(chunk);
    if (this.#guard.progressed) this.#flow?.progress();
    if (ready === undefined) return true;
    this.#begun ??= ready;
    return this.#context.call.sink.write(this.#scrubber.bytes(ready));
  }

  onEnd(rest: Buffer | undefined): void {
    let last = rest;
    if (this.#finder !== undefined) {
      const found = (rest && this.#finder.push(rest)) ?? this.#finder.finish();
      this.#take(found.form);
      last = found.bytes;
    }
    if (this.#guard !== undefined) {
      this.#endEvents(last, this.#guard);
      return;
    }
    this.#collector?.push(last);
    this.#endWhole()?.then(this.#resolve, this.#reject);
  }

  /** What the first bytes of an answer without an error's status say that it is. */
  #take(form: BodyForm): void {
    this.#finder = undefined;
    const { call, settled, upstream } = this.#context;
    const { answer: limit } = settled.limits;
    if (form === "events" || (form === "other" && isEventStream(this.#headers)))
      this.#open(createEventGuard(upstream.protocol, limit));
    else if (form === "list" && call.url?.stream === true) {
      this.#list = createListGuard((element) => this.#scrubber.bytes(element));
      this.#open(this.#list);
    } else this.#collector = createCollector(limit);
  }

  #open(guard: EventGuard): void {
    this.#context.exchange.record.stream = true;
    this.#guard = guard;
    this.#start();
  }

  /** What is whole of a stream goes out also where the stream is not. */
  #endEvents(last: Buffer | undefined, guard: EventGuard): void {
    const { sink } = this.#context.call;
    const clean = (bytes: Buffer | undefined) => bytes && this.#scrubber.bytes(bytes);
    const ready = clean(last === undefined ? undefined : guard.push(last));
    const left = guard.finish();
    const rest = guard.cut ? undefined : clean(left);
    if (!guard.complete) {
      this.#begun ??= ready;
      if (ready !== undefined) sink.write(ready);
      this.onError(new UpstreamFailure("answer", "the stream ended before it was complete"));
      return;
    }
    if (ready !== undefined && rest !== undefined) sink.write(ready);
    sink.end(rest ?? ready);
    this.#complete();
  }

  /** An answer goes out as it came, and an error with the status that it has, wherever the answer states it. */
  #endWhole(): Promise<void> | undefined {
    const { upstream } = this.#context;
    const headers = this.#headers;
    const body = this.#collector?.body(headers, this.#status) ?? Buffer.alloc(0);
    if (this.#status < 200 || this.#status >= 300) return this.#refuse(body);
    const form = formOfWhole(body);
    if (form === "events") {
      // It was compressed, and is no more.
      this.#headers = expandedHeaders(headers);
      const guard = createEventGuard(upstream.protocol, body.length);
      this.#open(guard);
      this.#endEvents(body, guard);
    } else if (form === "failed list" || mayStateError(body, form) || mayBeCut(headers))
      return this.#endDoubtful(body, form);
    else this.#sendWhole();
    return undefined;
  }

  async #endDoubtful(body: Buffer, form: BodyForm): Promise<void> {
    if (await statesError(body, form, this.#context.upstream.protocol)) await this.#refuse(body);
    else this.#sendWhole();
  }

  #sendWhole(): void {
    this.#start();
    this.#context.call.sink.end(this.#collector?.body({}, this.#status));
    this.#complete();
  }

  #complete(): void {
    const { exchange } = this.#context;
    const { failure } = this.#scrubber;
    if (failure === undefined) exchange.finish("complete");
    else exchange.finish("failed", { stage: "service", message: failure });
    this.#resolve();
  }

  onError(failure: UpstreamFailure): void {
    try {
      if (this.#guard?.ended === true) this.onEnd(undefined);
      else if (this.#context.call.sink.started) this.#cut(failure).then(this.#resolve, this.#reject);
      else this.#reject(failure);
    } catch (error) {
      // Nobody above catches it; the exchange ends, and not the process.
      this.#reject(error);
    }
  }

  #start(): void {
    const { exchange, call } = this.#context;
    exchange.firstByte();
    exchange.record.status = this.#status;
    const headers = Object.assign(answerHeaders(this.#headers, true, exchange.secrets), exchange.headers());
    // What is taken out of it, or put behind it, makes it longer or shorter.
    if (this.#guard !== undefined) delete headers["content-length"];
    call.sink.head(this.#status, headers);
  }

  async #refuse(body: Buffer): Promise<void> {
    const { call, exchange, upstream } = this.#context;
    const headers = this.#headers;
    const protocol = await protocolOf(upstream.protocol);
    const refused = convertErrorAnswer(protocol, protocol, { status: this.#status, headers, body }, exchange.secrets);
    exchange.record.status = refused.status;
    sendJson(call.sink, refused.status, refused.body, { ...refused.headers, ...exchange.headers() });
    exchange.finish("failed", { stage: "service", message: refused.message });
    this.#resolve();
  }

  /** Tells the client of a stream what cut it off; without one, nothing but the end of the connection can. */
  async #cut(failure: UpstreamFailure): Promise<void> {
    const { call, exchange, upstream } = this.#context;
    const protocol = await protocolOf(upstream.protocol);
    const error = errorOf(failure, "answer");
    if (this.#guard === undefined || call.sink.closed) call.sink.destroy();
    else if (this.#list !== undefined)
      call.sink.end(this.#list.close(JSON.stringify(encodeError(protocol, error).body)));
    else call.sink.end(createFraming(call.url).fail(failureEvents(protocol, error, this.#begun)));
    exchange.finish("failed", { stage: failure.stage, message: failure.message });
  }
}

/** Whether an answer may say that it failed: most can not, and are not parsed. Throws an UpstreamFailure for what is no answer at all. */
function mayStateError(body: Buffer, form: BodyForm): boolean {
  if (body.length === 0) throw new UpstreamFailure("answer", "its answer is empty");
  if (form !== "object" && form !== "list") throw noJson();
  if (mayHold(body)) return true;
  if (!isClosed(body)) throw noJson();
  return false;
}

/** Whether nothing but what it says tells where an answer ends. */
function mayBeCut(headers: UpstreamHeaders): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

/** Whether an answer under a good status says that it failed. */
async function statesError(body: Buffer, form: BodyForm, protocol: ProtocolId): Promise<boolean> {
  if (form === "failed list") return true;
  let value: Json;
  try {
    value = JSON.parse(body.toString("utf8").replace(/^\uFEFF/, "")) as Json;
  } catch (cause) {
    throw noJson(cause);
  }
  return (await protocolOf(protocol)).findError(value) !== undefined;
}

function noJson(cause?: unknown): UpstreamFailure {
  return new UpstreamFailure("answer", "its answer is not JSON", cause);
}

/** Whether a body ends as an object or a list does. */
function isClosed(body: Buffer): boolean {
  let at = body.length - 1;
  while (at > 0 && (body[at] as number) <= 0x20) at--;
  return body[at] === 0x7d || body[at] === 0x5d;
}
