import { escapeSegment } from "@rolecall/core";

export interface Difference {
  /** JSON Pointer of the smallest place that differs. */
  readonly pointer: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** The places in which two JSON values differ. An undefined field is no JSON and differs from an absent one. */
function differences(left: unknown, right: unknown, pointer = ""): Difference[] {
  if (Object.is(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    return Array.from({ length }, (_, index) =>
      differences(
        index < left.length ? left[index] : absent,
        index < right.length ? right[index] : absent,
        `${pointer}/${index}`,
      ),
    ).flat();
  }
  if (!isObject(left) || !isObject(right)) return [{ pointer, left, right }];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differences(own(left, key), own(right, key), `${pointer}/${escapeSegment(key)}`));
}

const absent = "(absent)";

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(object: { readonly [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : absent;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 120);

/** Throws with the places in which the actual value is not the expected one. */
export function expectSame(actual: unknown, expected: unknown, what = "value"): void {
  const found = differences(actual, expected);
  if (found.length === 0) return;
  const lines = found
    .slice(0, 8)
    .map(({ pointer, left, right }) => `${pointer || "/"}: ${shown(left)}, not ${shown(right)}`);
  throw new Error(`${what} differs in ${found.length} places\n${lines.join("\n")}`);
}
