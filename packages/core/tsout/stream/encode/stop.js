import { lose } from "../../loss/index.js";
import { eventPointer } from "../events.js";
/** Takes the reason to end; one that came before is replaced, which is reported. */
export function replaceStop(before, stop, report) {
    if (before !== undefined && before.rawStopReason !== stop.rawStopReason)
        lose(report, "stop.repeated", before, "stopReason");
    return stop;
}
/** The loss of a reason that the service did not give. */
export function inferredStop(stop, api) {
    const field = api === "openai-chat" ? "finish_reason" : "stop_reason";
    return { code: "stop.inferred", stage: "decode", path: eventPointer(stop, field), values: { sent: stop.stopReason } };
}
/** Reports a reason that the target has no word for. */
export function reportStop(stop, sent, report, api) {
    if (stop.inferred === true)
        report.drafts.push(inferredStop(stop, api));
    if (sent.exact)
        return;
    const code = stop.stopDetail === "unknown"
        ? "stop.unknown"
        : stop.stopReason === "error" && stop.stopDetail === undefined
            ? "response.error"
            : "stop.approximated";
    lose(report, code, stop, "stopReason", { values: { raw: stop.rawStopReason ?? "", sent: String(sent.raw) } });
}
const call = { type: "toolCall", kind: "function", id: "", name: "", argumentsText: "" };
const refusal = { type: "refusal", text: "" };
/** The stop as the fields of a message, for the tables of stop reasons; the content is what such a reason comes with. */
export function stopFields(stop, api) {
    const content = stop.stopReason === "toolUse" ? [call] : stop.stopDetail === "refusal" ? [refusal] : [];
    return {
        role: "assistant",
        content,
        ...(api !== undefined && { api }),
        stopReason: stop.stopReason,
        ...(stop.stopDetail !== undefined && { stopDetail: stop.stopDetail }),
        ...(stop.rawStopReason !== undefined && { rawStopReason: stop.rawStopReason }),
    };
}
/** Reports what only its own protocol knows, or what comes too late. */
export function loseRaw(event, report) {
    if (event.type === "raw" && event.value !== undefined)
        lose(report, "stream.raw", event, "", { path: eventPointer(event), values: { from: event.protocol } });
}
/** Reports an event of a further candidate, which the target does not have. */
export function loseAlternative(event, report) {
    // What ends a part has no place of its own; the part itself was reported.
    if (event.path === "")
        return;
    const [, list, position] = event.path.split("/");
    const path = list === undefined || position === undefined ? eventPointer(event) : `/events/${event.at}/${list}/${position}`;
    lose(report, "response.alternatives", event, "", { path });
}
//# sourceMappingURL=stop.js.map