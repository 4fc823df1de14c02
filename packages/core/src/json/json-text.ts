import { DecodeError } from "../errors/index.ts";
import type { Json } from "../ir/index.ts";

/** Reads JSON text. A DecodeError names line and column, and never quotes the text. */
export function readJson(text: string): Json {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return JSON.parse(source) as Json;
  } catch (cause) {
    const offset = errorOffset(source);
    const before = source.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - (before.lastIndexOf("\n") + 1) + 1;
    const where = `line ${line}, column ${column}`;
    const what = offset >= source.length ? "the text ends too early" : "unexpected character";
    throw new DecodeError("", `not valid JSON: ${what} at ${where}`, { line, column }, { cause });
  }
}

/** Reads JSON from UTF-8 bytes. */
export function readJsonBytes(bytes: Uint8Array): Json {
  return readJson(readText(bytes));
}

/** UTF-8 bytes as text. */
export function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DecodeError("", "not valid UTF-8: send the body as UTF-8 text", undefined, { cause });
  }
}

const space = /[\t\n\r ]*/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const plain = new RegExp(`[^"\\\\${String.fromCharCode(0)}-${String.fromCharCode(31)}]*`, "y");
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Where a text stops being JSON. Only called for texts that are not; no recursion, so that depth costs nothing. */
function errorOffset(text: string): number {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return false;
    at = pattern.lastIndex;
    return found[0].length > 0;
  };
  const string = (): boolean => {
    if (text[at] !== '"') return false;
    at++;
    do skip(plain);
    while (skip(escaped));
    if (text[at] !== '"') return false;
    at++;
    return true;
  };
  const open: ("{" | "[")[] = [];
  /** What may come next: a value, a key, or what follows a value. */
  let expect: "value" | "key" | "after" = "value";
  let canClose = false;
  for (;;) {
    skip(space);
    const character = text[at];
    if (expect === "after") {
      const top = open.at(-1);
      if (top === undefined) return at;
      if (character === ",") {
        at++;
        expect = top === "{" ? "key" : "value";
        canClose = false;
      } else if (character === (top === "{" ? "}" : "]")) {
        at++;
        open.pop();
      } else return at;
      continue;
    }
    if (canClose && character === (open.at(-1) === "{" ? "}" : "]")) {
      at++;
      open.pop();
      expect = "after";
      continue;
    }
    canClose = false;
    if (expect === "key") {
      if (!string()) return at;
      skip(space);
      if (text[at] !== ":") return at;
      at++;
      expect = "value";
    } else if (character === "{" || character === "[") {
      at++;
      open.push(character);
      expect = character === "{" ? "key" : "value";
      canClose = true;
    } else if (character === '"') {
      if (!string()) return at;
      expect = "after";
    } else if (skip(literal)) expect = "after";
    else return at;
  }
}
