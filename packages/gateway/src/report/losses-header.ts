import type { LossSummary } from "@rolecall/core";

/** The header `rolecall-losses`: a dictionary of RFC 9651, figures and codes without any content. */
export function lossesHeader(summary: LossSummary, fresh: number, report: string): string {
  if (summary.total === 0) return `total=0, groups=0, new=0, accepted=0, safety=0, authority=0, report="${report}"`;
  const { worst, total, groups, accepted, safety, authority } = summary;
  const figures = `total=${total}, groups=${groups}, new=${fresh}, accepted=${accepted}, safety=${safety}, authority=${authority}, report="${report}"`;
  return worst === undefined ? figures : `worst=${worst}, ${figures}`;
}
