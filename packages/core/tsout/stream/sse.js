import { StreamError } from "../errors/index.js";
import { createUtf8Reader } from "./utf8.js";
const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xfeff;
/** One frame may be this long unless stated: a whole image in base64 fits. */
const defaultLimit = 64 * 1024 * 1024;
/**
 * A parser of server-sent events by https://html.spec.whatwg.org/multipage/server-sent-events.html. It holds one frame at most, and its
 * time is linear: a line that spans many chunks is kept in pieces and joined once.
 */
export function createSseParser(options = {}) {
    const limit = options.maximumLength ?? defaultLimit;
    const utf8 = createUtf8Reader();
    let pieces = [];
    let held = 0;
    let afterReturn = false;
    let started = false;
    let data;
    let event = "";
    let id = "";
    const count = (length) => {
        held += length;
        if (held > limit)
            throw new StreamError(`a frame of the stream is longer than ${limit} characters`);
    };
    const readLine = (line, frames) => {
        if (line === "") {
            if (data !== undefined)
                frames.push(frameOf(data, event, id));
            data = undefined;
            event = "";
            held = 0;
            return;
        }
        // Nearly every line is one of these.
        if (line.startsWith("data:")) {
            const value = line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
            data = data === undefined ? value : `${data}\n${value}`;
            return;
        }
        const colon = line.indexOf(":");
        if (colon === 0) {
            // A comment belongs to no frame and does not fill it up.
            if (data === undefined && event === "")
                held = 0;
            return;
        }
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1);
        if (field === "data")
            data = data === undefined ? value : `${data}\n${value}`;
        else if (field === "event")
            event = value;
        else if (field === "id") {
            if (!value.includes("\0"))
                id = value;
        }
        else if (field === "retry" && /^\d+$/.test(value))
            parser.retry = Number(value);
    };
    const endLine = (rest, frames) => {
        count(rest.length);
        if (pieces.length === 0) {
            readLine(rest, frames);
            return;
        }
        pieces.push(rest);
        const line = pieces.join("");
        pieces = [];
        readLine(line, frames);
    };
    const read = (chunk, frames) => {
        let text = chunk;
        if (text === "")
            return;
        if (!started) {
            started = true;
            if (text.charCodeAt(0) === BYTE_ORDER_MARK)
                text = text.slice(1);
        }
        let position = 0;
        if (afterReturn && text.charCodeAt(0) === 10)
            position = 1;
        if (text !== "")
            afterReturn = false;
        let nextReturn = text.indexOf("\r", position);
        let nextFeed = text.indexOf("\n", position);
        while (nextReturn >= 0 || nextFeed >= 0) {
            const isReturn = nextReturn >= 0 && (nextFeed < 0 || nextReturn < nextFeed);
            const end = isReturn ? nextReturn : nextFeed;
            endLine(text.slice(position, end), frames);
            position = end + 1;
            if (isReturn) {
                if (position === text.length)
                    afterReturn = true;
                else if (text.charCodeAt(position) === 10)
                    position++;
                nextReturn = text.indexOf("\r", position);
            }
            if (nextFeed >= 0 && nextFeed < position)
                nextFeed = text.indexOf("\n", position);
        }
        if (position < text.length) {
            const rest = text.slice(position);
            count(rest.length);
            pieces.push(rest);
        }
    };
    const parser = {
        retry: undefined,
        push(chunk) {
            const frames = [];
            read(typeof chunk === "string" ? chunk : utf8.push(chunk), frames);
            return frames;
        },
        finish() {
            const frames = [];
            read(utf8.finish(), frames);
            if (pieces.length > 0)
                endLine("", frames);
            readLine("", frames);
            return frames.map((frame) => ({ ...frame, cut: true }));
        },
    };
    return parser;
}
function frameOf(data, event, id) {
    if (id !== "")
        return event === "" ? { data, id } : { event, data, id };
    return event === "" ? { data } : { event, data };
}
/** A frame as text. Data of several lines becomes several `data:` lines. */
export function writeSse(frame) {
    const name = frame.event === undefined ? "" : `event: ${frame.event}\n`;
    if (!frame.data.includes("\n") && !frame.data.includes("\r"))
        return `${name}data: ${frame.data}\n\n`;
    const lines = frame.data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
    return `${name}${lines.join("")}\n`;
}
/** A comment block, which clients read over. */
export function writeComment(text) {
    return `: ${text.replace(/[\r\n]+/g, " ")}\n\n`;
}
//# sourceMappingURL=sse.js.map