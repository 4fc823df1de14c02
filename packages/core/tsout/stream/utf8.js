/** Bytes of the character that a byte begins, as far as it begins one of several. */
function lengthOf(lead) {
    if (lead >= 0xf0)
        return 4;
    if (lead >= 0xe0)
        return 3;
    return lead >= 0xc0 ? 2 : 1;
}
/** Where the character begins that the bytes cut off; their length without one. */
function endOfWhole(bytes) {
    const { length } = bytes;
    for (let back = 1; back <= 3 && back <= length; back++) {
        const byte = bytes[length - back];
        if (byte < 0x80)
            return length;
        if (byte >= 0xc0)
            return lengthOf(byte) > back ? length - back : length;
    }
    return length;
}
/** Whole characters are decoded at once: a decoder that keeps its own state between calls takes several times as long. */
export function createUtf8Reader() {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let held;
    return {
        push(chunk) {
            let bytes = chunk;
            if (held !== undefined) {
                bytes = new Uint8Array(held.length + chunk.length);
                bytes.set(held);
                bytes.set(chunk, held.length);
            }
            const end = endOfWhole(bytes);
            held = end === bytes.length ? undefined : bytes.slice(end);
            return decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
        },
        finish() {
            const rest = held === undefined ? "" : decoder.decode(held);
            held = undefined;
            return rest;
        },
    };
}
//# sourceMappingURL=utf8.js.map