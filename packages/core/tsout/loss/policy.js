import { LossError } from "../errors/index.js";
/** Throws a LossError for what the policy refuses. `throw` refuses each loss that was not accepted beforehand. */
export function enforcePolicy(losses, policy) {
    if (policy === "report" || losses.length === 0)
        return;
    const refused = losses.filter((loss) => (policy === "throw" ? loss.accepted === undefined : !policy(loss)));
    if (refused.length > 0)
        throw new LossError(refused);
}
//# sourceMappingURL=policy.js.map