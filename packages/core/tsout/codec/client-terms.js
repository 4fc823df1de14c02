/** Brings the names of a response back to those that the client sent: renamed tools, and custom tools that went as functions. */
export function restoreClientTerms(message, exchange, trace) {
    if (exchange === undefined || (exchange.toolNames === undefined && exchange.customTools === undefined))
        return message;
    let changed = false;
    const content = message.content.map((part) => {
        const restored = part.type === "toolCall" ? restoreCall(part, exchange) : part;
        if (restored !== part) {
            changed = true;
            const pointer = trace.pointers.get(part);
            if (pointer !== undefined)
                trace.pointers.set(restored, pointer);
        }
        return restored;
    });
    const alternatives = message.alternatives?.map((alternative) => restoreClientTerms(alternative, exchange, trace));
    if (!changed && alternatives === undefined)
        return message;
    const restored = { ...message, content, ...(alternatives !== undefined && { alternatives }) };
    const pointer = trace.pointers.get(message);
    if (pointer !== undefined)
        trace.pointers.set(restored, pointer);
    return restored;
}
function restoreCall(call, exchange) {
    const names = exchange.toolNames;
    const name = names !== undefined && Object.hasOwn(names, call.name) ? names[call.name] : call.name;
    if (exchange.customTools?.includes(name) === true && call.kind === "function") {
        const { arguments: input, ...rest } = call;
        const text = freeText(input, call.argumentsText);
        if (text !== undefined)
            return { ...rest, name, kind: "custom", argumentsText: text };
    }
    return name === call.name ? call : { ...call, name };
}
/** The free text of a custom tool that was sent as a function with one argument `input`. */
export function freeText(input, text) {
    let value = input;
    if (value === undefined && text !== undefined) {
        try {
            value = JSON.parse(text);
        }
        catch {
            return undefined;
        }
    }
    if (typeof value !== "object" || value === null)
        return undefined;
    const free = value.input;
    return typeof free === "string" && Object.keys(value).length === 1 ? free : undefined;
}
//# sourceMappingURL=client-terms.js.map