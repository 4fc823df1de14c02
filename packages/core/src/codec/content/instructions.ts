import type { ProtocolId, SystemMessage } from "../../ir/index.ts";
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

/** True for an instruction of which only another protocol can read anything: nothing of it is sent, and nothing of it moves. What it holds is reported. */
export function isUnreadable({ content, sections }: SystemMessage, protocol: ProtocolId, report: Report): boolean {
  const foreign = content.filter((part) => part.type === "opaque" && part.protocol !== protocol);
  if (foreign.length === 0 || foreign.length < content.length || (sections?.length ?? 0) > 0) return false;
  for (const part of foreign)
    if (part.type === "opaque")
      lose(report, "part.opaque", part, "", { values: { slot: part.slot, from: part.protocol } });
  return true;
}
