import { createCallIds } from "../../../codec/identity/call-ids.js";
import { keep, knownKeys } from "../../../codec/ledger.js";
import { isJsonObject } from "../../../ir/index.js";
import { createBlindTrace } from "../../../loss/index.js";
import { createArgumentSnapshot } from "../../../stream/argument-snapshot.js";
import { addEvent, keepResidue, keepUnread, noteRepeated } from "../../../stream/decode/frame.js";
import { fieldPointer } from "../fields.js";
import { decodeToolCall } from "../parts/calls.js";
const pieceKeys = knownKeys("index", "id", "type", "function", "custom");
const innerKeys = knownKeys("name", "arguments", "input");
export function createCallReader(losses, provider) {
    const protocol = "openai-chat";
    const reader = {
        // Events carry their own places, so nothing is looked up here.
        trace: createBlindTrace(fieldPointer),
        provider,
        losses: [],
        callIds: createCallIds(protocol),
        functionCalls: new Map(),
        response: true,
    };
    return { reader, losses };
}
/** Reads the pieces of `tool_calls` of one delta. Gives a failure where nobody can tell which call a piece belongs to. */
export function readCallPieces(list, pointer, state, frame, shared) {
    for (let position = 0; position < list.length; position++) {
        const piece = list[position];
        const place = `${pointer}/${position}`;
        if (!isJsonObject(piece)) {
            keepUnread(frame, place.slice(1), piece);
            continue;
        }
        const failure = readPiece(piece, place, state, frame, shared);
        if (failure !== undefined)
            return failure;
    }
    return undefined;
}
function readPiece(piece, path, state, frame, shared) {
    const isCustom = piece["type"] === "custom" || (!isJsonObject(piece["function"]) && isFilled(piece["custom"]));
    const key = isCustom ? "custom" : "function";
    const inner = isJsonObject(piece[key]) ? piece[key] : {};
    const spare = isCustom ? "function" : "custom";
    if (isFilled(piece[spare]))
        keepUnread(frame, `${path.slice(1)}/${spare}`, piece[spare]);
    keepResidue(frame, inner, innerKeys, `${path.slice(1)}/${key}/`);
    const id = typeof piece["id"] === "string" && piece["id"] !== "" ? piece["id"] : undefined;
    const name = typeof inner["name"] === "string" && inner["name"] !== "" ? inner["name"] : undefined;
    const found = findCall(piece, id, name, path, state, frame, shared);
    if ("message" in found)
        return found;
    if (found.custom === undefined || (isCustom && found.part === undefined))
        found.custom = isCustom;
    found.id ??= id;
    if (found.name === undefined)
        found.name = name;
    else if (name !== undefined && found.part !== undefined)
        noteRepeated(frame, `${path.slice(1)}/${key}/name`);
    noteOthers(piece, path, found, frame);
    const value = inner[isCustom ? "input" : "arguments"];
    const textPath = `${path}/${key}/${isCustom ? "input" : "arguments"}`;
    const text = readText(value, textPath, frame, shared);
    if (text !== undefined) {
        found.progress.push(text);
        if (text !== "")
            found.hasText = true;
        found.held.push({ at: frame.at, path: textPath, text });
    }
    if (found.id !== undefined && found.name !== undefined && found.part === undefined)
        beginCall(found, { at: frame.at, path }, state, frame, shared);
    if (found.part !== undefined)
        release(found, state, frame, shared);
    return undefined;
}
const isFilled = (value) => isJsonObject(value) && Object.keys(value).length > 0;
/** Fields beside the known ones belong to the call where it begins with them, else they stay with the frame. */
function noteOthers(piece, path, call, frame) {
    if (call.part !== undefined) {
        keepResidue(frame, piece, pieceKeys, `${path.slice(1)}/`);
        return;
    }
    for (const key in piece)
        if (pieceKeys[key] === undefined)
            call.others[key] = piece[key];
}
/** Some servers send an object where the protocol says text. */
function readText(value, path, frame, shared) {
    if (typeof value === "string")
        return value;
    if (value === undefined || value === null)
        return undefined;
    shared.losses.push({
        code: "tool_call.shape",
        stage: "decode",
        path: `/events/${frame.at}${path}`,
        values: { from: "openai-chat" },
    });
    return JSON.stringify(value);
}
/** The call that a piece belongs to: by its index, by its id, or the only one that is open. */
function findCall(piece, id, name, path, state, frame, shared) {
    const index = typeof piece["index"] === "number" ? piece["index"] : undefined;
    const known = index === undefined ? undefined : state.byIndex.get(index);
    if (known !== undefined) {
        if (id === undefined || known.id === undefined || known.id === id)
            return known;
        report(shared, "tool_call.index", frame, `${path}/index`);
        return createCall(index, { at: frame.at, path }, state);
    }
    const same = id === undefined ? undefined : state.calls.find((call) => call.id === id);
    if (same !== undefined)
        return same;
    if (id !== undefined || name !== undefined)
        return createCall(index, { at: frame.at, path }, state);
    if (state.calls.length === 0)
        return createCall(index, { at: frame.at, path }, state);
    const open = state.calls.filter((call) => !call.progress.complete && !call.ended);
    const only = index === undefined ? (open.at(-1) ?? state.calls.at(-1)) : open.length === 1 ? open[0] : undefined;
    if (only === undefined) {
        return {
            message: "a piece of a tool call names no call, and more than one could take it",
            kind: "server",
            retryable: true,
        };
    }
    if (index !== undefined)
        report(shared, "tool_call.orphan", frame, `${path}/index`);
    return only;
}
function report(shared, code, frame, path) {
    shared.losses.push({ code, stage: "decode", path: `/events/${frame.at}${path}` });
}
function createCall(index, origin, state) {
    const call = {
        id: undefined,
        name: undefined,
        custom: false,
        others: {},
        part: undefined,
        ended: false,
        hasText: false,
        progress: createArgumentSnapshot(),
        held: [],
        origin,
    };
    state.calls.push(call);
    if (index !== undefined)
        state.byIndex.set(index, call);
    return call;
}
function beginCall(call, origin, state, frame, shared) {
    endOthers(call, state, frame);
    const inner = call.custom ? { name: call.name ?? "", input: "" } : { name: call.name ?? "", arguments: "" };
    const wire = {
        ...call.others,
        ...(call.id !== undefined && { id: call.id }),
        type: call.custom ? "custom" : "function",
        [call.custom ? "custom" : "function"]: inner,
    };
    const { argumentsError: _early, ...part } = decodeToolCall(wire, "", shared.reader);
    const index = state.begin(part);
    call.part = index;
    call.origin = origin;
    addEvent(frame, { type: "part_start", path: origin.path, index, part: part }, state.choice);
}
/** Writes the pieces that were held. A piece for a call that has ended is only white space, or it is lost. */
function release(call, state, frame, shared) {
    const index = call.part;
    for (const { at, path, text } of call.held) {
        if (call.ended) {
            if (text !== "")
                shared.losses.push({ code: "tool_call.late", stage: "decode", path: `/events/${at}${path}` });
            continue;
        }
        addEvent(frame, { type: "toolcall_delta", path, index, text }, state.choice);
        const added = frame.events.at(-1);
        added.at = at;
    }
    call.held.length = 0;
}
/** Ends calls whose arguments are whole: what follows them need not wait for the end of the answer. */
export function endOthers(except, state, frame) {
    for (const call of state.calls) {
        if (call === except || call.ended || call.part === undefined || !call.progress.complete)
            continue;
        call.ended = true;
        addEvent(frame, { type: "part_end", path: "", index: call.part }, state.choice);
    }
}
/** Ends all calls. A call without an id gets one; one without a name cannot be run by anybody. */
export function endCalls(state, frame, shared) {
    for (const call of state.calls) {
        if (call.part !== undefined)
            continue;
        if (call.name === undefined) {
            return { message: "a tool call ended without the name of its tool", kind: "server", retryable: true };
        }
        beginCall(call, call.origin, state, frame, shared);
        const begun = frame.events.at(-1);
        begun.at = call.origin.at;
        release(call, state, frame, shared);
    }
    for (const call of state.calls) {
        if (call.ended || call.part === undefined)
            continue;
        call.ended = true;
        addEvent(frame, { type: "part_end", path: "", index: call.part }, state.choice);
    }
    return undefined;
}
/** True where each call has whole arguments. */
export function areComplete(state) {
    return state.calls.every((call) => call.name !== undefined && (call.progress.complete || call.custom || !call.hasText));
}
/** The deprecated `function_call` of a delta: one call, without an id. */
export function readFunctionCall(value, path, state, frame, shared) {
    keepResidue(frame, value, innerKeys, `${path.slice(1)}/`);
    let call = state.byIndex.get(-1);
    const name = typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : undefined;
    if (call === undefined) {
        // Some servers send an empty call with every answer; it calls nothing.
        if (name === undefined) {
            if (typeof value["arguments"] === "string" && value["arguments"] !== "")
                keep(frame.ledger, `${path.slice(1)}/arguments`, value["arguments"]);
            return;
        }
        call = createCall(-1, { at: frame.at, path }, state);
        call.name = name;
        const part = {
            type: "toolCall",
            kind: "function",
            id: decodeToolCall({ function: { name } }, "", shared.reader).id,
            name,
            argumentsText: "",
            wire: { protocol: "openai-chat", form: { function_call: true } },
        };
        call.part = state.begin(part);
        addEvent(frame, { type: "part_start", path, index: call.part, part }, state.choice);
    }
    else if (name !== undefined)
        noteRepeated(frame, `${path.slice(1)}/name`);
    const text = readText(value["arguments"], `${path}/arguments`, frame, shared);
    if (text === undefined)
        return;
    call.progress.push(text);
    call.held.push({ at: frame.at, path: `${path}/arguments`, text });
    release(call, state, frame, shared);
}
//# sourceMappingURL=calls.js.map