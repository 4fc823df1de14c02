import type { Json } from "../../ir/index.ts";

/**
 * True where reading the text as JSON loses something: a number that a double cannot hold, or a key that stands twice in one object.
 * The quick look is enough for almost all texts; only a suspicious one is read token by token.
 */
export function inexactArguments(text: string, value: Json): boolean {
  const suspicious = /\d{16}|\d[eE][+-]?\d{3}/.test(text) || countOf(text, '"') !== quotes(value);
  return suspicious && (hasInexactNumber(text) || hasRepeatedKey(text));
}

function countOf(text: string, mark: string): number {
  let count = 0;
  for (let index = text.indexOf(mark); index >= 0; index = text.indexOf(mark, index + 1)) count++;
  return count;
}

/** How many quotation marks the value takes when no string holds one. */
function quotes(value: Json): number {
  if (typeof value === "string") return 2;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item: Json) => sum + quotes(item), 0);
  return Object.values(value).reduce((sum: number, item: Json) => sum + 2 + quotes(item), 0);
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],:]/g;

function hasInexactNumber(text: string): boolean {
  for (const [found] of text.matchAll(token)) {
    const first = found.charCodeAt(0);
    if ((first === 45 || (first >= 48 && first <= 57)) && digitsOf(found) !== digitsOf(String(Number(found))))
      return true;
  }
  return false;
}

/** A number as its significant digits and power of ten, so that 1.0, 1 and 10e-1 are the same. */
function digitsOf(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${number.startsWith("-") ? "-" : ""}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

function hasRepeatedKey(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let previous = "";
  for (const [found] of text.matchAll(token)) {
    if (found === "{") open.push(new Set());
    else if (found === "[") open.push(undefined);
    else if (found === "}" || found === "]") open.pop();
    else if (found === ":") {
      const keys = open.at(-1);
      const key = JSON.parse(previous) as string;
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
    previous = found;
  }
  return false;
}
