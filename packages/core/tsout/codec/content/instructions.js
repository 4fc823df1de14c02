import { lose } from "../../loss/index.js";
/** Reports what no protocol can say about an instruction. */
export function reportScope(message, report) {
    if (message.scope !== undefined)
        lose(report, "instruction.field", message, "scope", { values: { field: "scope" } });
    if (message.delegatesTo !== undefined)
        lose(report, "instruction.field", message, "delegatesTo", { values: { field: "delegation" } });
}
//# sourceMappingURL=instructions.js.map