import type { Json, RedundancyRule } from "@rolecall/core";
import { jsonEqual, valueAt } from "@rolecall/core";
import type { Operation } from "../input/body.ts";
import { pointerOf } from "./leaves.ts";
import type { Pattern } from "./pattern.ts";
import { matches, patternOf } from "./pattern.ts";

/** What need not show of a leaf: nothing, its removal, or anything. */
export type Excuse = "none" | "removal" | "always";

/** What the redundancy list of a protocol excuses. The list is the only exemption of the audit. */
export function createExcuses(
  rules: readonly RedundancyRule[],
  operation: Operation,
): (path: readonly string[], value: Json, body: Json) => Excuse {
  const own: readonly (readonly [RedundancyRule, Pattern])[] = rules
    .filter((rule) => rule.operation === operation)
    .map((rule) => [rule, patternOf(rule.path)]);
  return (path, value, body) => {
    let excuse: Excuse = "none";
    for (const [{ covers, values, sameAs }, pattern] of own) {
      if (!matches(pattern, path)) continue;
      if (values !== undefined && !values.some((candidate) => jsonEqual(candidate, value))) continue;
      if (sameAs !== undefined && !jsonEqual(valueAt(body, pointerOf([...path.slice(0, -1), sameAs])), value)) continue;
      if (covers === "always") return "always";
      excuse = "removal";
    }
    return excuse;
  };
}
