import { isJsonObject } from "../../../ir/index.js";
import { encodeResponse } from "../response.js";
/** The whole stream that gives a message. */
export function encodeStream(message, exchange, options) {
    const { value, losses } = encodeResponse(message, exchange, options);
    const { choices, usage, ...head } = value;
    const frame = (fields) => ({
        data: JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields }),
    });
    const frames = objectsIn(choices).flatMap((choice) => chunksOf(choice).map((chunk) => frame({ choices: [chunk] })));
    const isAsked = exchange === undefined || exchange.includeUsage === true;
    const unasked = { code: "usage.not_requested", stage: "encode", node: message.usage };
    return {
        value: [
            ...frames,
            ...(isAsked && usage !== undefined ? [frame({ choices: [], usage })] : []),
            { data: "[DONE]", terminal: true },
        ],
        losses: isAsked || usage === undefined ? losses : [...losses, unasked],
    };
}
const objectsIn = (value) => (Array.isArray(value) ? value.filter(isJsonObject) : []);
/** Clients show what comes as it comes: reasoning is before the answer, and what belongs to a text behind it. */
const rankOf = (field) => (field.startsWith("reasoning") ? 0 : field === "content" ? 1 : 2);
/** The chunks of one candidate: its head, one for each thing that it says, and its end. */
function chunksOf({ message, finish_reason, logprobs = null, ...others }) {
    const { role = "assistant", tool_calls: calls, ...fields } = isJsonObject(message) ? message : {};
    const said = Object.entries(fields).filter(([, value]) => value !== null);
    const deltas = [
        ...said.sort(([left], [right]) => rankOf(left) - rankOf(right)).map(([key, value]) => ({ [key]: value })),
        ...objectsIn(calls).map((call, index) => ({ tool_calls: [{ index, ...call }] })),
    ];
    const open = { ...others, finish_reason: null };
    return [
        { ...open, delta: { role, content: typeof fields["content"] === "string" ? "" : null }, logprobs },
        ...deltas.map((delta) => ({ ...open, delta, logprobs: null })),
        { ...others, delta: {}, logprobs: null, finish_reason: finish_reason ?? "stop" },
    ];
}
//# sourceMappingURL=whole.js.map