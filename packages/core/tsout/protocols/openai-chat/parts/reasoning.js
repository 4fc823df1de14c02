import { issuedBy } from "../../../codec/issuer.js";
import { keepOdd, keepUnknown, knownKeys } from "../../../codec/ledger.js";
import { isJsonObject } from "../../../ir/index.js";
import { acceptsState, lose } from "../../../loss/index.js";
const protocol = "openai-chat";
/** Behind the compatible API of Gemini, https://ai.google.dev/gemini-api/docs/openai; and as gateways put it. */
const extra = "extra_content";
const plain = "thought_signature";
const extraKeys = knownKeys("google");
const googleKeys = knownKeys(plain);
const none = { state: [], form: {} };
/**
 * The thought signatures of a message or call, which models of Gemini demand back. No protocol has a field for them. Keeps everything of the
 * object that is neither one of them nor one of the known keys.
 */
export function readSignatures(object, known, ledger, reader, prefix = "") {
    if (object[extra] === undefined && object[plain] === undefined) {
        keepUnknown(ledger, object, known, prefix);
        return none;
    }
    const outer = object[extra];
    const google = isJsonObject(outer) ? outer["google"] : undefined;
    const inner = isJsonObject(google) ? google[plain] : undefined;
    const hasExtra = isSignature(inner);
    const hasPlain = isSignature(object[plain]);
    const read = [...(hasExtra ? [extra] : []), ...(hasPlain ? [plain] : [])];
    keepUnknown(ledger, object, knownKeys(...Object.keys(known), ...read), prefix);
    if (hasExtra) {
        keepUnknown(ledger, outer, extraKeys, `${prefix}${extra}/`);
        keepUnknown(ledger, google, googleKeys, `${prefix}${extra}/google/`);
    }
    const issuer = issuedBy(reader.provider);
    return {
        state: [inner, object[plain]].filter(isSignature).map((value) => ({
            protocol,
            ...issuer,
            kind: "signature",
            value,
            bindsTo: "node",
            replay: "required",
        })),
        form: hasPlain && !hasExtra ? { signature: plain } : {},
    };
}
const isSignature = (value) => typeof value === "string" && value !== "";
/** Writes the signatures of a node where they stood. */
export function writeSignatures(object, node, writer) {
    node.state?.forEach((state, index) => {
        if (state.kind !== "signature" || !acceptsState(writer.target, state))
            return;
        if (signaturePointer(node, index) === plain)
            object[plain] = state.value;
        else
            object[extra] = { google: { [plain]: state.value } };
    });
}
/** Where a signature of a node stands in its message or call; `index` is its position in the state of the node. */
export function signaturePointer({ state, wire }, index) {
    const isFirst = state?.findIndex(({ kind }) => kind === "signature") === index;
    return isFirst && wire?.form?.["signature"] !== plain ? `${extra}/google/${plain}` : plain;
}
/** Reasoning as compatible servers give it: one of two text fields, and details that only their server understands. */
export function decodeReasoning(message, pointer, prefix, ledger, reader, signatures) {
    const { reasoning_content: first, reasoning: second, reasoning_details: details } = message;
    const isSigned = signatures.state.length > 0;
    if (first === undefined && second === undefined && details === undefined && !isSigned)
        return [];
    const isText = (value) => typeof value === "string" && value !== "";
    const field = isText(first) ? "reasoning_content" : isText(second) ? "reasoning" : undefined;
    for (const key of ["reasoning_content", "reasoning"]) {
        const value = message[key];
        if (!isText(value))
            keepOdd(ledger, key, value, prefix);
    }
    const hasDetails = Array.isArray(details) && details.length > 0;
    if (!hasDetails)
        keepOdd(ledger, "reasoning_details", details, prefix);
    if (field === undefined && !hasDetails && !isSigned)
        return [];
    const text = field === undefined ? "" : message[field];
    const other = field === "reasoning_content" && isText(second) ? second : undefined;
    const form = {
        ...(field !== undefined && { field }),
        ...(other !== undefined && other === text && { repeated: "reasoning" }),
        ...signatures.form,
    };
    const state = hasDetails
        ? [{ protocol, ...issuedBy(reader.provider), kind: "details", value: details }]
        : [];
    state.push(...signatures.state);
    const part = {
        type: "thinking",
        thinking: text,
        ...(state.length > 0 && { state }),
        wire: { protocol, form },
    };
    const place = field ?? (hasDetails ? "reasoning_details" : signaturePointer(part, 0));
    reader.trace.pointers.set(part, `${pointer}/${place}`);
    if (other === undefined || other === text)
        return [part];
    const another = { type: "thinking", thinking: other, wire: { protocol, form: { field: "reasoning" } } };
    reader.trace.pointers.set(another, `${pointer}/reasoning`);
    return [part, another];
}
/**
 * Reasoning goes back only in the field in which its server gave it, or that the profile names. Never as text of the answer.
 * `late` holds parts that stand behind such as the message has before them.
 */
export function encodeReasoning(thinking, late, object, writer) {
    const { reasoningField: named } = writer.target;
    const details = [];
    for (const part of thinking) {
        const own = part.wire?.protocol === protocol ? part.wire.form : undefined;
        if (named === "none" && reportState(part, writer) && part.thinking === "")
            continue;
        const field = named ?? own?.["field"] ?? (own !== undefined && part.thinking !== "" ? "reasoning" : undefined);
        if (named === "none" || (field === undefined && !(own !== undefined && part.thinking === ""))) {
            lose(writer.report, "reasoning.foreign", part, "", {
                values: { from: part.state?.[0]?.protocol ?? part.wire?.protocol ?? "another model" },
            });
            if (own?.["repeated"] !== undefined)
                lose(writer.report, "field.repeated", part, "repeated");
            continue;
        }
        if (late?.has(part) === true)
            lose(writer.report, "turn.order", part, "type");
        if (typeof field === "string" && part.thinking !== "") {
            const before = object[field];
            object[field] = typeof before === "string" ? `${before}\n\n${part.thinking}` : part.thinking;
            if (typeof before === "string")
                lose(writer.report, "text.joined", part, "type");
            if (own?.["repeated"] === "reasoning") {
                if (field === "reasoning_content")
                    object["reasoning"] = part.thinking;
                else
                    lose(writer.report, "field.repeated", part, "repeated");
            }
        }
        writeSignatures(object, part, writer);
        const value = part.state?.find((state) => state.kind === "details" && acceptsState(writer.target, state))?.value;
        if (value !== undefined)
            details.push(value);
    }
    if (details.length > 0)
        object["reasoning_details"] = details.length === 1 ? details[0] : details.flat();
}
/** Tells what a target that takes no reasoning does not get of its own; true where that is something. */
function reportState(part, writer) {
    let any = false;
    part.state?.forEach((state, index) => {
        if (!acceptsState(writer.target, state) || (state.kind !== "details" && state.kind !== "signature"))
            return;
        lose(writer.report, "state.foreign", part, `state:${index}`, { values: { kind: state.kind, from: protocol } });
        any = true;
    });
    return any;
}
//# sourceMappingURL=reasoning.js.map