import type { ConvertedStream, ProtocolId } from "@rolecall/core";
import type { AnswerHeaders, Sink } from "../http/sink.ts";
import { encodeFor, errorEvent, errorOf } from "./errors.ts";
import type { OpenExchange } from "./exchange.ts";

/** An error that a service reports within its stream, as the encoders write it. */
const inBandError = /^(?:event: error|data: \{"error":)/m;

/** Writes a stream as fast as the client takes it, and an error event where it breaks off. */
export async function writeStream(
  sink: Sink,
  stream: ConvertedStream,
  client: ProtocolId,
  exchange: OpenExchange,
  headers: () => AnswerHeaders,
): Promise<void> {
  let wake: (() => void) | undefined;
  const notify = () => wake?.();
  sink.onDrain(notify);
  sink.onAbort(notify);
  let last = "";
  const begin = () => {
    exchange.firstByte();
    exchange.record.status = 200;
    sink.head(200, headers());
  };
  try {
    for await (const text of stream) {
      if (sink.closed) return;
      if (!sink.started) begin();
      last = text;
      if (!sink.write(text) && !sink.closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } catch (thrown) {
    if (!sink.started) throw thrown;
    const error = errorOf(thrown, "answer");
    if (!sink.closed) sink.end(errorEvent(client, (await encodeFor(client, error)).body));
    exchange.answerLosses(await stream.report);
    exchange.finish("failed", { stage: "answer", message: error.message });
    return;
  }
  exchange.answerLosses(await stream.report);
  if (!sink.started) begin();
  sink.end();
  if (inBandError.test(last))
    exchange.finish("failed", { stage: "service", message: "the service failed within its stream" });
  else exchange.finish("complete");
}
