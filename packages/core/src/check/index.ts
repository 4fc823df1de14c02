export type { Evidence, Finding, FindingSeverity } from "./finding.ts";
export { type LintConversationOptions, lint } from "./lint.ts";
export { type LintOptions, lintRequest } from "./lint-request.ts";
export { type ModelReference, previewSwitch, type SwitchPreview } from "./preview-switch.ts";
export { type Repaired, repair } from "./repair.ts";
export type { RuleDefinition } from "./rule.ts";
export { lintedProtocols, lintRules, uncheckedRules } from "./rules/index.ts";
