import type { Json, JsonObject } from "../ir/index.ts";
import { setOwn } from "../ir/index.ts";

/** The arguments of a call while their text still arrives. */
export interface ArgumentSnapshot {
  /**
   * Takes the next piece of the text and gives the best object so far: what is open counts as closed, an unfinished key or literal is left
   * out. The object is live: later pieces change it in place, so that the whole takes linear time. Copy what must stay.
   */
  push(text: string): JsonObject;
  readonly value: JsonObject;
  /** True when the object is closed and valid so far. */
  readonly complete: boolean;
  /** True when the text cannot become a JSON object any more. The snapshot stays what it was before. */
  readonly invalid: boolean;
}

type Container = { [key: string]: Json } | Json[];
type Expect = "value" | "first" | "key" | "colon" | "comma" | "end";

const escapes: { readonly [mark: string]: string | undefined } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const literals: { readonly [word: string]: Json | undefined } = { true: true, false: false };
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string
const plainEnd = /["\\\u0000-\u001f]/g;
const maximumDepth = 512;
const joinLength = 2048;

/** Reads JSON text piece by piece, each character once. */
export function createArgumentSnapshot(): ArgumentSnapshot {
  const root: { [key: string]: Json } = {};
  const stack: Container[] = [];
  const keys: string[] = [];
  let expect: Expect = "value";
  let token: "string" | "word" | undefined;
  let isKey = false;
  /** The string or word that is being read: what is settled, and what came since. */
  let settled = "";
  let tail = "";
  let word = "";
  let escaped = "";
  let invalid = false;
  let complete = false;

  // A string of thousands of additions is a chain that the garbage collector walks again and again; a slice makes it one piece.
  const append = (text: string): void => {
    tail += text;
    if (tail.length < joinLength) return;
    settled += ` ${tail}`.slice(1);
    tail = "";
  };
  const read = (): string => settled + tail;

  const put = (value: Json): void => {
    const top = stack.at(-1) as Container;
    if (Array.isArray(top)) top.push(value);
    else setOwn(top, keys.at(-1) as string, value);
  };
  /** Shows an unfinished string in its place. */
  const replace = (value: Json): void => {
    const top = stack.at(-1) as Container;
    if (Array.isArray(top)) top[top.length - 1] = value;
    else setOwn(top, keys.at(-1) as string, value);
  };
  const open = (container: Container): void => {
    if (stack.length === 0) {
      if (Array.isArray(container)) {
        invalid = true;
        return;
      }
      stack.push(root);
    } else {
      put(container as Json);
      stack.push(container);
    }
    if (stack.length > maximumDepth) invalid = true;
    keys.push("");
    expect = "first";
  };
  const close = (): void => {
    stack.pop();
    keys.pop();
    expect = stack.length === 0 ? "end" : "comma";
    complete = stack.length === 0;
  };
  const endString = (): void => {
    token = undefined;
    if (isKey) {
      keys[keys.length - 1] = read();
      expect = "colon";
    } else {
      replace(read());
      expect = "comma";
    }
  };
  const endWord = (): void => {
    token = undefined;
    const value = word === "null" ? null : (literals[word] ?? (number.test(word) ? Number(word) : undefined));
    if (value === undefined) invalid = true;
    else {
      put(value);
      expect = "comma";
    }
  };
  const startString = (key: boolean): void => {
    token = "string";
    isKey = key;
    settled = "";
    tail = "";
    if (!key) put("");
  };

  const structural = (mark: string): void => {
    const inArray = Array.isArray(stack.at(-1));
    switch (mark) {
      case " ":
      case "\n":
      case "\r":
      case "\t":
        return;
      case "{":
      case "[":
        if (expect === "value" || (expect === "first" && inArray)) open(mark === "{" ? {} : []);
        else invalid = true;
        return;
      case "}":
        if (!inArray && stack.length > 0 && (expect === "first" || expect === "comma")) close();
        else invalid = true;
        return;
      case "]":
        if (inArray && (expect === "first" || expect === "comma")) close();
        else invalid = true;
        return;
      case ",":
        if (expect === "comma") expect = inArray ? "value" : "key";
        else invalid = true;
        return;
      case ":":
        if (expect === "colon") expect = "value";
        else invalid = true;
        return;
      case '"':
        if (stack.length === 0) invalid = true;
        else if (!inArray && (expect === "first" || expect === "key")) startString(true);
        else if (expect === "value" || expect === "first") startString(false);
        else invalid = true;
        return;
      default:
        if (stack.length > 0 && (expect === "value" || (expect === "first" && inArray))) {
          token = "word";
          word = mark;
        } else invalid = true;
    }
  };

  /** Reads within a string; gives the position after what it took. */
  const readString = (text: string, start: number): number => {
    if (escaped !== "") {
      escaped += text[start] as string;
      const mark = escaped[1] as string;
      if (mark === "u") {
        if (!/^\\u[0-9a-fA-F]*$/.test(escaped)) invalid = true;
        else if (escaped.length === 6) {
          append(String.fromCharCode(Number.parseInt(escaped.slice(2), 16)));
          escaped = "";
        }
      } else {
        const value = escapes[mark];
        if (value === undefined) invalid = true;
        else append(value);
        escaped = "";
      }
      return start + 1;
    }
    plainEnd.lastIndex = start;
    const end = plainEnd.exec(text)?.index ?? text.length;
    if (end > start) append(text.slice(start, end));
    if (end === text.length) return end;
    const mark = text[end];
    if (mark === '"') endString();
    else if (mark === "\\") escaped = "\\";
    else invalid = true;
    return end + 1;
  };

  const push = (text: string): JsonObject => {
    let position = 0;
    while (position < text.length && !invalid) {
      if (token === "string") position = readString(text, position);
      else if (token === "word") {
        const mark = text[position] as string;
        if (/[\s,\]}]/.test(mark)) endWord();
        else {
          word += mark;
          position++;
          if (word.length > 400) invalid = true;
        }
      } else structural(text[position++] as string);
    }
    if (invalid) complete = false;
    else if (token === "string" && !isKey) replace(read());
    return root;
  };

  return {
    push,
    get value() {
      return root;
    },
    get complete() {
      return complete;
    },
    get invalid() {
      return invalid;
    },
  };
}
