import { escapeSegment, visitMessage, visitNodes } from "../ir/index.js";
/** The way of every node from source over IR to target. `encode` writes the target again, and tells what became what. */
export function traceNodes(value, decoded, encode) {
    const links = new Map();
    const body = encode((node, wire) => links.set(node, wire));
    const places = pointersOf(body);
    const entries = [];
    const note = (node, irPath) => {
        const source = decoded.pointers.get(node);
        const wire = links.get(node);
        const target = wire === undefined ? undefined : places.get(wire);
        if (source !== undefined || target !== undefined) {
            entries.push({ irPath, ...(source !== undefined && { source }), ...(target !== undefined && { target }) });
        }
    };
    if ("messages" in value)
        visitNodes(value, note);
    else
        visitMessage(value, "", note);
    return entries;
}
/** The place of every object and list of a body. */
export function pointersOf(root) {
    const places = new Map();
    const visit = (value, pointer) => {
        if (typeof value !== "object" || value === null || places.has(value))
            return;
        places.set(value, pointer);
        for (const [key, item] of Object.entries(value))
            visit(item, `${pointer}/${escapeSegment(key)}`);
    };
    visit(root, "");
    return places;
}
//# sourceMappingURL=trace.js.map