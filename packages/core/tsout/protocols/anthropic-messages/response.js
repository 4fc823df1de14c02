import { restoreClientTerms } from "../../codec/client-terms.js";
import { createCallIds } from "../../codec/identity/call-ids.js";
import { identifierRule } from "../../codec/identity/identifiers.js";
import { createNames } from "../../codec/identity/names.js";
import { createLedger, expectArray, expectObject, keepOdd, keepUnknown, plainWire, readString, spell, wireOf, } from "../../codec/ledger.js";
import { unstatedProfile } from "../../codec/profile.js";
import { formOf, isStated, restore } from "../../codec/restore.js";
import { isUnreported } from "../../codec/usage.js";
import { isJsonObject, isToolCall } from "../../ir/index.js";
import { createReport, createTrace, lose, sweepForeign } from "../../loss/index.js";
import { fieldPointer } from "./fields.js";
import { decodeBlocks, encodeBlock } from "./parts/block.js";
import { resolveProfile } from "./profile.js";
import { decodeStop, encodeStop } from "./stop-reason.js";
import { decodeUsage, encodeUsage } from "./usage.js";
import { responseKeys, stopDetailsKeys } from "./wire.js";
const protocol = "anthropic-messages";
/** Keys that every response has; those that one lacks are noted. */
const always = ["id", "type", "role", "model", "stop_reason", "stop_sequence", "usage"];
export function decodeResponse(wire, exchange) {
    const body = expectObject(wire, "", "a Messages response");
    const trace = createTrace(fieldPointer);
    const reader = {
        trace,
        provider: exchange?.provider,
        losses: [],
        callIds: createCallIds(protocol),
        nulls: "form",
    };
    const ledger = createLedger(protocol, "form");
    keepUnknown(ledger, body, responseKeys);
    const omitted = always.filter((key) => body[key] === undefined);
    if (omitted.length > 0)
        spell(ledger, "omitted", omitted);
    for (const [key, constant] of [
        ["type", "message"],
        ["role", "assistant"],
    ]) {
        if (body[key] !== undefined && body[key] !== constant)
            keepOdd(ledger, key, body[key]);
    }
    const content = decodeBlocks(expectArray(body["content"], "/content", "content"), "/content", reader);
    const id = readString(ledger, body, "id");
    const model = readString(ledger, body, "model");
    const raw = readString(ledger, body, "stop_reason");
    const stopSequence = readString(ledger, body, "stop_sequence");
    const refusal = decodeStopDetails(body["stop_details"], ledger);
    if (refusal !== undefined) {
        trace.pointers.set(refusal, "/stop_details");
        content.push(refusal);
    }
    const usage = decodeUsage(body["usage"]);
    if (!isJsonObject(body["usage"]))
        keepOdd(ledger, "usage", body["usage"]);
    trace.pointers.set(usage, "/usage");
    const value = {
        role: "assistant",
        content,
        api: protocol,
        provider: exchange?.provider ?? "unknown",
        model: exchange?.model ?? model ?? "unknown",
        ...(model !== undefined && { responseModel: model }),
        ...(id !== undefined && { responseId: id }),
        usage,
        ...decodeStop(raw, content.some(isToolCall)),
        ...(raw !== undefined && { rawStopReason: raw }),
        ...(stopSequence !== undefined && { stopSequence }),
        timestamp: 0,
        wire: wireOf(ledger) ?? plainWire(protocol),
    };
    trace.pointers.set(value, "");
    return { value: restoreClientTerms(value, exchange, trace), losses: reader.losses, trace };
}
/** What the API says about a refusal: its explanation is the refusal's text. */
export function decodeStopDetails(value, ledger) {
    if (!isJsonObject(value) || value["type"] !== "refusal")
        return keepOdd(ledger, "stop_details", value);
    const { explanation, category } = value;
    if (typeof explanation !== "string" && typeof category !== "string")
        return keepOdd(ledger, "stop_details", value);
    const own = createLedger(protocol, "form");
    keepUnknown(own, value, stopDetailsKeys);
    readString(own, value, "explanation");
    if (explanation === undefined)
        spell(own, "explanation", "omitted");
    readString(own, value, "category");
    return {
        type: "refusal",
        text: typeof explanation === "string" ? explanation : "",
        ...(typeof category === "string" && { category }),
        wire: wireOf(own) ?? plainWire(protocol),
    };
}
export function encodeResponse(message, _exchange, options = {}) {
    const report = createReport();
    const faithful = message.api === protocol;
    const target = resolveProfile(options.profile ?? unstatedProfile);
    sweepForeign(message, target, report);
    const writer = {
        target,
        faithful,
        response: true,
        report,
        names: responseNames(report),
        customTools: new Set(),
        marked: [],
        link: options.link,
    };
    const refusals = message.content.filter((part) => part.type === "refusal");
    const blocks = message.content
        .filter((part) => part.type !== "refusal")
        .map((part) => encodeBlock(part, writer))
        .filter((block) => block !== undefined);
    const stop = encodeStop(message);
    if (!stop.exact) {
        const code = message.stopDetail === "unknown"
            ? "stop.unknown"
            : message.stopReason === "error" && message.stopDetail === undefined
                ? "response.error"
                : "stop.approximated";
        lose(report, code, message, "stopReason", { values: { raw: message.rawStopReason ?? "", sent: String(stop.raw) } });
    }
    const body = {
        id: message.responseId ?? "msg_unknown",
        type: "message",
        role: "assistant",
        model: message.responseModel ?? (message.wire === undefined ? message.model : "unknown"),
        content: blocks,
        stop_reason: stop.raw,
        stop_sequence: message.stopSequence ?? null,
    };
    writeRefusal(body, refusals, writer);
    writeUsage(body, message, report);
    if (message.timestamp !== 0)
        lose(report, "response.time", message, "timestamp");
    for (const alternative of message.alternatives ?? [])
        lose(report, "response.alternatives", alternative);
    clearFilled(body, message, stop.raw);
    restore(body, message.wire, protocol);
    options.link?.(message, body);
    return { value: body, losses: report.drafts };
}
/** Takes back what the encoder filled in by itself, where the source left the field out or stated something else. */
function clearFilled(body, message, stop) {
    const { responseId, responseModel, stopSequence, usage, wire } = message;
    const filled = {
        id: responseId === undefined,
        type: true,
        role: true,
        model: responseModel === undefined,
        stop_reason: stop === null,
        stop_sequence: stopSequence === undefined,
        usage: isUnreported(usage),
    };
    const omitted = formOf(wire, protocol, "omitted");
    for (const key of always) {
        const isAbsent = Array.isArray(omitted) && omitted.includes(key);
        if (filled[key] && (isAbsent || isStated(wire, protocol, key)))
            delete body[key];
    }
}
/** The client gets names and ids as they are: its own, or the server's. */
function responseNames(report) {
    return createNames(protocol, identifierRule(128, true, undefined), identifierRule(64, true, undefined), report);
}
function writeRefusal(body, refusals, writer) {
    const first = refusals[0];
    if (first === undefined)
        return;
    const own = first.wire?.protocol === protocol;
    const explanation = refusals.map((part) => part.text).join("");
    const details = { type: "refusal" };
    const isFilled = explanation === "" &&
        (formOf(first.wire, protocol, "explanation") === "omitted" || isStated(first.wire, protocol, "explanation"));
    if (!isFilled)
        details["explanation"] = explanation;
    if (first.category !== undefined)
        details["category"] = first.category;
    else if (!own)
        details["category"] = null;
    restore(details, first.wire, protocol);
    if (!own)
        for (const part of refusals)
            lose(writer.report, "refusal.text", part, "", { values: { sent: "stop_details.explanation" } });
    body["stop_details"] = details;
    writer.link?.(first, details);
}
function writeUsage(body, message, report) {
    if (isUnreported(message.usage) && message.api !== protocol) {
        lose(report, "usage.synthesized", undefined, "", { targetPath: "/usage", values: { to: protocol } });
    }
    body["usage"] = isUnreported(message.usage)
        ? { input_tokens: 0, output_tokens: 0 }
        : encodeUsage(message.usage, report);
}
//# sourceMappingURL=response.js.map