import { createCallIds } from "../../../codec/identity/call-ids.js";
import { issuedBy } from "../../../codec/issuer.js";
import { createLedger, knownKeys } from "../../../codec/ledger.js";
import { escapeSegment, isJsonObject } from "../../../ir/index.js";
import { createBlindTrace } from "../../../loss/index.js";
import { createTermRestorer } from "../../../stream/decode/client-terms.js";
import { addEvent, afterEnd, closeFrame, isEmptyValue, keepResidue, keepUnread, noteAbsent, openFrame, } from "../../../stream/decode/frame.js";
import { readFrame } from "../../../stream/decode/read-frame.js";
import { createRepetition } from "../../../stream/decode/repetition.js";
import { addUsage, createUsageTally } from "../../../stream/decode/usage.js";
import { describeFailure, endedEarly, unreadableFrame } from "../../../stream/failure.js";
import { decodeError } from "../errors.js";
import { fieldPointer } from "../fields.js";
import { decodeBlock } from "../parts/block.js";
import { decodeCitations } from "../parts/citations.js";
import { decodeResponse, decodeStopDetails } from "../response.js";
import { decodeStop } from "../stop-reason.js";
import { decodeUsage } from "../usage.js";
const protocol = "anthropic-messages";
const startKeys = knownKeys("type", "message");
const blockStartKeys = knownKeys("type", "index", "content_block");
const blockDeltaKeys = knownKeys("type", "index", "delta");
const blockStopKeys = knownKeys("type", "index");
const messageDeltaKeys = knownKeys("type", "delta", "usage");
const stopKeys = knownKeys("stop_reason", "stop_sequence", "stop_details");
const frameKeys = knownKeys("type");
/** The keys of each kind of delta. */
const deltaKeys = {
    text: knownKeys("type", "text"),
    thinking: knownKeys("type", "thinking"),
    partial_json: knownKeys("type", "partial_json"),
    signature: knownKeys("type", "signature"),
    citation: knownKeys("type", "citation"),
};
export function createStreamDecoder(exchange) {
    const losses = [];
    const state = {
        exchange,
        losses,
        // Events carry their own places, so nothing is looked up here.
        reader: {
            trace: createBlindTrace(fieldPointer),
            provider: exchange?.provider,
            losses: [],
            callIds: createCallIds(protocol),
            nulls: "form",
        },
        blocks: new Map(),
        tally: createUsageTally(),
        late: {},
        frames: 0,
        parts: 0,
        head: undefined,
        called: false,
        stopped: false,
        ended: false,
    };
    const restore = createTermRestorer(exchange);
    const repetition = createRepetition();
    return {
        losses,
        push(frame) {
            const again = repetition.match(frame, state.frames);
            if (again !== undefined) {
                state.frames++;
                return restore([again]);
            }
            const value = readFrame(frame.data);
            // Servers that end every stream alike add the end marker of another protocol.
            if (value === undefined && frame.data.trim() === "[DONE]")
                return [];
            const at = state.frames++;
            if (state.ended && value?.["type"] === "ping")
                return [];
            if (state.ended)
                return afterEnd(protocol, at, value, nameOf(value, frame.event));
            if (value === undefined)
                return fail(state, at, frame.cut === true ? endedEarly : unreadableFrame);
            const open = openFrame(protocol, at, value);
            const type = typeof value["type"] === "string" ? value["type"] : (frame.event ?? "");
            const failure = readEvent(type, value, open, state);
            if (type === "ping")
                return [];
            const events = closeFrame(open, protocol, nameOf(value, frame.event));
            repetition.learn(frame, failure === undefined ? events : []);
            if (failure === undefined)
                return restore(events);
            return [
                ...restore(open.events.length === 1 && events[0]?.type === "raw" ? [] : events),
                ...fail(state, at, failure),
            ];
        },
        finish() {
            if (state.ended)
                return [];
            if (!state.stopped)
                return fail(state, state.frames, endedEarly);
            state.ended = true;
            return [{ ...doneEvent(state), unmarked: true }];
        },
    };
}
/** The name of the SSE event, where the frame does not say it. */
function nameOf(value, event) {
    return event === value?.["type"] ? undefined : event;
}
function fail(state, at, error) {
    state.ended = true;
    return [{ type: "error", at, path: "", error }];
}
function doneEvent(state) {
    const rest = Object.keys(state.late).length === 0 ? {} : { rest: state.late };
    return { type: "done", at: state.frames, path: "", ...rest };
}
/** Reads one event; gives a failure where the stream cannot go on. */
function readEvent(type, value, frame, state) {
    switch (type) {
        case "ping":
            return undefined;
        case "message_start":
            return readStart(value, frame, state);
        case "content_block_start":
            readBlockStart(value, frame, state);
            return undefined;
        case "content_block_delta":
            readBlockDelta(value, frame, state);
            return undefined;
        case "content_block_stop":
            readBlockStop(value, frame, state);
            return undefined;
        case "message_delta":
            readMessageDelta(value, frame, state);
            return undefined;
        case "message_stop": {
            keepResidue(frame, value, frameKeys);
            for (const block of state.blocks.values())
                releaseStated(block, frame, state);
            state.ended = true;
            const { at: _at, ...done } = doneEvent(state);
            addEvent(frame, done);
            return undefined;
        }
        case "error":
            state.ended = true;
            addEvent(frame, { type: "error", path: "/error", error: describeFailure(decodeError(0, {}, value)) });
            return undefined;
        default:
            if (isJsonObject(value["error"]) && state.head === undefined) {
                state.ended = true;
                addEvent(frame, { type: "error", path: "/error", error: describeFailure(decodeError(0, {}, value)) });
            }
            else
                addEvent(frame, { type: "raw", protocol, path: "", value });
            return undefined;
    }
}
function readStart(value, frame, state) {
    const { message } = value;
    if (!isJsonObject(message))
        return unreadableFrame;
    if (state.head !== undefined) {
        addEvent(frame, { type: "raw", protocol, path: "", value });
        return undefined;
    }
    keepResidue(frame, value, startKeys);
    keepUnread(frame, "message/content", message["content"]);
    const head = decodeResponse({ ...message, content: [] }, state.exchange).value;
    state.head = head;
    if (isJsonObject(message["usage"]))
        addUsage(state.tally, message["usage"], `/events/${frame.at}/message/usage`);
    addEvent(frame, { type: "start", path: "/message", message: head });
    return undefined;
}
function readBlockStart(value, frame, state) {
    keepResidue(frame, value, blockStartKeys);
    const path = "/content_block";
    const decoded = decodeBlock(value["content_block"], path, state.reader);
    const { part, text, input } = skeletonOf(decoded);
    const index = state.parts++;
    if (part.type === "toolCall")
        state.called = true;
    state.blocks.set(value["index"], {
        index,
        part,
        stated: input === undefined ? undefined : { input, at: frame.at },
        hasInput: false,
    });
    addEvent(frame, { type: "part_start", path, index, part });
    if (text === undefined)
        return;
    if (part.type === "thinking")
        addEvent(frame, { type: "thinking_delta", path: `${path}/thinking`, index, text });
    else
        addEvent(frame, { type: "text_delta", path: `${path}/text`, index, text });
}
/** The part without what belongs to its deltas. */
function skeletonOf(part) {
    switch (part.type) {
        case "text":
            return part.text === "" ? { part } : { part: { ...part, text: "" }, text: part.text };
        case "thinking":
            return part.thinking === "" ? { part } : { part: { ...part, thinking: "" }, text: part.thinking };
        case "toolCall": {
            const input = part.arguments ?? {};
            return Object.keys(input).length === 0 ? { part } : { part: { ...part, arguments: {} }, input };
        }
        default:
            return { part };
    }
}
function readBlockDelta(value, frame, state) {
    keepResidue(frame, value, blockDeltaKeys);
    const { delta } = value;
    const block = state.blocks.get(value["index"]);
    if (block === undefined || !isJsonObject(delta) || !readDelta(delta, block, frame, state)) {
        addEvent(frame, {
            type: "raw",
            protocol,
            path: "/delta",
            ...(delta !== undefined && { value: delta }),
            ...(block !== undefined && { index: block.index }),
        });
    }
}
/** False for a delta that is not known, or that does not fit its block. */
function readDelta(delta, block, frame, state) {
    const { index, part } = block;
    const known = (key) => keepResidue(frame, delta, deltaKeys[key], "delta/");
    switch (delta["type"]) {
        case "text_delta":
            if (part.type !== "text" || typeof delta["text"] !== "string")
                return false;
            known("text");
            addEvent(frame, { type: "text_delta", path: "/delta/text", index, text: delta["text"] });
            return true;
        case "thinking_delta":
            if (part.type !== "thinking" || typeof delta["thinking"] !== "string")
                return false;
            known("thinking");
            addEvent(frame, { type: "thinking_delta", path: "/delta/thinking", index, text: delta["thinking"] });
            return true;
        case "input_json_delta":
            if (part.type !== "toolCall" && part.type !== "serverToolCall")
                return false;
            if (typeof delta["partial_json"] !== "string")
                return false;
            known("partial_json");
            if (delta["partial_json"] !== "")
                block.hasInput = true;
            addEvent(frame, { type: "toolcall_delta", path: "/delta/partial_json", index, text: delta["partial_json"] });
            return true;
        case "signature_delta":
            if (part.type !== "thinking" || typeof delta["signature"] !== "string")
                return false;
            known("signature");
            if (delta["signature"] !== "")
                addSignature(delta["signature"], index, frame, state);
            else
                addEvent(frame, { type: "raw", protocol, path: "/delta" });
            return true;
        case "citations_delta": {
            const citation = part.type === "text" ? readCitation(delta["citation"], state) : undefined;
            if (citation === undefined)
                return false;
            known("citation");
            addEvent(frame, { type: "citation", path: "/delta/citation", index, citation });
            return true;
        }
        default:
            return false;
    }
}
function addSignature(value, index, frame, { reader }) {
    addEvent(frame, {
        type: "state",
        path: "/delta/signature",
        index,
        state: { protocol, ...issuedBy(reader.provider), kind: "signature", value, bindsTo: "prefix", replay: "required" },
    });
}
function readCitation(value, state) {
    if (value === undefined)
        return undefined;
    return decodeCitations(createLedger(protocol), { citations: [value] }, "", state.reader)?.[0];
}
function readBlockStop(value, frame, state) {
    keepResidue(frame, value, blockStopKeys);
    const block = state.blocks.get(value["index"]);
    if (block === undefined)
        return;
    state.blocks.delete(value["index"]);
    releaseStated(block, frame, state);
    addEvent(frame, { type: "part_end", path: "", index: block.index });
}
/** Arguments that the start of a block stated count where no deltas came. */
function releaseStated(block, frame, state) {
    const { stated, index } = block;
    if (stated === undefined)
        return;
    const path = "/content_block/input";
    if (block.hasInput) {
        state.losses.push({ code: "field.repeated", stage: "decode", path: `/events/${stated.at}${path}` });
        return;
    }
    addEvent(frame, { type: "toolcall_delta", path, index, text: JSON.stringify(stated.input) });
    frame.events.at(-1).at = stated.at;
}
function readMessageDelta(value, frame, state) {
    keepResidue(frame, value, messageDeltaKeys);
    const { usage, delta } = value;
    if (isJsonObject(usage))
        readUsage(usage, frame, state);
    else
        keepUnread(frame, "usage", usage);
    for (const key in value)
        if (messageDeltaKeys[key] === undefined && !isEmptyValue(value[key]))
            state.late[escapeSegment(key)] = value[key];
    if (!isJsonObject(delta)) {
        keepUnread(frame, "delta", delta);
        return;
    }
    keepResidue(frame, delta, stopKeys, "delta/");
    for (const key in delta)
        if (stopKeys[key] === undefined && !isEmptyValue(delta[key]))
            state.late[escapeSegment(key)] = delta[key];
    readRefusal(delta, frame, state);
    const { stop_reason: raw, stop_sequence: sequence } = delta;
    if (typeof raw !== "string") {
        keepUnread(frame, "delta/stop_reason", raw);
        keepUnread(frame, "delta/stop_sequence", sequence);
        return;
    }
    if (typeof sequence !== "string")
        keepUnread(frame, "delta/stop_sequence", sequence);
    state.stopped = true;
    addEvent(frame, {
        type: "stop",
        path: "/delta",
        ...decodeStop(raw, state.called),
        rawStopReason: raw,
        ...(typeof sequence === "string" && { stopSequence: sequence }),
    });
}
/** What the API says about a refusal is a part of its own. */
function readRefusal(delta, frame, state) {
    const ledger = createLedger(protocol, "form");
    const refusal = decodeStopDetails(delta["stop_details"], ledger);
    const path = "/delta/stop_details";
    if (refusal === undefined) {
        keepUnread(frame, path.slice(1), delta["stop_details"]);
        return;
    }
    const index = state.parts++;
    const { text, ...others } = refusal;
    addEvent(frame, { type: "part_start", path, index, part: { ...others, text: "" } });
    addEvent(frame, { type: "text_delta", path: `${path}/explanation`, index, text });
    addEvent(frame, { type: "part_end", path: "", index });
}
function readUsage(stated, frame, state) {
    const raw = addUsage(state.tally, stated, `/events/${frame.at}/usage`);
    const own = decodeUsage(stated);
    for (const pointer in own.wire?.rest)
        keepUnread(frame, `usage/${pointer}`, own.wire.rest[pointer]);
    // Counts are said again here: what every earlier frame lacks too is missing here as well.
    const usage = decodeUsage(raw);
    const { form = {} } = usage.wire ?? {};
    for (const key in form)
        if (form[key] === "absent")
            noteAbsent(frame, `usage/${key}`);
    const origins = { ...state.tally.origins };
    addEvent(frame, { type: "usage", path: "/usage", usage, stated, origins });
}
//# sourceMappingURL=decode.js.map