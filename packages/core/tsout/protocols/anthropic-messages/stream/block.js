import { readArguments } from "../../../ir/index.js";
import { lose } from "../../../loss/index.js";
import { eventPointer } from "../../../stream/events.js";
import { encodeBlock } from "../parts/block.js";
import { rawArgumentsKey } from "../parts/calls.js";
const protocol = "anthropic-messages";
/** A frame under the name that the official client looks for. */
export function frameOf(value) {
    return { event: value["type"], data: JSON.stringify(value) };
}
export function createBlock(event, _writer) {
    return {
        part: event.part,
        index: -1,
        started: false,
        ended: false,
        isWritten: true,
        waiting: [],
        pieces: [],
        marked: undefined,
        lastPlace: eventPointer(event),
        signed: false,
    };
}
export function startBlock(block, index, writer) {
    block.started = true;
    const content = skeleton(block, writer);
    if (content === undefined) {
        block.isWritten = false;
        return [];
    }
    block.index = index;
    return [frameOf({ type: "content_block_start", index, content_block: content })];
}
function skeleton(block, writer) {
    const { part } = block;
    switch (part.type) {
        case "text": {
            if (part.phase !== undefined)
                lose(writer.report, "text.phase", part, "phase");
            return { type: "text", text: part.text };
        }
        case "thinking":
            return thinkingSkeleton(block, writer);
        case "toolCall": {
            const { argumentsText: _text, arguments: _object, ...others } = part;
            const copy = { ...others, arguments: {} };
            if (part.kind === "custom")
                lose(writer.report, "tool.custom", part, "type");
            const content = {
                ...encodeBlock({ ...copy, kind: "function" }, writer),
                input: {},
            };
            return content;
        }
        default:
            return encodeBlock(part, writer);
    }
}
/** Reasoning of another model is shown with an empty signature: the client sees it, and nobody can send it back. */
function thinkingSkeleton(block, writer) {
    const { part } = block;
    if (part.type !== "thinking")
        return undefined;
    if (part.state !== undefined)
        return encodeBlock(part, writer);
    return { type: "thinking", thinking: part.thinking, signature: "" };
}
/** The frames for one event of an open block. */
export function writeDelta(event, block, writer) {
    if (!block.isWritten) {
        reportLost(event, block, writer);
        return [];
    }
    switch (event.type) {
        case "text_delta":
            return block.part.type === "text" ? [textDelta(block, "text_delta", "text", event.text)] : [];
        case "thinking_delta":
            return block.part.type === "thinking" ? [textDelta(block, "thinking_delta", "thinking", event.text)] : [];
        case "toolcall_delta":
            return writeArguments(event, block);
        case "citation": {
            const text = { type: "text", text: " ", citations: [event.citation] };
            const citations = encodeBlock(text, writer)?.["citations"];
            const citation = Array.isArray(citations) ? citations[0] : undefined;
            return citation === undefined ? [] : [delta(block, { type: "citations_delta", citation })];
        }
        case "state": {
            if (event.state.protocol !== protocol || event.state.kind !== "signature")
                return [];
            block.signed = true;
            return [delta(block, { type: "signature_delta", signature: event.state.value })];
        }
        case "raw":
            return event.protocol === protocol && event.value !== undefined ? [delta(block, event.value)] : [];
        default:
            return [];
    }
}
function reportLost(event, block, writer) {
    if (event.type !== "toolcall_delta" || block.part.type !== "serverToolCall")
        return;
    lose(writer.report, "server_tool.record", event, "", {
        path: eventPointer(event),
        values: { from: block.part.wire?.protocol ?? "another service" },
    });
}
function delta(block, value) {
    return frameOf({ type: "content_block_delta", index: block.index, delta: value });
}
/** Most frames of a stream are these, so their JSON is not built anew each time. */
function textDelta(block, type, key, text) {
    const data = `{"type":"content_block_delta","index":${block.index},"delta":{"type":"${type}","${key}":${JSON.stringify(text)}}}`;
    return { event: "content_block_delta", data };
}
function jsonPiece(block, text) {
    return textDelta(block, "input_json_delta", "partial_json", text);
}
/** Argument text goes as it is. The free text of a custom call becomes the string `input`, piece by piece. */
function writeArguments(event, block) {
    const { part } = block;
    if (part.type === "serverToolCall")
        return [jsonPiece(block, event.text)];
    if (part.type !== "toolCall")
        return [];
    if (event.text !== "")
        block.lastPlace = eventPointer(event);
    if (part.kind === "custom") {
        const head = block.pieces.length === 0 ? '{"input":"' : "";
        block.pieces.push("");
        return [jsonPiece(block, head + JSON.stringify(event.text).slice(1, -1))];
    }
    block.pieces.push(event.text);
    if (block.marked === undefined) {
        const begun = block.pieces.length === 1 ? event.text.trimStart() : block.pieces.join("").trimStart();
        if (begun !== "")
            block.marked = !begun.startsWith("{");
    }
    return block.marked === true ? [] : [jsonPiece(block, event.text)];
}
export function endBlock(block, writer) {
    if (!block.isWritten)
        return [];
    const frames = [];
    const { part } = block;
    if (part.type === "toolCall")
        frames.push(...endArguments(part, block, writer));
    if (part.type === "thinking" && !block.signed && part.state === undefined)
        lose(writer.report, "reasoning.signature", undefined, "", {
            targetPath: "/content_block/signature",
            values: { to: protocol },
        });
    frames.push(frameOf({ type: "content_block_stop", index: block.index }));
    return frames;
}
/** Arguments that are no JSON object are reported, and never repaired. */
function endArguments(part, block, writer) {
    if (part.kind === "custom")
        return [jsonPiece(block, block.pieces.length === 0 ? '{"input":""}' : '"}')];
    const text = block.pieces.join("");
    if (!("error" in readArguments(text)))
        return [];
    lose(writer.report, "tool_call.arguments", part, "arguments", { path: block.lastPlace });
    return block.marked === true ? [jsonPiece(block, JSON.stringify({ [rawArgumentsKey]: text }))] : [];
}
//# sourceMappingURL=block.js.map