import type { Conversation, Reasoning, SystemMessage } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";

type Effort = NonNullable<Reasoning["effort"]>;

const efforts: readonly Effort[] = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** Effort words for budgets, in steps of the Messages codec's own. */
export function effortFor(budget: number): Effort {
  if (budget <= 512) return "minimal";
  if (budget <= 4096) return "low";
  if (budget <= 16384) return "medium";
  if (budget <= 40000) return "high";
  return budget <= 100000 ? "xhigh" : "max";
}

/**
 * A target with one effort for the whole request gets that of the last change within the conversation, for it counts for the answer. `write`
 * sends it, and says whether it could. What it takes the place of, and earlier changes, are reported as dropped.
 */
export function settleEffort(
  { messages, settings }: Conversation,
  report: Report,
  write: (effort: Effort) => boolean,
): void {
  const changes = messages.filter(
    (message): message is SystemMessage => message.role === "system" && message.effort !== undefined,
  );
  const last = changes.at(-1);
  if (last === undefined) return;
  const { mode, effort, budget } = settings.reasoning ?? {};
  const word = efforts.find((known) => known === last.effort);
  const isSent = word !== undefined && mode !== "disabled" && budget === undefined && write(word);
  for (const change of changes)
    lose(report, "instruction.effort", change, "effort", change === last && isSent ? { kind: "approximated" } : {});
  if (isSent && effort !== undefined && effort !== word)
    lose(report, "instruction.effort", settings, "reasoning/effort");
}
