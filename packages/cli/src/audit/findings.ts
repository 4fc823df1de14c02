import type { Finding } from "./audit-body.ts";
import type { Problem } from "./judge.ts";
import type { Pair } from "./pair.ts";

/** Findings of one problem at one kind of place. */
export interface FindingGroup extends Pair {
  readonly problem: Problem;
  readonly place: string;
  readonly count: number;
  readonly first: { readonly file: string; readonly pointer: string };
}

/** What was measured on one pair. */
export interface PairAudit extends Pair {
  readonly bodies: number;
  readonly refused: number;
  /** Why bodies were refused, the first of each reason. */
  readonly refusals: readonly { readonly file: string; readonly reason: string; readonly count: number }[];
  readonly leaves: number;
  readonly probes: number;
  readonly findings: readonly FindingGroup[];
}

/** Names what a group is about, without any content: two groups of the same key are the same finding. */
export function keyOf({ operation, from, to, problem, place }: Omit<FindingGroup, "count" | "first">): string {
  return [operation, from, to, problem, place].join("\n");
}

/** Collects what the bodies of one pair gave. */
export interface PairCollector {
  add(file: string, audit: { refused?: string; leaves: number; probes: number; findings: readonly Finding[] }): void;
  /** The sum so far, gravest problems and largest groups first. */
  sum(): PairAudit;
}

export function createCollector(pair: Pair): PairCollector {
  const groups = new Map<string, FindingGroup>();
  const refusals = new Map<string, { file: string; reason: string; count: number }>();
  let [bodies, refused, leaves, probes] = [0, 0, 0, 0];
  return {
    add(file, audit) {
      bodies++;
      leaves += audit.leaves;
      probes += audit.probes;
      if (audit.refused !== undefined) {
        refused++;
        const reason = audit.refused.replace(/\d+/g, "N");
        const known = refusals.get(reason);
        if (known === undefined) refusals.set(reason, { file, reason: audit.refused, count: 1 });
        else known.count++;
      }
      for (const { problem, place, pointer } of audit.findings) {
        const group = { ...pair, problem, place, count: 1, first: { file, pointer } };
        const known = groups.get(keyOf(group));
        groups.set(keyOf(group), known === undefined ? group : { ...known, count: known.count + 1 });
      }
    },
    sum: () => ({
      ...pair,
      bodies,
      refused,
      refusals: [...refusals.values()].sort((left, right) => right.count - left.count),
      leaves,
      probes,
      findings: [...groups.values()].sort(
        (left, right) => problems.indexOf(left.problem) - problems.indexOf(right.problem) || right.count - left.count,
      ),
    }),
  };
}

/** By gravity. */
const problems: readonly Problem[] = [
  "crash",
  "content lost",
  "content misplaced",
  "silent change",
  "silent removal",
  "silent insertion",
  "wrong kind",
  "not the same",
  "loss to itself",
  "false alarm",
];
