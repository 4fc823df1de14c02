import type { Loss, LossEffect, LossKind, LossSeverity, Pointer } from "../ir/index.ts";

/** The effects in order of rank, the gravest first. */
export const lossEffects: readonly LossEffect[] = [
  "safety",
  "authority",
  "content",
  "execution",
  "control",
  "reasoning",
  "evidence",
  "cost",
  "form",
];

export const lossSeverities: readonly LossSeverity[] = ["error", "warning", "info"];

/** Losses of one code toward one target. */
export interface LossGroup {
  readonly code: string;
  readonly to: Loss["to"];
  readonly effect: LossEffect;
  readonly severity: LossSeverity;
  /** The kinds in the group, the first one first. */
  readonly kinds: readonly LossKind[];
  readonly count: number;
  /** How many of them the user accepted beforehand. */
  readonly accepted: number;
  readonly acceptedReasons: readonly string[];
  /** The detail of the first; others may differ in numbers. */
  readonly detail: string;
  /** The first places, at most three. */
  readonly paths: readonly Pointer[];
}

/** Groups losses by code and target, ranked by effect, then severity, then count. */
export function groupLosses(losses: readonly Loss[]): LossGroup[] {
  type Open = { -readonly [K in keyof LossGroup]: LossGroup[K] } & {
    kinds: LossKind[];
    paths: Pointer[];
    acceptedReasons: string[];
  };
  const groups = new Map<string, Open>();
  for (const loss of losses) {
    const key = `${loss.code}\n${loss.to}`;
    let group = groups.get(key);
    if (group === undefined) {
      group = {
        code: loss.code,
        to: loss.to,
        effect: loss.effect,
        severity: loss.severity,
        kinds: [],
        count: 0,
        accepted: 0,
        acceptedReasons: [],
        detail: loss.detail,
        paths: [],
      };
      groups.set(key, group);
    }
    group.count++;
    if (!group.kinds.includes(loss.kind)) group.kinds.push(loss.kind);
    if (lossSeverities.indexOf(loss.severity) < lossSeverities.indexOf(group.severity)) group.severity = loss.severity;
    if (group.paths.length < 3) group.paths.push(loss.path || loss.targetPath || "/");
    if (loss.accepted !== undefined) {
      group.accepted++;
      if (!group.acceptedReasons.includes(loss.accepted)) group.acceptedReasons.push(loss.accepted);
    }
  }
  return [...groups.values()].sort(byRank);
}

function byRank(left: LossGroup, right: LossGroup): number {
  return (
    lossEffects.indexOf(left.effect) - lossEffects.indexOf(right.effect) ||
    lossSeverities.indexOf(left.severity) - lossSeverities.indexOf(right.severity) ||
    right.count - left.count
  );
}

/** The groups of two lists of losses as those of one: the losses themselves need not be there any more. */
export function mergeGroups(first: readonly LossGroup[], second: readonly LossGroup[]): LossGroup[] {
  const merged = [...first];
  for (const group of second) {
    const index = merged.findIndex(({ code, to }) => code === group.code && to === group.to);
    const known = merged[index];
    if (known === undefined) merged.push(group);
    else {
      const severities = [known.severity, group.severity];
      merged[index] = {
        ...known,
        severity: lossSeverities.find((severity) => severities.includes(severity)) ?? known.severity,
        kinds: [...new Set([...known.kinds, ...group.kinds])],
        count: known.count + group.count,
        accepted: known.accepted + group.accepted,
        acceptedReasons: [...new Set([...known.acceptedReasons, ...group.acceptedReasons])],
        paths: [...known.paths, ...group.paths].slice(0, 3),
      };
    }
  }
  return merged.sort(byRank);
}

export interface LossSummary {
  readonly total: number;
  readonly groups: number;
  readonly worst?: LossSeverity;
  readonly accepted: number;
  readonly safety: number;
  readonly authority: number;
}

/** The figures of a report; `worst` leaves accepted losses out. */
export function summarizeLosses(losses: readonly Loss[]): LossSummary {
  const groups: Loss[] = [];
  let worst = lossSeverities.length;
  let accepted = 0;
  let safety = 0;
  let authority = 0;
  for (const loss of losses) {
    if (!groups.some((known) => known.code === loss.code && known.to === loss.to)) groups.push(loss);
    if (loss.accepted !== undefined) accepted++;
    else worst = Math.min(worst, lossSeverities.indexOf(loss.severity));
    if (loss.effect === "safety") safety++;
    if (loss.effect === "authority") authority++;
  }
  const total = losses.length;
  const severity = lossSeverities[worst];
  if (severity === undefined) return { total, groups: groups.length, accepted, safety, authority };
  return { worst: severity, total, groups: groups.length, accepted, safety, authority };
}
