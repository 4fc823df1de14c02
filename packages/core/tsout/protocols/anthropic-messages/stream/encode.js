import { identifierRule } from "../../../codec/identity/identifiers.js";
import { createNames } from "../../../codec/identity/names.js";
import { unstatedProfile } from "../../../codec/profile.js";
import { isUnreported } from "../../../codec/usage.js";
import { createReport, lose } from "../../../loss/index.js";
import { frameGroup, frameNumber, ownFrame, patchFrame } from "../../../stream/encode/replay.js";
import { loseAlternative, loseRaw, replaceStop, reportStop, stopFields } from "../../../stream/encode/stop.js";
import { sweepEvent } from "../../../stream/encode/sweep.js";
import { eventPointer } from "../../../stream/events.js";
import { failureError } from "../../../stream/failure.js";
import { encodeError } from "../errors.js";
import { resolveProfile } from "../profile.js";
import { encodeResponse } from "../response.js";
import { encodeStop } from "../stop-reason.js";
import { encodeUsage } from "../usage.js";
import { createBlock, endBlock, frameOf, startBlock, writeDelta } from "./block.js";
import { eventWords } from "./words.js";
const protocol = "anthropic-messages";
/** One block is open at a time; what belongs to others waits until it is closed. */
export function createStreamEncoder(_exchange, options = {}) {
    const report = createReport();
    const state = {
        writer: {
            target: resolveProfile(options.profile ?? unstatedProfile),
            faithful: false,
            response: true,
            report,
            names: createNames(protocol, identifierRule(128, true, undefined), identifierRule(64, true, undefined), report),
            customTools: new Set(),
            marked: [],
        },
        blocks: new Map(),
        refusals: new Map(),
        next: 0,
        head: undefined,
        usage: undefined,
        stop: undefined,
        replayed: false,
        failed: false,
    };
    return {
        losses: report.drafts,
        push(events) {
            const frames = [];
            for (let index = 0; index < events.length; index++) {
                const event = events[index];
                if (state.failed) {
                    loseRaw(event, state.writer.report);
                    continue;
                }
                const frame = ownFrame(event, protocol);
                const group = frame === undefined ? undefined : frameGroup(events, index, protocol);
                if (frame === undefined || group === undefined) {
                    frames.push(...writeEvent(event, state));
                    continue;
                }
                frames.push(...replay(frame, group, state));
                index += group.length - 1;
            }
            return frames;
        },
        finish: () => [],
    };
}
/** Writes a frame of this protocol as it came, and keeps the books as if it had been made here. */
function replay(frame, group, state) {
    const before = [];
    state.replayed = true;
    const at = frameNumber(group);
    let terminal = false;
    for (const event of group) {
        if (event.type === "start")
            state.head = event.message;
        else if (event.type === "part_start") {
            const block = createBlock(event, state.writer);
            const index = frame["index"];
            block.index = typeof index === "number" ? index : state.next;
            state.next = Math.max(state.next, block.index + 1);
            state.blocks.set(event.index, block);
        }
        else if (event.type === "part_end")
            state.blocks.delete(event.index);
        else if (event.type === "toolcall_delta" && event.at !== at) {
            const block = state.blocks.get(event.index);
            if (block !== undefined)
                before.push(...writeDelta(event, block, state.writer));
        }
        else if (event.type === "done" || event.type === "error") {
            state.failed = event.type === "error";
            terminal = true;
        }
    }
    const stated = group[0]?.wire?.form?.["event"];
    const value = patchFrame(frame, group, eventWords);
    const name = typeof stated === "string" ? stated : value["type"];
    const written = {
        ...(typeof name === "string" && { event: name }),
        data: JSON.stringify(value),
        ...(terminal && { terminal: true }),
    };
    return [...before, written];
}
function writeEvent(event, state) {
    const { report, target } = state.writer;
    sweepEvent(event, target, report);
    if (event.choice !== undefined && event.choice > 0) {
        loseAlternative(event, report);
        return [];
    }
    switch (event.type) {
        case "start":
            return start(event.message, state);
        case "part_start":
            return startPart(event, state);
        case "text_delta":
        case "thinking_delta":
        case "toolcall_delta":
        case "citation":
        case "state":
        case "raw":
            return writeInPart(event, state);
        case "part_end": {
            const block = state.blocks.get(event.index);
            if (block === undefined)
                return [];
            block.ended = true;
            return advance(state);
        }
        case "usage":
            state.usage = event;
            return [];
        case "stop":
            state.stop = replaceStop(state.stop, event, report);
            return [];
        case "error":
            return writeFailure(event.error, state);
        case "done":
            return end(state);
    }
}
function start(message, state) {
    const { report } = state.writer;
    state.head = message;
    const head = { ...message, timestamp: 0 };
    const { value } = encodeResponse(head, undefined, { profile: state.writer.target });
    if (message.timestamp !== 0)
        lose(report, "response.time", message, "timestamp");
    if (!isUnreported(message.usage))
        state.usage = { type: "usage", at: 0, path: "/message/usage", usage: message.usage };
    return [frameOf({ type: "message_start", message: { ...value, content: [], stop_reason: null } })];
}
/** Every stream begins with its head, also one whose source had none. */
function withHead(state) {
    if (state.head !== undefined)
        return [];
    return start({
        role: "assistant",
        content: [],
        api: protocol,
        provider: "unknown",
        model: "unknown",
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
        stopReason: "pending",
        timestamp: 0,
    }, state);
}
function startPart(event, state) {
    const { part } = event;
    const frames = withHead(state);
    if (part.type === "refusal") {
        state.refusals.set(event.index, { part, text: part.text });
        return frames;
    }
    const block = createBlock(event, state.writer);
    state.blocks.set(event.index, block);
    return [...frames, ...advance(state)];
}
function writeInPart(event, state) {
    const { report } = state.writer;
    if (event.type === "raw" && event.protocol !== protocol) {
        loseRaw(event, report);
        return [];
    }
    if (event.index === undefined)
        return [];
    const refusal = state.refusals.get(event.index);
    if (refusal !== undefined) {
        if (event.type === "text_delta")
            refusal.text += event.text;
        if (event.type === "text_delta" && event.text !== "") {
            lose(report, "refusal.text", event, "", {
                path: eventPointer(event),
                values: { sent: "stop_details.explanation" },
            });
        }
        return [];
    }
    const block = state.blocks.get(event.index);
    if (block === undefined)
        return [];
    if (block === openBlock(state))
        return writeDelta(event, block, state.writer);
    block.waiting.push(event);
    return [];
}
function openBlock(state) {
    return state.blocks.values().next().value;
}
/** Opens the first block, and closes it where it has ended; then the next one. */
function advance(state) {
    const frames = [];
    for (const [key, block] of state.blocks) {
        if (!block.started) {
            frames.push(...startBlock(block, state.next, state.writer));
            if (block.isWritten)
                state.next++;
            for (const event of block.waiting)
                frames.push(...writeDelta(event, block, state.writer));
            block.waiting.length = 0;
        }
        if (!block.ended)
            break;
        frames.push(...endBlock(block, state.writer));
        state.blocks.delete(key);
    }
    return frames;
}
function writeFailure(failure, state) {
    state.failed = true;
    const { body } = encodeError(failureError(failure)).value;
    return [{ event: "error", data: JSON.stringify(body), terminal: true }];
}
function end(state) {
    const { writer } = state;
    const frames = [...withHead(state)];
    for (const block of state.blocks.values())
        block.ended = true;
    frames.push(...advance(state));
    if (state.replayed)
        return [...frames, { ...frameOf({ type: "message_stop" }), terminal: true }];
    const { stop } = state;
    // A failed answer has no stop reason here: an error is the only honest end.
    if (stop?.stopReason === "error" && stop.stopDetail === undefined) {
        const message = `the model failed: ${stop.errorMessage ?? stop.rawStopReason ?? "no reason given"}`;
        return [...frames, ...writeFailure({ message, kind: "server", retryable: true }, state)];
    }
    const delta = { stop_reason: null, stop_sequence: stop?.stopSequence ?? null };
    if (stop !== undefined) {
        const sent = encodeStop(stopFields(stop, state.head?.api));
        reportStop(stop, sent, writer.report, state.head?.api ?? protocol);
        delta["stop_reason"] = sent.raw;
    }
    const refusals = [...state.refusals.values()];
    const first = refusals[0];
    if (first !== undefined) {
        const explanation = refusals.map((refusal) => refusal.text).join("");
        delta["stop_details"] = { type: "refusal", category: first.part.category ?? null, explanation };
    }
    return [
        ...frames,
        { ...frameOf({ type: "message_delta", delta: delta, usage: usageObject(state) }), terminal: true },
        { ...frameOf({ type: "message_stop" }), terminal: true },
    ];
}
function usageObject(state) {
    const { report } = state.writer;
    if (state.usage !== undefined)
        return encodeUsage(state.usage.usage, report);
    lose(report, "usage.synthesized", undefined, "", { targetPath: "/usage", values: { to: protocol } });
    return { input_tokens: 0, output_tokens: 0 };
}
//# sourceMappingURL=encode.js.map