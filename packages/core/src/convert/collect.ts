import type { AssistantMessage, Converted, JsonObject } from "../ir/index.ts";
import { readArguments } from "../ir/index.ts";
import { inexactArguments } from "../json/argument-text.ts";
import type { LossDraft } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, irLocator, resolveLosses, traceLocator } from "../loss/index.ts";
import type { StreamEvent, StreamFailure } from "../stream/events.ts";
import { eventPointer } from "../stream/events.ts";
import { brokenSource, failureError } from "../stream/failure.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { StreamSource } from "../stream/source.ts";
import { readChunks } from "../stream/source.ts";
import { checkAnswerOptions } from "./options.ts";
import type { ConvertStreamOptions } from "./stream.ts";
import { createStreamConversion, isOwnError, runConversion } from "./stream.ts";

/** A stream as a response. Throws a ProviderError for a stream that fails. */
export async function collectStreamWith(
  source: Protocol,
  target: Protocol,
  input: StreamSource,
  options: ConvertStreamOptions = {},
): Promise<Converted<JsonObject>> {
  checkAnswerOptions(options, source.id);
  if (source === target) return collectOwn(source, input, options);
  const { exchange, ...others } = options;
  // A response tells the usage whether it was asked for or not.
  const told = exchange === undefined ? {} : { exchange: { ...exchange, includeUsage: true } };
  const argumentsRead = createArgumentWatch();
  const conversion = createStreamConversion(source, target, { ...others, ...told }, argumentsRead.note);
  // The stream of the target says all that is left; from there to a response nothing is lost but in arguments that are read.
  const { value: message } = await target.decodeStream(runConversion(conversion, input, options));
  // The service's own words say more than those that its client gets.
  const failure = conversion.failure ?? (message.error as StreamFailure | undefined);
  if (failure !== undefined) throw failureError(failure);
  const { value } = target.encodeResponse(unframed(message), exchange);
  const isRead = message.content.some((part) => part.type === "toolCall" && part.argumentsText === undefined);
  if (!isRead) return { value, losses: conversion.losses };
  const resolved = resolveLosses(argumentsRead.losses(), source.id, target.id, {
    locate: nowhere,
    locateIr: nowhere,
  });
  const losses = acceptLosses(resolved, options.accept ?? []);
  enforcePolicy(losses, options.onLoss ?? "report");
  return { value, losses: [...conversion.losses, ...losses] };
}

/** Within one protocol the frames are read once, so that a response has what they say and each loss its place among them. */
async function collectOwn(
  protocol: Protocol,
  input: StreamSource,
  { exchange, signal, accept, onLoss }: ConvertStreamOptions,
): Promise<Converted<JsonObject>> {
  const read = protocol.decodeStream(readChunks(input, signal), exchange);
  const {
    value: message,
    losses: drafts,
    trace,
  } = await read.catch((error: unknown) => {
    signal?.throwIfAborted();
    // A source that breaks off is a failure of its service.
    throw isOwnError(error) ? error : failureError(brokenSource);
  });
  if (message.error !== undefined) throw failureError(message.error as unknown as StreamFailure);
  const encoded = protocol.encodeResponse(unframed(message), exchange);
  const all = [...drafts, ...encoded.losses];
  const resolved = resolveLosses(all, protocol.id, protocol.id, {
    locate: traceLocator(trace),
    locateIr: irLocator(message),
  });
  const losses = acceptLosses(resolved, accept ?? []);
  enforcePolicy(losses, onLoss ?? "report");
  return { value: encoded.value, losses };
}

/**
 * A message that is not told how frames spelled its head: as a response it has all that belongs there, and what they say beside it. A time has
 * finer digits than the message.
 */
function unframed({ wire, alternatives, ...message }: AssistantMessage): AssistantMessage {
  const time = wire?.form?.["time"];
  return {
    ...message,
    ...(wire !== undefined &&
      (wire.rest !== undefined || time !== undefined) && {
        wire: {
          protocol: wire.protocol,
          ...(wire.rest !== undefined && { rest: wire.rest }),
          ...(time !== undefined && { form: { time } }),
        },
      }),
    ...(alternatives !== undefined && { alternatives: alternatives.map(unframed) }),
  };
}

const nowhere = (): undefined => undefined;

/** Notes the arguments of calls as their text comes: as an object they may say less. */
function createArgumentWatch(): { readonly note: (event: StreamEvent) => void; readonly losses: () => LossDraft[] } {
  const calls = new Map<number, { readonly pieces: string[]; place: string }>();
  return {
    note(event) {
      if (event.choice !== undefined) return;
      // Free text stays text.
      if (event.type === "part_start" && event.part.type === "toolCall" && event.part.kind !== "custom")
        calls.set(event.index, { pieces: [], place: "" });
      const call = event.type === "toolcall_delta" && event.text !== "" ? calls.get(event.index) : undefined;
      if (call === undefined || event.type !== "toolcall_delta") return;
      call.pieces.push(event.text);
      call.place = eventPointer(event);
    },
    losses: () =>
      [...calls.values()].flatMap(({ pieces, place }) => {
        const text = pieces.join("");
        const read = readArguments(text);
        return "value" in read && inexactArguments(text, read.value)
          ? [{ code: "tool_call.precision", stage: "decode", path: place }]
          : [];
      }),
  };
}
