import type { Pointer } from "../ir/index.ts";
import type { Evidence, Finding, FindingSeverity } from "./finding.ts";

/** What is known of a rule, as the documentation shows it. */
export interface RuleDefinition {
  readonly id: string;
  readonly severity: FindingSeverity;
  readonly evidence: Evidence;
  /** A URL, or the name of a document. */
  readonly source: string;
  readonly description: string;
  /** Why a rule that is documented is a warning only: services take what breaks it. */
  readonly unenforced?: string;
}

/** Notes a place that breaks the rule. */
export type Flag = (path: Pointer, message: string) => void;

/** A rule and how to find what breaks it in a value of one kind. What is not known is no finding. */
export interface Rule<T> extends RuleDefinition {
  readonly check: (value: T, flag: Flag) => void;
}

/** What breaks the rules in a value, in the order of the rules. */
export function findingsOf<T>(rules: readonly Rule<T>[], value: T): Finding[] {
  const findings: Finding[] = [];
  for (const { id, severity, evidence, source, check } of rules) {
    check(value, (path, message) => findings.push({ rule: id, severity, path, message, source, evidence }));
  }
  return findings;
}
