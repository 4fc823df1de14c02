import { pointerSegments } from "@rolecall/core";

/** A JSON Pointer with `*` for one segment and `**` for any number of them, in segments. */
export type Pattern = readonly string[];

export function patternOf(text: string): Pattern {
  return pointerSegments(text);
}

/** Whether a path is one of those that a pattern describes. */
export function matches(pattern: Pattern, path: readonly string[]): boolean {
  return matchesFrom(pattern, 0, path, 0);
}

function matchesFrom(pattern: Pattern, start: number, path: readonly string[], from: number): boolean {
  let at = from;
  for (let index = start; index < pattern.length; index++, at++) {
    const segment = pattern[index];
    if (segment === "**") {
      if (index === pattern.length - 1) return true;
      for (let next = at; next <= path.length; next++) if (matchesFrom(pattern, index + 1, path, next)) return true;
      return false;
    }
    if (at >= path.length || (segment !== "*" && segment !== path[at])) return false;
  }
  return at === path.length;
}
