import type { Json, RedundancyRule } from "@rolecall/core";
import { jsonEqual } from "@rolecall/core";
import type { Operation } from "../input/body.ts";
import type { Pattern } from "./pattern.ts";
import { matches, patternOf } from "./pattern.ts";

/** What need not show of a leaf: nothing, its removal, or anything. */
export type Excuse = "none" | "removal" | "always";

/** What the redundancy list of a protocol excuses. The list is the only exemption of the audit. */
export function createExcuses(
  rules: readonly RedundancyRule[],
  operation: Operation,
): (path: readonly string[], value: Json) => Excuse {
  const own: readonly (readonly [RedundancyRule, Pattern])[] = rules
    .filter((rule) => rule.operation === operation)
    .map((rule) => [rule, patternOf(rule.path)]);
  return (path, value) => {
    let excuse: Excuse = "none";
    for (const [{ covers, values }, pattern] of own) {
      if (!matches(pattern, path)) continue;
      if (values !== undefined && !values.some((candidate) => jsonEqual(candidate, value))) continue;
      if (covers === "always") return "always";
      excuse = "removal";
    }
    return excuse;
  };
}
