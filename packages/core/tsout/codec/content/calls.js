import { lose } from "../../loss/index.js";
/** Reports a call of a kind that only other protocols have. Free text of custom tools is the target's own matter. */
export function reportCallKind(call, report) {
    if (call.kind !== "function" && call.kind !== "custom")
        lose(report, "tool_call.kind", call, "kind", { values: { kind: call.kind } });
}
//# sourceMappingURL=calls.js.map