import { createTrace } from "../loss/index.js";
import { inferredStop } from "./encode/stop.js";
import { createReducer } from "./reduce.js";
import { readChunks } from "./source.js";
import { createSseParser } from "./sse.js";
/** Reads a whole stream into its message. */
export async function collectStream(source, decoder, protocol, fieldPointer) {
    const parser = createSseParser();
    const reducer = createReducer(protocol);
    const read = (events) => {
        for (const event of events) {
            if (event.type === "stop" && event.inferred === true)
                decoder.losses.push(inferredStop(event, protocol));
            reducer.push(event);
        }
    };
    for await (const chunk of readChunks(source))
        for (const frame of parser.push(chunk))
            read(decoder.push(frame));
    for (const frame of parser.finish())
        read(decoder.push(frame));
    read(decoder.finish());
    return { value: reducer.message(), losses: decoder.losses, trace: createTrace(fieldPointer) };
}
//# sourceMappingURL=collect.js.map