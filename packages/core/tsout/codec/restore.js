import { isJsonObject, pointerSegments, setOwn } from "../ir/index.js";
/**
 * Writes a node's residue back into its wire object: `rest` at its pointers, the nulls and empty containers of `form`, each only where nothing was
 * written. Residue of another protocol is not touched (the sweep reports it). `except` stays away.
 */
export function restore(target, wire, protocol, except = []) {
    if (wire === undefined || wire.protocol !== protocol)
        return;
    restoreParts(target, wire.rest, wire.form, except);
}
/** The same for the residue of the container that a node opens. */
export function restoreGroup(target, wire, protocol) {
    if (wire === undefined || wire.protocol !== protocol || wire.group === undefined)
        return;
    restoreParts(target, wire.group.rest, wire.group.form);
}
function restoreParts(target, rest, form, except = []) {
    if (rest !== undefined)
        for (const pointer in rest)
            if (!except.includes(pointer))
                restoreAt(target, pointer, rest[pointer]);
    if (form !== undefined)
        for (const pointer in form)
            if (isAbsence(form[pointer]))
                restoreAt(target, pointer, form[pointer]);
}
/** Null, an empty text and empty containers, which in a form stand for themselves. */
function isAbsence(value) {
    return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}
function restoreAt(target, pointer, value) {
    if (!pointer.includes("/") && !pointer.includes("~")) {
        if (!Object.hasOwn(target, pointer))
            setOwn(target, pointer, value);
        return;
    }
    const segments = pointerSegments(pointer);
    const last = segments.pop();
    let node = target;
    for (const segment of segments) {
        let next = Object.hasOwn(node, segment) ? node[segment] : undefined;
        if (next === undefined) {
            next = {};
            setOwn(node, segment, next);
        }
        if (!isJsonObject(next) && !Array.isArray(next))
            return;
        node = next;
    }
    if (!Object.hasOwn(node, last))
        setOwn(node, last, value);
}
/** True where a node's own protocol stated something else at a place that its encoder fills by itself: null, or a value of the wrong type. */
export function isStated(wire, protocol, pointer) {
    if (wire === undefined || wire.protocol !== protocol)
        return false;
    if (wire.rest !== undefined && Object.hasOwn(wire.rest, pointer))
        return true;
    return wire.form !== undefined && Object.hasOwn(wire.form, pointer) && isAbsence(wire.form[pointer]);
}
/** The spelling that a node's own protocol used, or undefined. */
export function formOf(wire, protocol, key) {
    return wire !== undefined && wire.protocol === protocol && wire.form !== undefined ? wire.form[key] : undefined;
}
//# sourceMappingURL=restore.js.map