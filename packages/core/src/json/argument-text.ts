import type { Json } from "../ir/index.ts";
import type { Survey } from "./survey.ts";
import { survey } from "./survey.ts";

const quote = 34;
const backslash = 92;
const minus = 45;

/**
 * True where reading the text as JSON loses something: a number that a double cannot hold, or a key that stands twice in one object.
 * `value` is what the text reads as, `found` what a survey of it found, `seen` what `keysSeen` says of the text.
 */
export function inexactArguments(
  text: string,
  value: Json,
  found: Survey = survey(value),
  seen: number = keysSeen(text),
): boolean {
  // Seldom otherwise, so that the text need not be gone through.
  if (seen === found.keys && !(found.looseNumbers && mayHoldInexactNumber(text))) return false;
  return isInexactText(text, value);
}

/**
 * How many keys the JSON text seems to have: never fewer than it has, so that it repeats none where its value has as many. NaN where the number
 * under one seems to be inexact. To go through the text, each string would have to be skipped, and strings hold whole files with many escaped
 * quotation marks; colons are fewer. Within a string no quotation mark is unescaped, so a colon behind one that is stands behind a key, or begins
 * a string.
 */
export function keysSeen(text: string): number {
  let keys = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    let unit = text.charCodeAt(before);
    while (isSpace(unit)) unit = text.charCodeAt(--before);
    if (unit !== quote || isEscaped(text, before)) continue;
    keys++;
    let start = colon + 1;
    unit = text.charCodeAt(start);
    while (isSpace(unit)) unit = text.charCodeAt(++start);
    if ((isDigit(unit) || unit === minus) && isInexact(text.slice(start, endOfNumber(text, start)))) return Number.NaN;
  }
  return keys;
}

const isSpace = (unit: number): boolean => unit <= 32 && (unit === 32 || unit === 10 || unit === 13 || unit === 9);

/**
 * True where some number, wherever it stands, may be one that a double cannot hold. Without eight digits in a row a number has at most 14 and
 * rounds to nothing else; it is too large or too small only with an exponent of three digits.
 */
function mayHoldInexactNumber(text: string): boolean {
  longNumber.lastIndex = 0;
  while (longNumber.test(text)) {
    const end = endOfNumber(text, longNumber.lastIndex - 1);
    let start = end - 1;
    while (isPartOfNumber(text.charCodeAt(start - 1))) start--;
    if (isDelimited(text, start, end) && isInexact(text.slice(start, end))) return true;
    longNumber.lastIndex = end;
  }
  return false;
}

/** Written out, because the engine skips ahead by as many places as it sees characters, and a count in braces counts as few. */
const longNumber = /\d\d\d\d\d\d\d\d|\d[eE][+-]?\d\d\d/g;

/** True where what stands before and behind may stand beside a number in JSON. */
function isDelimited(text: string, start: number, end: number): boolean {
  return (
    (start === 0 || /[[,:\s]/.test(text.charAt(start - 1))) &&
    (end === text.length || /[\],}\s]/.test(text.charAt(end)))
  );
}

/** The same for sure, in one pass over the text. */
function isInexactText(text: string, value: Json): boolean {
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
  if (number.length <= 15 && number.indexOf("e") < 0 && number.indexOf("E") < 0) return false;
  const read = String(Number(number));
  return read !== number && digitsOf(number) !== digitsOf(read);
}

/** A number as its significant digits and power of ten, so that 1.0, 1 and 10e-1 are the same. */
function digitsOf(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  // Not by a pattern that ends in `$`: at each of many zeros that stand elsewhere it would look for the end anew.
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  const significant = digits.slice(0, end);
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
