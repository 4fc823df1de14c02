import type { Decoded } from "../codec/protocol.ts";
import type { AssistantMessage, ProtocolId } from "../ir/index.ts";
import type { FieldPointer } from "../loss/index.ts";
import { createTrace } from "../loss/index.ts";
import { inferredStop } from "./encode/stop.ts";
import type { StreamEvent } from "./events.ts";
import { createFrameParser } from "./frames.ts";
import type { StreamDecoder } from "./protocol.ts";
import { createReducer } from "./reduce.ts";
import type { StreamSource } from "./source.ts";
import { readChunks } from "./source.ts";

/** Reads a whole stream into its message. */
export async function collectStream(
  source: StreamSource,
  decoder: StreamDecoder,
  protocol: ProtocolId,
  fieldPointer: FieldPointer,
): Promise<Decoded<AssistantMessage>> {
  const parser = createFrameParser();
  const reducer = createReducer(protocol);
  const read = (events: readonly StreamEvent[]): void => {
    for (const event of events) {
      if (event.type === "stop" && event.inferred === true) decoder.losses.push(inferredStop(event, protocol));
      reducer.push(event);
    }
  };
  for await (const chunk of readChunks(source)) for (const frame of parser.push(chunk)) read(decoder.push(frame));
  for (const frame of parser.finish()) read(decoder.push(frame));
  read(decoder.finish());
  return { value: reducer.message(), losses: decoder.losses, trace: createTrace(fieldPointer) };
}
