import { visitMessage, visitNodes } from "../ir/index.js";
import { lose } from "./report.js";
/**
 * Reports everything of a value that belongs to another protocol than the target's: residue, and opaque state. One walk for all
 * encoders, before they run. Call and item ids only link things and are not reported.
 */
export function sweepForeign(value, target, report) {
    const visit = (node, _pointer, owner = node, field = "") => {
        const { wire, state } = node;
        if (wire !== undefined && wire.protocol !== target.protocol) {
            const below = field === "" ? "" : `${field}/`;
            if (wire.rest !== undefined)
                loseResidue(report, owner, wire.rest, Object.keys(wire.rest), `${below}rest:`);
            if (wire.form !== undefined)
                sweepForm(owner, wire.form, `${below}form:`, report);
            if (wire.form?.["repeated"] !== undefined)
                lose(report, "field.repeated", owner, "repeated");
            const shared = wire.group?.rest;
            if (shared !== undefined)
                loseResidue(report, node, shared, Object.keys(shared), "group:");
        }
        if (state === undefined)
            return;
        for (let index = 0; index < state.length; index++) {
            const item = state[index];
            if (item === undefined || item.kind === "callId" || item.kind === "itemId")
                continue;
            if (!acceptsState(target, item)) {
                lose(report, "state.foreign", owner, `state:${index}`, {
                    values: { kind: item.kind, from: item.provider ?? item.protocol },
                });
            }
        }
    };
    if ("messages" in value)
        visitNodes(value, visit, null);
    else
        visitMessage(value, null, visit);
}
/** A field that every body has and this one lacks. */
const absentForm = "absent";
function sweepForm(node, form, prefix, report) {
    for (const pointer in form)
        if (form[pointer] === absentForm)
            lose(report, "field.absent", node, prefix + pointer);
}
/** Reports residue of a node, which the target has no place for. */
export function loseResidue(report, node, rest, pointers, prefix = "rest:") {
    for (const pointer of pointers)
        lose(report, rest[pointer] === null ? "field.null" : "field.no_counterpart", node, prefix + pointer);
}
/** True where the target is the issuer of a piece of opaque state, as far as both are known. */
export function acceptsState(target, state) {
    return (state.protocol === target.protocol &&
        (state.provider === undefined || target.provider === undefined || state.provider === target.provider));
}
//# sourceMappingURL=sweep.js.map