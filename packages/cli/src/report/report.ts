import type { Loss, LossGroup, LossSummary, ProtocolId } from "@rolecall/core";
import { compareLosses, groupLosses, summarizeLosses } from "@rolecall/core";

/** The losses of one conversion with their groups and figures. */
export interface LossReport {
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  readonly losses: readonly Loss[];
  readonly groups: readonly LossGroup[];
  readonly summary: LossSummary;
}

export function createReport(from: ProtocolId, to: ProtocolId, losses: readonly Loss[]): LossReport {
  return { from, to, losses, groups: groupLosses(losses), summary: summarizeLosses(losses) };
}

/** What of a report the previous request of the conversation did not have, and how much it had. */
export interface News {
  readonly report: LossReport;
  readonly repeated: number;
}

export function newsSince(report: LossReport, previous: readonly Loss[]): News {
  const { fresh, more, repeated } = compareLosses(report.losses, previous);
  return { report: createReport(report.from, report.to, [...fresh, ...more]), repeated: repeated.length };
}
