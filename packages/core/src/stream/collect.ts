import type { Decoded } from "../codec/protocol.ts";
import type { AssistantMessage, ProtocolId } from "../ir/index.ts";
import type { FieldPointer } from "../loss/index.ts";
import { createTrace } from "../loss/index.ts";
import type { StreamDecoder } from "./protocol.ts";
import { createReducer } from "./reduce.ts";
import type { StreamSource } from "./source.ts";
import { readChunks } from "./source.ts";
import { createSseParser } from "./sse.ts";

/** Reads a whole stream into its message. */
export async function collectStream(
  source: StreamSource,
  decoder: StreamDecoder,
  protocol: ProtocolId,
  fieldPointer: FieldPointer,
): Promise<Decoded<AssistantMessage>> {
  const parser = createSseParser();
  const reducer = createReducer(protocol);
  for await (const chunk of readChunks(source))
    for (const frame of parser.push(chunk)) for (const event of decoder.push(frame)) reducer.push(event);
  for (const frame of parser.finish()) for (const event of decoder.push(frame)) reducer.push(event);
  for (const event of decoder.finish()) reducer.push(event);
  return { value: reducer.message(), losses: decoder.losses, trace: createTrace(fieldPointer) };
}
