import { collectStream } from "../../../stream/collect.js";
import { fieldPointer } from "../fields.js";
import { createStreamDecoder } from "./decode.js";
export { createStreamDecoder } from "./decode.js";
export { createStreamEncoder } from "./encode.js";
export { encodeStream } from "./whole.js";
/** The message that a whole stream gives. */
export function decodeStream(source, exchange) {
    return collectStream(source, createStreamDecoder(exchange), "anthropic-messages", fieldPointer);
}
//# sourceMappingURL=index.js.map