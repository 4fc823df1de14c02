import { placed } from "../codec/refuse.js";
import { StreamError } from "../errors/index.js";
import { acceptLosses, enforcePolicy, groupLosses, resolveLosses, summarizeLosses } from "../loss/index.js";
import { createPlaces } from "../stream/places.js";
import { readChunks } from "../stream/source.js";
import { createSseParser, writeComment, writeSse } from "../stream/sse.js";
/** Converts a stream between two protocols that are already loaded. */
export function convertStreamWith(source, target, input, options = {}) {
    return reported(async function* (settle) {
        const conversion = createStreamConversion(source, target, options);
        try {
            yield* run(conversion, input, options);
        }
        finally {
            settle(conversion.losses);
        }
    });
}
/** A stream that settles its report however it ends, also when it is abandoned. */
export function reported(generate) {
    let settle = () => { };
    const report = new Promise((resolve) => {
        settle = resolve;
    });
    const chunks = generate(settle);
    const iterator = {
        next: () => chunks.next(),
        async return() {
            const end = await chunks.return(undefined);
            // A stream that was never begun has lost nothing.
            settle([]);
            return end;
        },
    };
    return { report, [Symbol.asyncIterator]: () => iterator };
}
async function* run(conversion, input, options) {
    try {
        for await (const chunk of readChunks(input, options.signal)) {
            const text = conversion.push(chunk);
            if (text !== "")
                yield text;
            if (conversion.over)
                return;
        }
    }
    catch (error) {
        options.signal?.throwIfAborted();
        if (conversion.over)
            throw error;
        yield conversion.fail(error);
        return;
    }
    const text = conversion.finish();
    if (text !== "")
        yield text;
}
const sourceFailure = "the source of the stream failed";
export function createStreamConversion(source, target, options = {}) {
    const parser = createSseParser();
    const decoder = source.createStreamDecoder(options.exchange);
    const encoder = target.createStreamEncoder(options.exchange, options.target === undefined ? {} : { profile: options.target });
    const places = createPlaces(source.fieldPointer);
    const losses = [];
    let told = false;
    const settle = () => {
        if (decoder.losses.length === 0 && encoder.losses.length === 0)
            return;
        const drafts = [...decoder.losses.splice(0), ...encoder.losses.splice(0)];
        const resolved = resolveLosses(drafts, source.id, target.id, places.locate, () => undefined);
        const fresh = acceptLosses(resolved, options.accept ?? []);
        losses.push(...fresh);
        enforcePolicy(fresh, options.onLoss ?? "report");
    };
    const write = (frames) => {
        let text = "";
        for (const frame of frames) {
            if (frame.terminal === true && !told) {
                told = true;
                if (losses.length > 0)
                    text += writeComment(figures(losses));
            }
            text += writeSse(frame);
        }
        return text;
    };
    const convert = (events) => {
        for (const event of events)
            places.note(event);
        const frames = encoder.push(events);
        settle();
        return write(frames);
    };
    const conversion = {
        losses,
        over: false,
        push(chunk) {
            let text = "";
            try {
                for (const frame of parser.push(chunk))
                    text += convert(decoder.push(frame));
                return text;
            }
            catch (error) {
                return text + conversion.fail(error);
            }
        },
        finish() {
            let text = "";
            try {
                for (const frame of parser.finish())
                    text += convert(decoder.push(frame));
                text += convert(decoder.finish());
                const rest = encoder.finish();
                settle();
                conversion.over = true;
                return text + write(rest);
            }
            catch (error) {
                return text + conversion.fail(error);
            }
        },
        fail(cause) {
            conversion.over = true;
            const error = placed(cause, places.locate);
            if (isOwn(error))
                throw error;
            const failure = {
                type: "error",
                at: 0,
                path: "",
                error: { message: sourceFailure, kind: "server", retryable: true },
            };
            const text = convert([failure]);
            if (text === "")
                throw new StreamError(sourceFailure, [], { cause });
            return text;
        },
    };
    return conversion;
}
/** Errors that say that the conversion is not wanted, or not possible. They are the caller's, not the client's. */
function isOwn(error) {
    return error instanceof Error && "isRolecallError" in error && !(error instanceof StreamError);
}
/** The figures of a report as they may be sent: codes, and no content. */
function figures(losses) {
    const { worst, total, groups, accepted, safety, authority } = summarizeLosses(losses);
    const codes = groupLosses(losses)
        .slice(0, 20)
        .map((group) => `${group.code};n=${group.count}`);
    return `rolecall-losses worst=${worst ?? "none"}, total=${total}, groups=${groups}, accepted=${accepted}, safety=${safety}, authority=${authority}, codes=(${codes.join(" ")})`;
}
//# sourceMappingURL=stream.js.map