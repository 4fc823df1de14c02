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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

const isSpace = (code: number): boolean => code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;

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
const maximumDepth = 512;
const joinLength = 2048;
/** No number that means anything is longer. */
const longestWord = 400;

/** Reads JSON text piece by piece, each character once. */
export function createArgumentSnapshot(): ArgumentSnapshot {
  const root: { [key: string]: Json } = {};
  const stack: Container[] = [];
  const keys: string[] = [];
  /** The container that is open, and its key of the moment. */
  let top: Container = root;
  let inArray = false;
  let key = "";
  let expect: Expect = "value";
  let token: "string" | "word" | undefined;
  let isKey = false;
  /** The string or word that is being read: what is settled, and what came since. */
  let settled = "";
  let tail = "";
  let word = "";
  let escaped = "";

  // A string of thousands of additions is a chain that the garbage collector walks again and again; a slice makes it one piece.
  const append = (text: string): void => {
    tail += text;
    if (tail.length < joinLength) return;
    settled += ` ${tail}`.slice(1);
    tail = "";
  };
  const read = (): string => (settled === "" ? tail : settled + tail);
  const refuse = (): void => {
    snapshot.invalid = true;
  };

  const put = (value: Json): void => {
    if (inArray) (top as Json[]).push(value);
    else setOwn(top as { [key: string]: Json }, key, value);
  };
  /** Shows an unfinished string in its place. */
  const replace = (value: Json): void => {
    if (inArray) (top as Json[])[(top as Json[]).length - 1] = value;
    else setOwn(top as { [key: string]: Json }, key, value);
  };
  const open = (container: Container): void => {
    if (stack.length === 0) {
      if (Array.isArray(container)) {
        refuse();
        return;
      }
      top = root;
    } else {
      put(container as Json);
      keys[keys.length - 1] = key;
      top = container;
    }
    stack.push(top);
    if (stack.length > maximumDepth) refuse();
    inArray = Array.isArray(top);
    key = "";
    keys.push(key);
    expect = "first";
  };
  const close = (): void => {
    stack.pop();
    keys.pop();
    snapshot.complete = stack.length === 0;
    expect = snapshot.complete ? "end" : "comma";
    if (snapshot.complete) return;
    top = stack[stack.length - 1] as Container;
    inArray = Array.isArray(top);
    key = keys[keys.length - 1] as string;
  };
  const endString = (): void => {
    token = undefined;
    if (isKey) {
      key = read();
      expect = "colon";
    } else {
      replace(read());
      expect = "comma";
    }
  };
  const endWord = (): void => {
    token = undefined;
    const value = word === "null" ? null : (literals[word] ?? (number.test(word) ? Number(word) : undefined));
    if (value === undefined) refuse();
    else {
      put(value);
      expect = "comma";
    }
  };
  const startString = (asKey: boolean): void => {
    token = "string";
    isKey = asKey;
    settled = "";
    tail = "";
    if (!asKey) put("");
  };

  const structural = (code: number): void => {
    const takesValue = expect === "value" || (expect === "first" && inArray);
    switch (code) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (takesValue) open(code === OPEN_BRACE ? {} : []);
        else refuse();
        return;
      case CLOSE_BRACE:
        if (!inArray && stack.length > 0 && (expect === "first" || expect === "comma")) close();
        else refuse();
        return;
      case CLOSE_BRACKET:
        if (inArray && (expect === "first" || expect === "comma")) close();
        else refuse();
        return;
      case COMMA:
        if (expect === "comma") expect = inArray ? "value" : "key";
        else refuse();
        return;
      case COLON:
        if (expect === "colon") expect = "value";
        else refuse();
        return;
      case QUOTE:
        if (stack.length === 0) refuse();
        else if (takesValue) startString(false);
        else if (expect === "first" || expect === "key") startString(true);
        else refuse();
        return;
      default:
        if (stack.length > 0 && takesValue) {
          token = "word";
          word = String.fromCharCode(code);
        } else refuse();
    }
  };

  /** Reads the next character of an escape. */
  const readEscape = (mark: string): void => {
    escaped += mark;
    if (escaped[1] === "u") {
      if (!/^\\u[0-9a-fA-F]*$/.test(escaped)) refuse();
      else if (escaped.length === 6) {
        append(String.fromCharCode(Number.parseInt(escaped.slice(2), 16)));
        escaped = "";
      }
      return;
    }
    const value = escapes[mark];
    if (value === undefined) refuse();
    else append(value);
    escaped = "";
  };

  /** Reads within a string; gives the position after what it took. */
  const readString = (text: string, start: number): number => {
    if (escaped !== "") {
      readEscape(text[start] as string);
      return start + 1;
    }
    let end = start;
    let code = 0;
    for (; end < text.length; end++) {
      code = text.charCodeAt(end);
      if (code === QUOTE || code === BACKSLASH || code < SPACE) break;
    }
    if (end > start) append(start === 0 && end === text.length ? text : text.slice(start, end));
    if (end === text.length) return end;
    if (code === QUOTE) endString();
    else if (code === BACKSLASH) escaped = "\\";
    else refuse();
    return end + 1;
  };

  /** The same within a number or a literal. */
  const readWord = (text: string, start: number): number => {
    let end = start;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE || isSpace(code)) break;
    }
    word += text.slice(start, end);
    if (word.length > longestWord) refuse();
    else if (end < text.length) endWord();
    return end;
  };

  const snapshot = {
    value: root,
    complete: false,
    invalid: false,
    push(text: string): JsonObject {
      let position = 0;
      while (position < text.length && !snapshot.invalid) {
        if (token === "string") position = readString(text, position);
        else if (token === "word") position = readWord(text, position);
        else {
          const code = text.charCodeAt(position++);
          if (!isSpace(code)) structural(code);
        }
      }
      if (snapshot.invalid) snapshot.complete = false;
      else if (token === "string" && !isKey) replace(read());
      return root;
    },
  };
  return snapshot;
}
