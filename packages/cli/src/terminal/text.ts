const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text that is safe to show: control characters, escape sequences, marks that turn the direction of writing and other characters without a
 * shape are spelled out. What comes from a file or an argument passes through here before it reaches a terminal.
 */
export function visible(text: string): string {
  return text.replace(hidden, spelled);
}

function spelled(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  let units = "";
  for (let index = 0; index < character.length; index++) {
    units += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return units;
}

/** JSON text that is safe to show and still means the same; the line breaks and spaces of its layout stay. */
export function visibleJson(text: string): string {
  return text.replace(hidden, (character) => (character === "\n" ? character : spelled(character)));
}

/** Takes text in pieces and gives it as it may be shown. */
export interface TextCleaner {
  push(piece: string): string;
  /** What is left behind the last piece. */
  end(): string;
}

/** Joins of letters and of signs: without a shape, and without harm. */
const joins = /[\u200c\u200d]/;

/**
 * Prose that comes in pieces, such as the answer of a model, as a terminal may show it: line breaks and tabs stay, all else that `visible` spells out
 * is spelled out. Pieces may be cut anywhere.
 */
export function createTextCleaner(): TextCleaner {
  let held = "";
  const clean = (text: string): string =>
    text
      .replaceAll("\r\n", "\n")
      .replace(hidden, (character) =>
        character === "\n" || character === "\t" || joins.test(character) ? character : spelled(character),
      );
  return {
    push(piece) {
      const text = held + piece;
      // Half of a surrogate pair, or of a line break.
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return clean(held === "" ? text : text.slice(0, -1));
    },
    end() {
      const rest = clean(held);
      held = "";
      return rest;
    },
  };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const plain = /^[\x20-\x7e]*$/;
const mark = /^\p{M}+$/u;
const wide = new RegExp(
  `\\p{Emoji_Presentation}|\\ufe0f|[${[
    "\\u1100-\\u115f",
    "\\u2e80-\\ua4cf",
    "\\ua960-\\ua97f",
    "\\uac00-\\ud7a3",
    "\\uf900-\\ufaff",
    "\\ufe30-\\ufe6f",
    "\\uff01-\\uff60",
    "\\uffe0-\\uffe6",
    "\\u{20000}-\\u{3fffd}",
  ].join("")}]`,
  "u",
);

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += columnsOfCharacter(segment);
  return columns;
}

function columnsOfCharacter(character: string): number {
  if (mark.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text, or its beginning with `…`, in at most that many columns. */
export function shorten(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let taken = 0;
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    const next = columnsOfCharacter(segment);
    if (taken + next > columns - 1) break;
    taken += next;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : "";
}

/** The text, or its end after `…`, in at most that many columns: what tells places apart stands at their end. */
export function shortenStart(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const segments = [...segmenter.segment(text)].map(({ segment }) => segment);
  let taken = 0;
  let kept = "";
  for (const segment of segments.reverse()) {
    const next = columnsOfCharacter(segment);
    if (taken + next > columns - 1) break;
    taken += next;
    kept = segment + kept;
  }
  return columns > 0 ? `…${kept}` : "";
}

/** The text with spaces behind it, up to that many columns. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** "1 loss", "2 losses", "3 000 losses" with a comma: a number and its noun. */
export function count(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural}`;
}

/** The text in lines of at most that many columns, broken between words. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && columnsOf(line) + 1 + columnsOf(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}
