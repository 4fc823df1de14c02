import { escapeSegment, isJsonObject, jsonEqual } from "@rolecall/core";

/** A place where two JSON values differ. `pointer` leads into the left one; what only the right one has stands before that place. */
export interface Change {
  readonly pointer: string;
  readonly type: "changed" | "absent" | "added";
  readonly left?: unknown;
  readonly right?: unknown;
}

/**
 * The smallest places where two values differ. Lists of different lengths are aligned first, so that one inserted entry
 * is one change.
 */
export function changesBetween(left: unknown, right: unknown): Change[] {
  const changes: Change[] = [];
  compare(left, right, "", changes);
  return changes;
}

function compare(left: unknown, right: unknown, pointer: string, changes: Change[]): void {
  if (jsonEqual(left, right)) return;
  if (Array.isArray(left) && Array.isArray(right)) {
    compareLists(left, right, pointer, changes);
    return;
  }
  if (!isJsonObject(left) || !isJsonObject(right) || isOtherKind(left, right)) {
    changes.push({ pointer, type: "changed", left, right });
    return;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const below = `${pointer}/${escapeSegment(key)}`;
    if (!Object.hasOwn(right, key)) changes.push({ pointer: below, type: "absent", left: left[key] });
    else if (!Object.hasOwn(left, key)) changes.push({ pointer: below, type: "added", right: right[key] });
    else compare(left[key], right[key], below, changes);
  }
}

/** Nodes of different roles or types are not compared field by field. */
function isOtherKind(left: { readonly [key: string]: unknown }, right: { readonly [key: string]: unknown }): boolean {
  if (typeof left["role"] === "string" || typeof right["role"] === "string") return left["role"] !== right["role"];
  return Array.isArray(left["content"]) !== Array.isArray(right["content"]);
}

function compareLists(left: readonly unknown[], right: readonly unknown[], pointer: string, changes: Change[]): void {
  if (left.length === right.length && !left.some((item, index) => isMoved(item, right[index]))) {
    left.forEach((item, index) => {
      compare(item, right[index], `${pointer}/${index}`, changes);
    });
    return;
  }
  let [row, column] = [0, 0];
  for (const [i, j] of [...alignment(left, right), [left.length, right.length] as const]) {
    for (; row < i; row++) changes.push({ pointer: `${pointer}/${row}`, type: "absent", left: left[row] });
    for (; column < j; column++) changes.push({ pointer: `${pointer}/${row}`, type: "added", right: right[column] });
    if (row < left.length) compare(left[row], right[column], `${pointer}/${row}`, changes);
    row++;
    column++;
  }
}

/** True where entries at one place are of different roles: then something stands elsewhere. */
function isMoved(left: unknown, right: unknown): boolean {
  return isJsonObject(left) && isJsonObject(right) && left["role"] !== right["role"];
}

function likeness(left: unknown, right: unknown): number {
  if (jsonEqual(left, right)) return 3;
  if (!isJsonObject(left) || !isJsonObject(right)) return 0;
  return ["role", "type", "name", "toolCallId"].every((key) => left[key] === right[key]) ? 1 : 0;
}

/** Pairs of positions that belong together, in order: the longest common subsequence, weighted by likeness. */
function alignment(left: readonly unknown[], right: readonly unknown[]): (readonly [number, number])[] {
  const likes = left.map((item) => right.map((other) => likeness(item, other)));
  const best = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (row: number, column: number): number => best[row]?.[column] ?? 0;
  const like = (row: number, column: number): number => likes[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const paired = like(row, column) > 0 ? at(row + 1, column + 1) + like(row, column) : 0;
      (best[row] as number[])[column] = Math.max(at(row + 1, column), at(row, column + 1), paired);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (like(row, column) > 0 && at(row, column) === at(row + 1, column + 1) + like(row, column)) {
      pairs.push([row++, column++]);
    } else if (at(row, column) === at(row + 1, column)) row++;
    else column++;
  }
  return pairs;
}
