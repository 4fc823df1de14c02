import type { StatedError } from "../codec/errors/envelope.ts";
import type { Decoded } from "../codec/protocol.ts";
import type { AssistantMessage, Json, ProtocolId } from "../ir/index.ts";
import type { FieldPointer } from "../loss/index.ts";
import { createTrace } from "../loss/index.ts";
import type { StreamEvent } from "./events.ts";
import { createFrameParser } from "./frames.ts";
import type { StreamDecoder } from "./protocol.ts";
import { createReducer } from "./reduce.ts";
import type { StreamSource } from "./source.ts";
import { readChunks } from "./source.ts";
import { strayFrame } from "./stray.ts";

/** What reading a stream needs to know of its protocol. */
export interface StreamProtocol {
  readonly id: ProtocolId;
  readonly fieldPointer: FieldPointer;
  readonly findError: (answer: Json) => StatedError | undefined;
}

/** Reads a whole stream into its message. A source that breaks off behind a complete answer changes nothing. */
export async function collectStream(
  source: StreamSource,
  decoder: StreamDecoder,
  { id, fieldPointer, findError }: StreamProtocol,
): Promise<Decoded<AssistantMessage>> {
  const parser = createFrameParser();
  const reducer = createReducer(id);
  let complete = false;
  const read = (events: readonly StreamEvent[]): void => {
    for (const event of events) {
      if (event.type === "done") complete = true;
      reducer.push(event);
    }
  };
  try {
    for await (const chunk of readChunks(source)) for (const frame of parser.push(chunk)) read(decoder.push(frame));
  } catch (error) {
    if (!complete) throw error;
  }
  for (const frame of parser.finish()) read(decoder.push(frame));
  const stray = strayFrame(parser, findError);
  if (stray !== undefined) read(decoder.push(stray));
  read(decoder.finish());
  return {
    value: reducer.message(),
    losses: [...decoder.losses, ...reducer.losses()],
    trace: createTrace(fieldPointer),
  };
}
