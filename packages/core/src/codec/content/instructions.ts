import type { SystemMessage } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

/** The user turn that asks a model to go on with its started answer, which it would not do by itself. */
export const continueText = "Continue.";

/** The user turn put first where an API demands one and the conversation has none. */
export const firstUserText = "(The conversation begins with the assistant.)";

/** Reports what no protocol can say about an instruction. */
export function reportScope(message: SystemMessage, report: Report): void {
  if (message.scope !== undefined) lose(report, "instruction.field", message, "scope", { values: { field: "scope" } });
  if (message.delegatesTo !== undefined)
    lose(report, "instruction.field", message, "delegatesTo", { values: { field: "delegation" } });
}
