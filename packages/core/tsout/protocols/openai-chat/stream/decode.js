import { keep, plainWire } from "../../../codec/ledger.js";
import { unreportedUsage } from "../../../codec/usage.js";
import { escapeSegment, isJsonObject, jsonEqual } from "../../../ir/index.js";
import { createTermRestorer } from "../../../stream/decode/client-terms.js";
import { addEvent, afterEnd, closeFrame, isEmptyValue, keepUnread, openFrame } from "../../../stream/decode/frame.js";
import { readFrame } from "../../../stream/decode/read-frame.js";
import { createRepetition } from "../../../stream/decode/repetition.js";
import { addUsage, createUsageTally } from "../../../stream/decode/usage.js";
import { describeFailure, endedEarly, unreadableFrame } from "../../../stream/failure.js";
import { decodeError } from "../errors.js";
import { decodeStop } from "../stop-reason.js";
import { decodeUsage } from "../usage.js";
import { areComplete, createCallReader, endCalls } from "./calls.js";
import { closeOpenPart, createCandidate, endPlace, noteAgain, readChoice } from "./choice.js";
const protocol = "openai-chat";
/** Keys of a chunk that are read, or that only pad it. */
const chunkKeys = Object.assign(Object.create(null), {
    id: true,
    object: true,
    created: true,
    model: true,
    choices: true,
    usage: true,
    error: true,
    obfuscation: true,
});
export function createStreamDecoder(exchange) {
    const losses = [];
    const state = {
        exchange,
        losses,
        shared: createCallReader(losses, exchange?.provider),
        candidates: new Map(),
        tally: createUsageTally(),
        repeated: {},
        frames: 0,
        head: undefined,
        ended: false,
    };
    const restore = createTermRestorer(exchange);
    const repetition = createRepetition();
    return {
        losses,
        push(frame) {
            const again = repetition.match(frame, state.frames);
            if (again !== undefined) {
                const candidate = state.candidates.get(again.choice ?? 0);
                if (candidate !== undefined)
                    noteAgain(candidate, again.at);
                state.frames++;
                return restore([again]);
            }
            if (frame.data.trim() === "[DONE]")
                return state.ended ? [] : restore(endMarked(state));
            const value = readFrame(frame.data);
            const at = state.frames++;
            if (state.ended)
                return afterEnd(protocol, at, value, frame.event);
            if (value === undefined)
                return fail(state, at, frame.cut === true ? endedEarly : unreadableFrame);
            if (isFailure(value, frame.event))
                return fail(state, at, failureOf(value), value, frame.event);
            const events = readChunk(value, at, frame.event, state);
            // Pieces of calls are looked at one by one.
            repetition.learn(frame, events[0]?.type === "toolcall_delta" ? [] : events);
            return restore(events);
        },
        finish() {
            if (state.ended)
                return [];
            const primary = state.candidates.get(0);
            if (primary?.finished === true)
                return restore(endStream(state, true));
            return fail(state, state.frames, endedEarly);
        },
    };
}
/** A chunk with an error, an error body in place of the stream, or an `event: error`. */
function isFailure(value, event) {
    return event === "error" || (!isEmptyValue(value["error"]) && value["error"] !== false);
}
function failureOf(value) {
    const inner = isJsonObject(value["error"]) ? value["error"] : undefined;
    const body = inner !== undefined || "error" in value ? value : { error: value };
    const code = inner?.["code"];
    const status = typeof code === "number" && code >= 400 && code < 600 ? code : 0;
    return describeFailure(decodeError(status === 0 && inner?.["type"] === "invalid_request_error" ? 400 : status, {}, body));
}
/** The failure is the only event of its frame, so that the frame is written again as it came. */
function fail(state, at, error, value, name) {
    state.ended = true;
    if (value === undefined)
        return [{ type: "error", at, path: "", error }];
    const frame = openFrame(protocol, at, value);
    addEvent(frame, { type: "error", path: isEmptyValue(value["error"]) ? "" : "/error", error });
    return closeFrame(frame, protocol, name);
}
function readChunk(value, at, name, state) {
    const frame = openFrame(protocol, at, value);
    readHead(value, frame, state);
    const { choices, usage } = value;
    let failure;
    if (Array.isArray(choices)) {
        for (let position = 0; position < choices.length && failure === undefined; position++)
            failure = readCandidate(choices[position], position, frame, state);
    }
    else
        keepUnread(frame, "choices", choices);
    if (isJsonObject(usage))
        readUsage(usage, frame, state);
    else
        keepUnread(frame, "usage", usage);
    const events = closeFrame(frame, protocol, name);
    return failure === undefined ? events : [...events, ...fail(state, at, failure)];
}
function readCandidate(value, position, frame, state) {
    if (!isJsonObject(value)) {
        keepUnread(frame, `choices/${position}`, value);
        return undefined;
    }
    const number = typeof value["index"] === "number" && value["index"] >= 0 ? value["index"] : position;
    let candidate = state.candidates.get(number);
    if (candidate === undefined) {
        candidate = createCandidate(number);
        state.candidates.set(number, candidate);
    }
    return readChoice(value, position, candidate, frame, state.shared);
}
/** Id, model and time of the answer, which each chunk repeats; an empty first chunk may come before they are known. */
function readHead(value, frame, state) {
    for (const key in value) {
        if (chunkKeys[key] !== undefined)
            continue;
        const item = value[key];
        const isRepeated = Object.hasOwn(state.repeated, key);
        // An empty value says nothing, unless there was one before.
        if (isRepeated ? jsonEqual(state.repeated[key], item) : isEmptyValue(item))
            continue;
        state.repeated[key] = item;
        keep(frame.ledger, escapeSegment(key), item);
    }
    const { id, model, created, choices } = value;
    if (state.head !== undefined) {
        keepChanged(frame, "id", id, state.head.responseId);
        keepChanged(frame, "model", model, state.head.responseModel);
        keepChanged(frame, "created", created, state.head.timestamp / 1000);
        return;
    }
    const isEmpty = !Array.isArray(choices) || choices.length === 0;
    if (isEmpty && !isJsonObject(value["usage"])) {
        for (const key of ["id", "model"])
            keepUnread(frame, key, value[key]);
        keepUnread(frame, "created", created);
        return;
    }
    const head = {
        role: "assistant",
        content: [],
        api: protocol,
        provider: state.exchange?.provider ?? "unknown",
        model: state.exchange?.model ?? (typeof model === "string" ? model : "unknown"),
        ...(typeof model === "string" && { responseModel: model }),
        ...(typeof id === "string" && { responseId: id }),
        usage: unreportedUsage,
        stopReason: "pending",
        timestamp: typeof created === "number" ? created * 1000 : 0,
        wire: plainWire(protocol),
    };
    for (const [key, type] of [
        ["id", "string"],
        ["model", "string"],
        ["created", "number"],
    ])
        if (typeof value[key] !== type)
            keepUnread(frame, key, value[key]);
    if (created === 0)
        keep(frame.ledger, "created", 0);
    state.head = head;
    addEvent(frame, { type: "start", path: "", message: head });
}
function keepChanged(frame, key, value, before) {
    if (value !== before)
        keepUnread(frame, key, value);
}
function readUsage(stated, frame, state) {
    const raw = addUsage(state.tally, stated, `/events/${frame.at}/usage`);
    const usage = decodeUsage(raw);
    const own = raw === stated ? usage : decodeUsage(stated);
    for (const pointer in own.wire?.rest)
        keepUnread(frame, `usage/${pointer}`, own.wire.rest[pointer]);
    addEvent(frame, { type: "usage", path: "/usage", usage, stated, origins: { ...state.tally.origins } });
}
/** `[DONE]`: what has no reason to end gets the usual one, where all that came is whole. */
function endMarked(state) {
    const at = state.frames;
    const primary = state.candidates.get(0);
    if (primary === undefined)
        return fail(state, at, endedEarly);
    const frame = openFrame(protocol, at, {});
    for (const candidate of state.candidates.values()) {
        if (candidate.finished)
            continue;
        if (!areComplete(candidate.calls))
            return fail(state, at, endedEarly);
        closeOpenPart(candidate, frame);
        const failure = endCalls(candidate.calls, frame, state.shared);
        if (failure !== undefined)
            return fail(state, at, failure);
        candidate.finished = true;
        const stop = decodeStop("stop", candidate.seen);
        const { at: last, path } = endPlace(candidate);
        addEvent(frame, { type: "stop", path, ...stop, inferred: true }, candidate.number);
        frame.events.at(-1).at = last;
    }
    return [...frame.events, ...endStream(state)];
}
function endStream(state, unmarked = false) {
    state.ended = true;
    const rest = Object.keys(state.repeated).length === 0 ? {} : { rest: restOf(state.repeated) };
    return [{ type: "done", at: state.frames, path: "", ...(unmarked && { unmarked }), ...rest }];
}
function restOf(repeated) {
    return Object.fromEntries(Object.entries(repeated).map(([key, value]) => [escapeSegment(key), value]));
}
//# sourceMappingURL=decode.js.map