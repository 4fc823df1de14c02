import type { Json } from "../../ir/index.ts";

const quote = 34;
const backslash = 92;
const minus = 45;

/**
 * True where reading the text as JSON loses something: a number that a double cannot hold, or a key that stands twice in one object.
 * `value` is what the text reads as. One pass over the text: arguments hold whole files.
 */
export function inexactArguments(text: string, value: Json): boolean {
  let strings = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      strings++;
      index = endOfString(text, index);
    } else if (unit === minus || isDigit(unit)) {
      const end = endOfNumber(text, index);
      if (isInexact(text.slice(index, end))) return true;
      index = end - 1;
    }
  }
  // A key that stands twice, and the value under its first place, are strings that the value does not have.
  return strings !== stringsOf(value);
}

/** Whether a code unit is one of the ten digits. */
export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** The quotation mark that ends a string: the next one that is not escaped, that is behind an even number of backslashes. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (index - before) % 2 === 0;
}

/** A number consists of digits, signs, a point and an exponent; nothing that may follow it does. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isPartOfNumber(text.charCodeAt(end))) end++;
  return end;
}

const isPartOfNumber = (unit: number): boolean =>
  isDigit(unit) || unit === 46 || unit === minus || unit === 43 || (unit | 32) === 101;

/** A double holds every number of 15 digits; only longer ones, and those with an exponent, are looked at closely. */
export function isInexact(number: string): boolean {
  if (number.length <= 15 && !/e/i.test(number)) return false;
  const read = String(Number(number));
  return read !== number && digitsOf(number) !== digitsOf(read);
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

/** How many strings and keys the value has. */
function stringsOf(value: Json): number {
  if (typeof value === "string") return 1;
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += stringsOf(item as Json);
  else for (const key in value) count += 1 + stringsOf((value as { readonly [key: string]: Json })[key] as Json);
  return count;
}
