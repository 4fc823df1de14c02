import type { Reasoning } from "../../ir/index.ts";

/** Effort words for budgets, in steps of the Messages codec's own. */
export function effortFor(budget: number): NonNullable<Reasoning["effort"]> {
  if (budget <= 512) return "minimal";
  if (budget <= 4096) return "low";
  if (budget <= 16384) return "medium";
  if (budget <= 40000) return "high";
  return budget <= 100000 ? "xhigh" : "max";
}
