import { issuedBy } from "../../../codec/issuer.js";
import { createLedger, keepOdd, keepUnknown, readString, wireField, wireOf } from "../../../codec/ledger.js";
import { restore } from "../../../codec/restore.js";
import { acceptsState, lose } from "../../../loss/index.js";
import { redactedThinkingKeys, thinkingKeys } from "../wire.js";
const protocol = "anthropic-messages";
export function readThinking(block, reader) {
    const { thinking, signature } = block;
    if (typeof thinking !== "string")
        return undefined;
    const ledger = createLedger(protocol, reader.nulls);
    keepUnknown(ledger, block, thinkingKeys);
    if (signature === "")
        keepOdd(ledger, "signature", signature);
    else
        readString(ledger, block, "signature");
    const wire = wireOf(ledger);
    const part = { type: "thinking", thinking };
    if (typeof signature === "string" && signature !== "") {
        const state = {
            protocol,
            kind: "signature",
            value: signature,
            bindsTo: "prefix",
            replay: "required",
        };
        if (reader.provider !== undefined)
            state.provider = reader.provider;
        part.state = [state];
    }
    if (wire !== undefined)
        part.wire = wire;
    return part;
}
export function readRedactedThinking(block, reader) {
    const { data } = block;
    if (typeof data !== "string")
        return undefined;
    const ledger = createLedger(protocol);
    keepUnknown(ledger, block, redactedThinkingKeys);
    const state = [
        { protocol, ...issuedBy(reader.provider), kind: "encrypted", value: data, bindsTo: "prefix", replay: "required" },
    ];
    return { type: "thinking", thinking: "", redacted: true, state, ...wireField(ledger) };
}
export function writeThinking(part, writer) {
    const state = part.state?.find((item) => acceptsState(writer.target, item) && (item.kind === "signature" || item.kind === "encrypted"));
    if (state?.kind === "encrypted") {
        if (part.thinking !== "")
            lose(writer.report, "reasoning.unsigned", part, "thinking", { values: { to: protocol } });
        const object = { type: "redacted_thinking", data: state.value };
        restore(object, part.wire, protocol);
        return object;
    }
    const unsigned = state === undefined;
    const own = part.wire?.protocol === protocol || (writer.faithful && part.state === undefined);
    if (unsigned && !own && writer.response && part.thinking !== "") {
        // A client may show it; without a signature no service takes it back.
        const object = { type: "thinking", thinking: part.thinking, signature: "" };
        lose(writer.report, "reasoning.signature", undefined, "", {
            made: { object, field: "signature" },
            values: { to: protocol },
        });
        return object;
    }
    if (unsigned && !own) {
        lose(writer.report, "reasoning.foreign", part, "", {
            values: { from: part.state?.[0]?.protocol ?? part.wire?.protocol ?? "another model" },
        });
        return undefined;
    }
    if (unsigned && part.thinking === "" && !writer.response) {
        // The API refuses an empty block without a signature, and it says nothing.
        lose(writer.report, "reasoning.unsigned", part, "", { values: { to: protocol } });
        return undefined;
    }
    const object = { type: "thinking", thinking: part.thinking };
    if (state !== undefined)
        object["signature"] = state.value;
    restore(object, part.wire, protocol);
    if (part.wire?.protocol === protocol && part.wire.form?.["signature"] === "")
        object["signature"] = "";
    return object;
}
//# sourceMappingURL=reasoning.js.map