import type { Loss, LossGroup, LossSummary } from "@rolecall/core";
import { groupLosses, lossSeverities, mergeGroups, summarizeLosses } from "@rolecall/core";

/** So many losses of an exchange are kept in detail: more than anybody reads, and few enough to be compared and written at once. */
export const DETAILED: number = 1000;

/** Losses of which some are kept in detail, and the others in groups with exact counts. */
export interface KeptLosses {
  readonly losses: readonly Loss[];
  readonly omitted: readonly LossGroup[];
}

const nothing: readonly LossGroup[] = [];

/** The first of the losses in detail, as many as there is room for. */
export function keepLosses(losses: readonly Loss[], room: number = DETAILED): KeptLosses {
  if (losses.length <= room) return { losses, omitted: nothing };
  return { losses: losses.slice(0, room), omitted: groupLosses(losses.slice(room)) };
}

/** The same without any details. */
export function withoutDetails(kept: KeptLosses): KeptLosses {
  return { losses: [], omitted: groupsOf(kept) };
}

/** All losses in groups, with exact counts. */
export function groupsOf({ losses, omitted }: KeptLosses): readonly LossGroup[] {
  const groups = groupLosses(losses);
  return omitted.length === 0 ? groups : mergeGroups(groups, omitted);
}

/** The figures of all losses. */
export function summaryOf(kept: KeptLosses): LossSummary {
  const { losses, omitted } = kept;
  const shown = summarizeLosses(losses);
  if (omitted.length === 0) return shown;
  const sum = (some: readonly LossGroup[], figure: "count" | "accepted") =>
    some.reduce((total, group) => total + group[figure], 0);
  const open = [
    shown.worst,
    ...omitted.filter(({ count, accepted }) => accepted < count).map(({ severity }) => severity),
  ];
  const gravest = lossSeverities.find((severity) => open.includes(severity));
  return {
    total: shown.total + sum(omitted, "count"),
    groups: groupsOf(kept).length,
    ...(gravest !== undefined && { worst: gravest }),
    accepted: shown.accepted + sum(omitted, "accepted"),
    safety:
      shown.safety +
      sum(
        omitted.filter(({ effect }) => effect === "safety"),
        "count",
      ),
    authority:
      shown.authority +
      sum(
        omitted.filter(({ effect }) => effect === "authority"),
        "count",
      ),
  };
}
