/** The chunks of a source, each read when it is asked for. Leaving the loop cancels the source. */
export async function* readChunks(source, signal) {
    signal?.throwIfAborted();
    if (typeof source === "string" || source instanceof Uint8Array) {
        yield source;
        return;
    }
    if ("getReader" in source && !(Symbol.asyncIterator in source)) {
        yield* readStream(source, signal);
        return;
    }
    const chunks = source;
    if (signal === undefined) {
        yield* chunks;
        return;
    }
    yield* untilAborted(chunks, signal);
}
async function* readStream(source, signal) {
    const reader = source.getReader();
    const iterable = {
        [Symbol.asyncIterator]: () => ({
            next: async () => {
                const { done, value } = await reader.read();
                return done ? { done: true, value: undefined } : { done: false, value };
            },
            return: async () => {
                await reader.cancel();
                return { done: true, value: undefined };
            },
        }),
    };
    yield* signal === undefined ? iterable : untilAborted(iterable, signal);
}
/** Stops waiting for the next chunk as soon as the signal fires, and tells the source so. */
async function* untilAborted(source, signal) {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    let abort = () => { };
    const aborted = new Promise((_, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
    });
    aborted.catch(() => { });
    try {
        for (;;) {
            signal.throwIfAborted();
            const next = await Promise.race([iterator.next(), aborted]);
            if (next.done === true)
                return;
            yield next.value;
        }
    }
    finally {
        signal.removeEventListener("abort", abort);
        // Not awaited: a source that hangs must not hold up whoever gave up on it.
        Promise.resolve(iterator.return?.()).catch(() => { });
    }
}
//# sourceMappingURL=source.js.map