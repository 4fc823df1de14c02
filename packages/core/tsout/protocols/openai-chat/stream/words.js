import { jsonEqual } from "../../../ir/index.js";
import { createReport } from "../../../loss/index.js";
import { stopFields } from "../../../stream/encode/stop.js";
import { encodeStop } from "../stop-reason.js";
import { decodeUsage, encodeUsage } from "../usage.js";
const protocol = "openai-chat";
const none = [];
/** What an event says at its place in a chunk. */
export const eventWords = (event) => {
    switch (event.type) {
        case "text_delta":
        case "thinking_delta":
        case "toolcall_delta":
            return [[event.path, event.text]];
        case "part_start":
            return event.part.type === "toolCall" ? callWords(event.part, event.path) : none;
        case "state":
            return event.state.protocol === protocol ? [[event.path, event.state.value]] : none;
        case "usage":
            return usageWords(event);
        case "stop":
            return event.rawStopReason === undefined
                ? none
                : [[`${event.path}/finish_reason`, encodeStop(stopFields(event, protocol)).raw]];
        default:
            return none;
    }
};
function callWords(part, path) {
    if (part.wire?.form?.["function_call"] === true)
        return [[`${path}/name`, part.name]];
    const own = part.state?.find((item) => item.kind === "callId" && item.protocol === protocol)?.value;
    return [
        [`${path}/${part.kind === "custom" ? "custom" : "function"}/name`, part.name],
        [`${path}/id`, own ?? part.id],
    ];
}
/** The frame's own object while nobody changed the counts. */
function usageWords(event) {
    const { usage } = event;
    if (usage.raw !== undefined && jsonEqual(decodeUsage(usage.raw), usage))
        return none;
    return [[event.path, encodeUsage(usage, createReport())]];
}
//# sourceMappingURL=words.js.map