import type { Decoded } from "../../../codec/protocol.ts";
import type { AssistantMessage, Exchange } from "../../../ir/index.ts";
import { collectStream } from "../../../stream/collect.ts";
import type { StreamSource } from "../../../stream/source.ts";
import { findError } from "../errors.ts";
import { fieldPointer } from "../fields.ts";
import { createStreamDecoder } from "./decode.ts";

export { createStreamDecoder } from "./decode.ts";
export { createStreamEncoder } from "./encode.ts";
export { encodeStream } from "./whole.ts";

/** The message that a whole stream gives. */
export function decodeStream(source: StreamSource, exchange?: Exchange): Promise<Decoded<AssistantMessage>> {
  return collectStream(source, createStreamDecoder(exchange), {
    id: "openai-responses",
    fieldPointer,
    findError,
  });
}
