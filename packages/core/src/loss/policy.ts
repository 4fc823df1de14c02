import { LossError } from "../errors/index.ts";
import type { Loss } from "../ir/index.ts";

/**
 * What to do about losses. `report`: go on. `throw`: refuse everything that was not accepted. A function: return false to refuse that loss.
 */
export type LossPolicy = "report" | "throw" | ((loss: Loss) => boolean);

/** Throws a LossError for what the policy refuses. `throw` refuses each loss that was not accepted beforehand. */
export function enforcePolicy(losses: readonly Loss[], policy: LossPolicy): void {
  if (policy === "report" || losses.length === 0) return;
  const refused = losses.filter((loss) => (policy === "throw" ? loss.accepted === undefined : !policy(loss)));
  if (refused.length > 0) throw new LossError(refused);
}
