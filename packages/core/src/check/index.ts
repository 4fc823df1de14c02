export type { Evidence, Finding, FindingSeverity } from "./finding.ts";
export { type LintOptions, lintRequest } from "./lint-request.ts";
export { type Repaired, repair } from "./repair.ts";
export type { RuleDefinition } from "./rule.ts";
