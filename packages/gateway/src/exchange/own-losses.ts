import type { Loss, LossCode } from "@rolecall/core";
import { acceptLosses, enforcePolicy, lossCatalogue } from "@rolecall/core";
import type { Settled } from "../options.ts";
import type { OpenExchange } from "./exchange.ts";

/** A loss of what the gateway itself does to a request. `at`: the place in the client's terms, and in the service's where it is another. */
export function ownLoss(
  { record }: OpenExchange,
  code: LossCode,
  at: { readonly path: string; readonly targetPath?: string },
  values: { readonly [name: string]: string } = {},
): Loss {
  const { kind, effect, severity, detail } = lossCatalogue[code];
  const told: { readonly [name: string]: string | undefined } = { from: record.from, to: record.to, ...values };
  return {
    code,
    kind,
    effect,
    severity,
    stage: "encode",
    from: record.from,
    to: record.to,
    ...at,
    detail: detail.replaceAll(/\{(\w+)\}/g, (whole, name: string) => told[name] ?? whole),
  };
}

/** The gateway's own losses as the acceptances say. Throws a LossError for what the policy refuses. */
export function settleLosses({ losses: { accept, onLoss } }: Settled, losses: readonly Loss[]): readonly Loss[] {
  if (losses.length === 0) return losses;
  const settled = acceptLosses(losses, accept ?? []);
  enforcePolicy(settled, onLoss ?? "report");
  return settled;
}
