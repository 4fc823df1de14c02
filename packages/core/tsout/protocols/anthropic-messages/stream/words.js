import { jsonEqual } from "../../../ir/index.js";
import { createReport } from "../../../loss/index.js";
import { stopFields } from "../../../stream/encode/stop.js";
import { encodeStop } from "../stop-reason.js";
import { decodeUsage, encodeUsage } from "../usage.js";
const protocol = "anthropic-messages";
const none = [];
/** What an event says at its place in a frame. */
export const eventWords = (event) => {
    switch (event.type) {
        case "text_delta":
        case "thinking_delta":
        case "toolcall_delta":
            return [[event.path, event.text]];
        case "part_start":
            return startWords(event.part, event.path);
        case "state":
            return event.state.protocol === protocol ? [[event.path, event.state.value]] : none;
        case "usage":
            return usageWords(event);
        case "stop":
            return stopWords(event);
        default:
            return none;
    }
};
function startWords(part, path) {
    if (part.type === "serverToolCall")
        return [[`${path}/name`, part.name]];
    if (part.type !== "toolCall")
        return none;
    const own = part.state?.find((item) => item.kind === "callId" && item.protocol === protocol)?.value;
    return [
        [`${path}/name`, part.name],
        [`${path}/id`, own ?? part.id],
        // Arguments come as deltas; an official client ignores those of the start.
        [`${path}/input`, part.arguments ?? {}],
    ];
}
/** The frame's own object while nobody changed the counts. */
function usageWords(event) {
    const { usage } = event;
    if (usage.raw !== undefined && jsonEqual(decodeUsage(usage.raw), usage))
        return none;
    return [[event.path, encodeUsage(usage, createReport())]];
}
function stopWords(event) {
    const { raw } = encodeStop(stopFields(event, protocol));
    const reason = [`${event.path}/stop_reason`, raw];
    return event.stopSequence === undefined ? [reason] : [reason, [`${event.path}/stop_sequence`, event.stopSequence]];
}
//# sourceMappingURL=words.js.map