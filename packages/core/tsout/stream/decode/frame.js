import { createLedger, keep, plainWire } from "../../codec/ledger.js";
import { escapeSegment } from "../../ir/index.js";
export function openFrame(protocol, at, value) {
    return { at, value, ledger: createLedger(protocol, "form"), events: [], repeated: undefined, absent: undefined };
}
/** Notes a field that says again what an earlier one said. */
export function noteRepeated(frame, pointer) {
    frame.repeated ??= [];
    frame.repeated.push(pointer);
}
/** Notes a field that the other frames of the stream state and this one leaves out. */
export function noteAbsent(frame, pointer) {
    frame.absent ??= [];
    frame.absent.push(pointer);
}
export function addEvent(frame, event, choice = 0) {
    const placed = event;
    placed.at = frame.at;
    if (choice !== 0)
        placed.choice = choice;
    frame.events.push(event);
}
/** Null, an empty text and empty containers mean absence in a frame. */
export function isEmptyValue(value) {
    return (value === undefined ||
        value === null ||
        value === "" ||
        (typeof value === "object" && (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0)));
}
/** Keeps what is not known and says something. */
export function keepResidue(frame, source, known, prefix = "") {
    for (const key in source) {
        if (known[key] === undefined && !isEmptyValue(source[key]))
            keep(frame.ledger, prefix + escapeSegment(key), source[key]);
    }
}
/** Keeps a value of a known key that is not of its documented form. */
export function keepUnread(frame, pointer, value) {
    if (!isEmptyValue(value))
        keep(frame.ledger, pointer, value);
}
/** A frame that comes when the stream has ended: it says nothing any more, and it is not forgotten. */
export function afterEnd(protocol, at, value, name) {
    if (value === undefined)
        return [];
    const frame = openFrame(protocol, at, value);
    addEvent(frame, { type: "raw", protocol, path: "", value });
    return closeFrame(frame, protocol, name);
}
/** The events of a frame, the first with what the frame holds beside them. Without any there is one that only carries the frame. */
export function closeFrame(frame, protocol, name) {
    const { events, ledger, repeated, value } = frame;
    if (events.length === 0)
        addEvent(frame, { type: "raw", protocol, path: "" });
    const form = { frame: value, events: events.length };
    if (name !== undefined)
        form["event"] = name;
    if (repeated !== undefined)
        form["repeated"] = repeated;
    if (frame.absent !== undefined)
        form["absent"] = frame.absent;
    const wire = ledger.rest === undefined ? { protocol, form } : { protocol, rest: ledger.rest, form };
    const joined = plainWire(protocol, true);
    for (let index = 0; index < events.length; index++)
        events[index].wire = index === 0 ? wire : joined;
    return events;
}
//# sourceMappingURL=frame.js.map