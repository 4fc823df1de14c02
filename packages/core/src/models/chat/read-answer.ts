import { DecodeError, ProviderError, StreamError } from "../../errors/index.ts";
import type { AssistantMessage, Exchange } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { Locator, LossDraft } from "../../loss/index.ts";
import { traceLocator } from "../../loss/index.ts";
import type { StreamEvent, StreamFailure } from "../../stream/events.ts";
import { endedEarly, failureError } from "../../stream/failure.ts";
import { createFrameParser } from "../../stream/frames.ts";
import { createPlaces } from "../../stream/places.ts";
import type { Protocol } from "../../stream/protocol.ts";
import { createReducer } from "../../stream/reduce.ts";
import { readChunks } from "../../stream/source.ts";
import { strayFrame } from "../../stream/stray.ts";
import type { AnswerHeaders } from "../transport/answer.ts";
import { bodyOf, readText } from "../transport/answer.ts";
import type { Deadlines } from "../transport/clock.ts";
import { readFailure } from "../transport/failure.ts";
import type { FetchResponse } from "../transport/fetch.ts";
import { ContentEvents, eventsOfMessage } from "./content-events.ts";
import type { AssistantMessageEvent } from "./events.ts";

/** An answer with a good status, and what reading it needs. */
export interface Reading {
  readonly protocol: Protocol;
  readonly exchange: Exchange;
  readonly response: FetchResponse;
  readonly headers: AnswerHeaders;
  readonly host: string;
  readonly deadlines: Deadlines;
  /** Milliseconds between two events; 0 is no limit. */
  readonly idleMs: number;
  /** It was asked for as a stream. */
  readonly isStream: boolean;
  /** Takes what gives the message so far, from now on. */
  hold(message: () => AssistantMessage): void;
  /** The message so far, with what its caller knows of it. */
  snapshot(): AssistantMessage;
  lose(drafts: readonly LossDraft[], locate: Locator): void;
}

/**
 * The events of an answer, in either form: a service may give the other one than was asked for. Throws the ProviderError that the answer states,
 * and a TransportError where it breaks off.
 */
export function readAnswer(reading: Reading): AsyncGenerator<AssistantMessageEvent, void> {
  const type = reading.headers["content-type"] ?? "";
  const isStream = /^text\/event-stream\b/i.test(type) || (reading.isStream && !/\bjson\b/i.test(type));
  return isStream ? readStream(reading) : readWhole(reading);
}

async function* readStream(reading: Reading): AsyncGenerator<AssistantMessageEvent, void> {
  const { protocol, exchange, response, host, deadlines } = reading;
  const parser = createFrameParser();
  const decoder = protocol.createStreamDecoder(exchange, { frames: false });
  const reducer = createReducer(protocol.id);
  const content = new ContentEvents(reducer);
  const places = createPlaces(protocol.fieldPointer);
  reading.hold(() => reducer.message());
  /** What came before the first content. */
  let held: AssistantMessageEvent[] | undefined = [];
  let failure: StreamFailure | undefined;
  let isDone = false;
  const read = (events: readonly StreamEvent[]): readonly AssistantMessageEvent[] => {
    const told: AssistantMessageEvent[] = [];
    for (const event of events) {
      places.note(event);
      reducer.push(event);
      if (event.type === "start") told.push({ type: "start", message: reading.snapshot() });
      else if (event.type === "error") failure = event.error;
      else if (event.type === "done") isDone = true;
      else told.push(...content.push(event));
    }
    if (isDone) told.push(...content.finish());
    reading.lose(decoder.losses.splice(0), places.locate);
    if (held === undefined) return told;
    held.push(...told);
    if (!told.some(({ type }) => type !== "start" && type !== "usage")) return nothing;
    const before = held;
    held = undefined;
    return before;
  };
  try {
    for await (const chunk of readChunks(response.body ?? "", deadlines.signal)) {
      for (const frame of parser.push(chunk)) {
        deadlines.start("idleTimeout", reading.idleMs);
        yield* read(decoder.push(frame));
        if (failure !== undefined) throw failureError(failure);
      }
      if (isDone) break;
    }
  } catch (error) {
    if (deadlines.signal.aborted) throw deadlines.signal.reason;
    if (error instanceof ProviderError || error instanceof StreamError) throw error;
    throw readFailure(host, error);
  }
  if (!isDone) {
    for (const frame of parser.finish()) yield* read(decoder.push(frame));
    const stray = strayFrame(parser, protocol.findError);
    if (stray !== undefined) yield* read(decoder.push(stray));
    yield* read(decoder.finish());
  }
  if (failure !== undefined) throw failureError(failure);
  if (held !== undefined) yield* held;
  reading.lose(reducer.losses(), places.locate);
}

async function* readWhole(reading: Reading): AsyncGenerator<AssistantMessageEvent, void> {
  const { protocol, exchange, response, headers, host, deadlines } = reading;
  let text: string;
  try {
    text = await readText(response, deadlines.signal);
  } catch (error) {
    if (deadlines.signal.aborted) throw deadlines.signal.reason;
    throw readFailure(host, error);
  }
  const body = bodyOf(text);
  if (text === "") throw failureError({ ...endedEarly, message: "the service answered with nothing" });
  if (!isJsonObject(body)) throw unreadable(response.status, text);
  const stated = protocol.findError(body);
  if (stated !== undefined) throw protocol.decodeError(stated.status ?? response.status, headers, stated.body);
  let decoded: ReturnType<Protocol["decodeResponse"]>;
  try {
    decoded = protocol.decodeResponse(body, exchange);
  } catch (error) {
    throw error instanceof DecodeError ? unreadable(response.status, text, error) : error;
  }
  reading.lose(decoded.losses, traceLocator(decoded.trace));
  reading.hold(() => decoded.value);
  yield { type: "start", message: { ...reading.snapshot(), content: [], stopReason: "pending" } };
  yield* eventsOfMessage(reading.snapshot());
}

const nothing: readonly AssistantMessageEvent[] = [];

/** An answer that is none of its protocol, such as a page of a proxy. */
function unreadable(status: number, text: string, cause?: DecodeError): ProviderError {
  const begun = text.slice(0, 200).replace(/\s+/g, " ");
  const message =
    cause === undefined ? `not an answer of a model, but ${begun}` : `not an answer of a model: ${cause.message}`;
  return new ProviderError(message, { status, kind: "server", retryable: true });
}
