import type { Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject, setOwn } from "../../../ir/index.ts";

/** The arguments of a call that come in pieces, as Vertex AI streams them: each piece names its place by a JSON path. */
export interface PartialArguments {
  /** Takes one piece; false for one that is not of its documented form. */
  add(piece: Json): boolean;
  readonly value: JsonObject;
}

/** How many places of a list a piece may leave out: more serve nobody but an attacker. */
const widestGap = 1000;
const step = /\.([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;

/** The steps of a path like `$.items[0].name`; undefined for any other text. */
function stepsOf(path: string): (string | number)[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const steps: (string | number)[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null || steps.length === 100) return undefined;
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? (name ?? (single ?? double ?? "").replace(/\\(.)/g, "$1")) : Number(index));
  }
  return steps.length === 0 ? undefined : steps;
}

export function createPartialArguments(begun: JsonObject = {}): PartialArguments {
  const value = structuredClone(begun) as { [key: string]: Json };
  return { value, add: (piece) => isJsonObject(piece) && addPiece(value, piece) };
}

function addPiece(root: { [key: string]: Json }, piece: JsonObject): boolean {
  const { jsonPath } = piece;
  const steps = typeof jsonPath === "string" ? stepsOf(jsonPath) : undefined;
  const said = saidBy(piece);
  const last = steps?.pop();
  if (steps === undefined || last === undefined || said === undefined) return false;
  let node: unknown = root;
  for (const [index, key] of steps.entries()) node = below(node, key, steps[index + 1] ?? last);
  if (!takes(node, last)) return false;
  fillTo(node, last);
  const before = (node as Record<string | number, Json>)[last];
  const isMore = typeof said === "string" && typeof before === "string" && Object.hasOwn(node as object, last);
  setOwn(node as Record<string, unknown>, String(last), isMore ? before + said : said);
  return true;
}

function saidBy(piece: JsonObject): Json | undefined {
  for (const key of ["stringValue", "numberValue", "boolValue"]) if (piece[key] !== undefined) return piece[key];
  return "nullValue" in piece ? null : undefined;
}

/** True for a container that has such a key. */
function takes(node: unknown, key: string | number): boolean {
  if (Array.isArray(node)) return typeof key === "number" && key <= node.length + widestGap;
  return isJsonObject(node) && typeof key === "string";
}

/** Fills what a list leaves out before a place. What is there is not gone through again. */
function fillTo(node: unknown, key: string | number): void {
  if (Array.isArray(node)) while (node.length < Number(key)) node.push(null);
}

/** The container at a key, made where there is none. */
function below(node: unknown, key: string | number, next: string | number): unknown {
  if (!takes(node, key)) return undefined;
  fillTo(node, key);
  const parent = node as Record<string | number, Json>;
  if (!Object.hasOwn(parent, key) || parent[key] === null)
    setOwn(parent, String(key), typeof next === "number" ? [] : {});
  return parent[key];
}
