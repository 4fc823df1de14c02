import { hashName } from "./hash.js";
export function createCallIds(protocol) {
    return { protocol, latest: new Map(), derived: new Set(), calls: 0, turn: 0 };
}
/** Begins a turn of the model: a result answers calls of the latest turn that has its id. */
export function startTurn(ids) {
    ids.turn++;
}
/** The id of a call: the wire's own where it is new, else one derived from the call's place; then the wire's is kept as state. */
export function assignCallId(ids, wireId, name) {
    const ordinal = ids.calls++;
    const namesakes = ids.latest.get(wireId);
    const isNew = wireId !== "" && namesakes === undefined && !ids.derived.has(wireId);
    const id = isNew ? wireId : `call_${hashName(`${ids.protocol}\n${ordinal}\n${name}`)}`;
    if (namesakes?.turn === ids.turn) {
        namesakes.ids ??= [namesakes.first];
        namesakes.ids.push(id);
    }
    else
        ids.latest.set(wireId, { turn: ids.turn, first: id, answered: 0 });
    if (isNew)
        return { id };
    ids.derived.add(id);
    return { id, state: [{ protocol: ids.protocol, kind: "callId", value: wireId }] };
}
/** The id of the first unanswered of the nearest calls with the wire's id, else of the last of them; the wire's id where there is none. */
export function resolveCallId(ids, wireId) {
    const namesakes = ids.latest.get(wireId);
    if (namesakes === undefined)
        return wireId;
    const place = namesakes.answered++;
    const all = namesakes.ids;
    return (all === undefined ? undefined : all[Math.min(place, all.length - 1)]) ?? namesakes.first;
}
//# sourceMappingURL=call-ids.js.map