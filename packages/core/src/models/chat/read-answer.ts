import { DecodeError, ProviderError } from "../../errors/index.ts";
import type { AssistantMessage, Exchange, JsonObject, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { inexactDrafts, inexactPlaces } from "../../json/inexact.ts";
import type { Locator, LossDraft } from "../../loss/index.ts";
import { traceLocator } from "../../loss/index.ts";
import type { StreamEvent, StreamFailure } from "../../stream/events.ts";
import { endedEarly, failureError } from "../../stream/failure.ts";
import { createFrameParser } from "../../stream/frames.ts";
import { createPlaces } from "../../stream/places.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { createReducer } from "../../stream/reduce.ts";
import type { SseFrame } from "../../stream/sse.ts";
import { strayFrame } from "../../stream/stray.ts";
import type { AnswerHeaders } from "../transport/answer.ts";
import { bodyOf, createTextCollector, notAnAnswer } from "../transport/answer.ts";
import { ContentEvents, eventsOfMessage } from "./content-events.ts";
import type { AssistantMessageEvent } from "./events.ts";

/** An answer with a good status, and what reading it needs. */
export interface Reading {
  readonly protocol: Protocol;
  readonly exchange: Exchange;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly host: string;
  /** It was asked for as a stream. */
  readonly isStream: boolean;
  /** Takes what gives the message so far, from now on. */
  hold(message: () => AssistantMessage): void;
  /** The message so far, with what its caller knows of it. */
  snapshot(): AssistantMessage;
  /** Counts with what they cost. */
  price(usage: Usage): Usage;
  lose(drafts: readonly LossDraft[], locate: Locator): void;
}

/**
 * Reads an answer piece by piece. Its methods, and the events that they give one by one, throw the ProviderError that the answer states, or that says
 * it is none.
 */
export interface AnswerReader {
  /** Takes a piece; false where nothing of the answer is in it that was not there before, as in comments of a stream. */
  take(chunk: string | Uint8Array): boolean;
  /** What the pieces taken say. Each event is read when it is asked for. */
  events(): Iterable<AssistantMessageEvent>;
  /** The answer is whole, whatever follows. */
  readonly isDone: boolean;
  /** What there is behind the last piece. */
  finish(): Iterable<AssistantMessageEvent>;
}

/** Reads either form of an answer: a service may give the other one than was asked for. */
export function createAnswerReader(reading: Reading): AnswerReader {
  const type = reading.headers["content-type"] ?? "";
  const isStream = /^text\/event-stream\b/i.test(type) || (reading.isStream && !/\bjson\b/i.test(type));
  return isStream ? new StreamReader(reading) : new WholeReader(reading);
}

class StreamReader implements AnswerReader {
  readonly #reading: Reading;
  readonly #parser = createFrameParser();
  readonly #decoder: ReturnType<Protocol["createStreamDecoder"]>;
  readonly #reducer: ReturnType<typeof createReducer>;
  readonly #content: ContentEvents;
  readonly #places: ReturnType<typeof createPlaces>;
  /** What came before the first content. */
  #held: AssistantMessageEvent[] | undefined = [];
  #frames: readonly SseFrame[] = [];
  /** The latest counts, which are told once for each piece of the answer, however often it states them. */
  #usage: Usage | undefined;
  #failure: StreamFailure | undefined;
  #isDone = false;

  constructor(reading: Reading) {
    const { protocol, exchange } = reading;
    this.#reading = reading;
    this.#decoder = protocol.createStreamDecoder(exchange, { frames: false });
    this.#reducer = createReducer(protocol.id);
    this.#content = new ContentEvents(this.#reducer);
    this.#places = createPlaces(protocol.fieldPointer);
    reading.hold(() => this.#reducer.message());
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  take(chunk: string | Uint8Array): boolean {
    this.#frames = this.#parser.push(chunk);
    return this.#frames.length > 0;
  }

  *events(): Iterable<AssistantMessageEvent> {
    const frames = this.#frames;
    this.#frames = [];
    for (const frame of frames) {
      yield* this.#read(this.#decoder.push(frame));
      if (this.#failure !== undefined) throw failureError(this.#failure);
    }
    if (this.#held === undefined) yield* this.#counts();
  }

  *finish(): Iterable<AssistantMessageEvent> {
    if (!this.#isDone) {
      this.#frames = this.#parser.finish();
      yield* this.events();
      const stray = strayFrame(this.#parser, this.#reading.protocol.findError);
      if (stray !== undefined) yield* this.#read(this.#decoder.push(stray));
      yield* this.#read(this.#decoder.finish());
    }
    if (this.#failure !== undefined) throw failureError(this.#failure);
    if (this.#held !== undefined) yield* this.#held;
    yield* this.#counts();
    this.#reading.lose(this.#reducer.losses(), this.#places.locate);
  }

  *#counts(): Iterable<AssistantMessageEvent> {
    const usage = this.#usage;
    this.#usage = undefined;
    if (usage !== undefined) yield { type: "usage", usage: this.#reading.price(usage) };
  }

  #read(events: readonly StreamEvent[]): readonly AssistantMessageEvent[] {
    const told: AssistantMessageEvent[] = [];
    for (const event of events) {
      this.#places.note(event);
      this.#reducer.push(event);
      if (event.type === "start") told.push({ type: "start", message: this.#reading.snapshot() });
      else if (event.type === "usage") this.#usage = event.usage;
      else if (event.type === "error") this.#failure = event.error;
      else if (event.type === "done") this.#isDone = true;
      else this.#content.push(event, told);
    }
    if (this.#isDone) this.#content.finish(told);
    const { losses } = this.#decoder;
    if (losses.length > 0) this.#reading.lose(losses.splice(0), this.#places.locate);
    if (this.#held === undefined) return told;
    this.#held.push(...told);
    if (!told.some(({ type }) => type !== "start")) return nothing;
    const before = this.#held;
    this.#held = undefined;
    return before;
  }
}

const nothing: readonly AssistantMessageEvent[] = [];

class WholeReader implements AnswerReader {
  readonly isDone = false;
  readonly #reading: Reading;
  readonly #collector: ReturnType<typeof createTextCollector>;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#collector = createTextCollector(reading.status, reading.host);
  }

  take(chunk: string | Uint8Array): boolean {
    this.#collector.push(chunk);
    return true;
  }

  events(): Iterable<AssistantMessageEvent> {
    return nothing;
  }

  *finish(): Iterable<AssistantMessageEvent> {
    const reading = this.#reading;
    const { protocol, exchange, status, headers } = reading;
    const text = this.#collector.end();
    const body = answeredBody(text, status, headers, protocol);
    const decoded = decode(protocol, body, exchange, status);
    reading.lose(inexactDrafts(inexactPlaces(text, body)), () => undefined);
    reading.lose(decoded.losses, traceLocator(decoded.trace));
    reading.hold(() => decoded.value);
    yield { type: "start", message: { ...reading.snapshot(), content: [], stopReason: "pending" } };
    yield* eventsOfMessage(reading.snapshot());
  }
}

/** The body of an answer with a good status. Throws the ProviderError that it states, or that says it is none. */
export function answeredBody(
  text: string,
  status: number,
  headers: AnswerHeaders,
  { findError, decodeError }: Pick<Protocol, "findError" | "decodeError">,
): JsonObject {
  if (text === "") throw failureError({ ...endedEarly, message: "the service answered with nothing" });
  const body = bodyOf(text);
  if (!isJsonObject(body)) throw notAnAnswer(status, text);
  const stated = findError(body);
  if (stated !== undefined) throw decodeError(stated.status ?? status, headers, stated.body);
  return body;
}

/** The message of a body. One that is none of its protocol would be none when it is asked for again, and may have been billed. */
function decode(
  protocol: Protocol,
  body: JsonObject,
  exchange: Exchange,
  status: number,
): ReturnType<Protocol["decodeResponse"]> {
  try {
    return protocol.decodeResponse(body, exchange);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ProviderError(`not an answer of a model: ${error.message}, at ${error.path || "/"}`, {
      status,
      kind: "server",
      retryable: false,
    });
  }
}
