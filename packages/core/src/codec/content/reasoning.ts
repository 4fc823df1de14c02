import type { ThinkingPart } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

/** Reports reasoning that the target does not get. What only marks it as reasoning is not lost: without the mark it would arrive. */
export function loseReasoning(part: ThinkingPart, report: Report): void {
  const values = { from: part.state?.[0]?.protocol ?? part.wire?.protocol ?? "another model" };
  lose(report, "reasoning.foreign", part, "whole", { values });
}
