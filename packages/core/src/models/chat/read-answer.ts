import { DecodeError, ProviderError } from "../../errors/index.ts";
import type { AssistantMessage, Exchange, JsonObject } from "../../ir/index.ts";
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
import { strayFrame } from "../../stream/stray.ts";
import type { AnswerHeaders } from "../transport/answer.ts";
import { bodyOf, readBody, readText } from "../transport/answer.ts";
import type { Deadlines } from "../transport/clock.ts";
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
  deadlines.start("idleTimeout", reading.idleMs);
  for await (const chunk of readBody(response, host, deadlines)) {
    const frames = parser.push(chunk);
    // Comments are no progress. While whoever reads takes his time, no service is to blame.
    if (frames.length === 0) continue;
    deadlines.stop("idleTimeout");
    for (const frame of frames) {
      yield* read(decoder.push(frame));
      if (failure !== undefined) throw failureError(failure);
    }
    if (isDone) break;
    deadlines.start("idleTimeout", reading.idleMs);
  }
  deadlines.stop("idleTimeout");
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
  deadlines.start("idleTimeout", reading.idleMs);
  const text = await readText(response, host, deadlines);
  deadlines.stop("idleTimeout");
  if (text === "") throw failureError({ ...endedEarly, message: "the service answered with nothing" });
  const body = bodyOf(text);
  if (!isJsonObject(body)) throw notAnAnswer(response.status, text);
  const stated = protocol.findError(body);
  if (stated !== undefined) throw protocol.decodeError(stated.status ?? response.status, headers, stated.body);
  const decoded = decode(protocol, body, exchange, response.status);
  reading.lose(inexactDrafts(inexactPlaces(text, body)), () => undefined);
  reading.lose(decoded.losses, traceLocator(decoded.trace));
  reading.hold(() => decoded.value);
  yield { type: "start", message: { ...reading.snapshot(), content: [], stopReason: "pending" } };
  yield* eventsOfMessage(reading.snapshot());
}

const nothing: readonly AssistantMessageEvent[] = [];

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

/** Something else than an answer, such as a page of a proxy. */
function notAnAnswer(status: number, text: string): ProviderError {
  const begun = text.slice(0, 200).replace(/\s+/g, " ");
  return new ProviderError(`not an answer of a model, but ${begun}`, { status, kind: "server", retryable: true });
}
