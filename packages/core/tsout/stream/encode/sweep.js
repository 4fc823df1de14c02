import { acceptsState, lose, sweepForeign } from "../../loss/index.js";
import { eventPointer } from "../events.js";
/** Reports everything of an event that belongs to another protocol than the target's, as `sweepForeign` does it for a whole message. */
export function sweepEvent(event, target, report) {
    const { wire } = event;
    if (wire !== undefined && wire.protocol !== target.protocol) {
        for (const pointer in wire.rest) {
            const code = wire.rest[pointer] === null ? "field.null" : "field.no_counterpart";
            lose(report, code, event, "", { path: `/events/${event.at}/${pointer}` });
        }
        for (const key of ["repeated", "absent"]) {
            const pointers = wire.form?.[key];
            if (!Array.isArray(pointers))
                continue;
            for (const pointer of pointers)
                lose(report, `field.${key}`, event, "", { path: `/events/${event.at}/${String(pointer)}` });
        }
    }
    switch (event.type) {
        case "start":
            sweepForeign(event.message, target, report);
            return;
        case "part_start":
            sweepParts([event.part], target, report);
            return;
        case "citation":
            sweepParts([{ type: "text", text: "", citations: [event.citation] }], target, report);
            return;
        case "state":
            sweepState(event.state, event, target, report);
            return;
        default:
            return;
    }
}
function sweepParts(content, target, report) {
    sweepForeign({ role: "assistant", content }, target, report);
}
function sweepState(state, event, target, report) {
    if (acceptsState(target, state) || state.kind === "callId" || state.kind === "itemId")
        return;
    lose(report, "state.foreign", event, "", {
        path: eventPointer(event),
        values: { kind: state.kind, from: state.provider ?? state.protocol },
    });
}
//# sourceMappingURL=sweep.js.map