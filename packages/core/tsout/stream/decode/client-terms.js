import { freeText } from "../../codec/client-terms.js";
/** Brings the names of a stream back to those that the client sent: renamed tools, and custom tools that went as functions. */
export function createTermRestorer(exchange) {
    const names = exchange?.toolNames;
    const custom = exchange?.customTools;
    if (names === undefined && custom === undefined)
        return (events) => events;
    /** Calls of custom tools, held until their arguments are whole. */
    const held = new Map();
    const keyOf = (event) => `${event.choice ?? 0}/${event.index}`;
    const restore = (event) => {
        if (event.type === "part_start" && event.part.type === "toolCall") {
            const start = renamed(event, event.part, names);
            const part = start.part;
            if (part.kind !== "function" || custom?.includes(part.name) !== true)
                return [start];
            held.set(keyOf(start), { start, deltas: [] });
            return [];
        }
        if (event.type === "toolcall_delta") {
            const call = held.get(keyOf(event));
            if (call === undefined)
                return [event];
            call.deltas.push(event);
            return [];
        }
        if (event.type === "part_end") {
            const call = held.get(keyOf(event));
            if (call === undefined)
                return [event];
            held.delete(keyOf(event));
            return [...released(call), event];
        }
        return [event];
    };
    return (events) => events.flatMap(restore);
}
function renamed(event, part, names) {
    const name = names !== undefined && Object.hasOwn(names, part.name) ? names[part.name] : undefined;
    return name === undefined ? event : { ...event, part: { ...part, name } };
}
/** A custom call with its free text in one piece; a call whose arguments hold anything else stays a function call. */
function released(call) {
    const { start, deltas } = call;
    const part = start.part;
    const text = freeText(undefined, deltas.map((delta) => delta.text).join(""));
    const last = deltas.at(-1);
    if (text === undefined || last === undefined)
        return [start, ...deltas];
    const { arguments: _object, ...others } = part;
    return [
        { ...start, part: { ...others, kind: "custom", argumentsText: "" } },
        ...deltas.map((delta) => ({ ...delta, text: delta === last ? text : "" })),
    ];
}
//# sourceMappingURL=client-terms.js.map