import type { ToolCallPart } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

/** Reports a call of a kind that only other protocols have. Free text of custom tools is the target's own matter. */
export function reportCallKind(call: ToolCallPart, report: Report): void {
  if (call.kind !== "function" && call.kind !== "custom")
    lose(report, "tool_call.kind", call, "kind", { values: { kind: call.kind } });
}
