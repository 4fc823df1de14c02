import type { Json } from "@rolecall/core";
import { createRandom } from "./leaves.ts";

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz";

/** A word that stands nowhere in a text: eight letters, so that it is valid in names, in Base64 and in JSON text. */
export function createToken(seed: number, absentFrom: string): string {
  const random = createRandom(seed);
  for (;;) {
    let token = "Zq";
    while (token.length < 8) token += letters[Math.floor(random() * letters.length)];
    if (!absentFrom.includes(token)) return token;
  }
}

/** A leaf in other words. `marked`: the token is in it, so that it can be looked for. */
export interface Change {
  readonly value: Json;
  readonly marked: boolean;
}

const dataUrl = /^data:[^,]{0,200};base64,/;
const base64 = /^[A-Za-z0-9+/_-]{24,}={0,2}$/;

/** Ways to change a leaf that keep its type, the likeliest to be accepted first. */
export function changesOf(value: Json, token: string, content: boolean): readonly Change[] {
  const marked = (...values: readonly Json[]): Change[] => values.map((item) => ({ value: item, marked: true }));
  if (value === null) return marked(token);
  if (typeof value === "object") return marked(Array.isArray(value) ? [token] : { [token]: token });
  if (typeof value === "boolean") return [{ value: !value, marked: false }];
  if (typeof value === "number") return changedNumbers(value).map((item) => ({ value: item, marked: false }));
  const prefix = dataUrl.exec(value)?.[0];
  if (prefix !== undefined) return marked(prefix + withinBase64(value.slice(prefix.length), token));
  if (base64.test(value)) return marked(withinBase64(value, token));
  const json = withinJson(value, token);
  if (json !== undefined) return marked(json);
  return content ? marked(value + token, token + value) : marked(value + token);
}

/** Numbers nearby first, where they are likely in range; one far away shows behind a coarse mapping. */
function changedNumbers(value: number): readonly number[] {
  if (!Number.isInteger(value)) return [value >= 0.5 ? value - 0.25 : value + 0.25, value + 1];
  return value === 0 || value === 1 ? [1 - value, 7] : [value + 1, (Math.abs(value) + 3) * 10];
}

/** Before the last group of four, so that padding stays at the end. */
function withinBase64(text: string, token: string): string {
  const place = Math.max(0, Math.floor((text.length - 1) / 4) * 4);
  return text.slice(0, place) + token + text.slice(place);
}

/** JSON text with one more member or element; undefined for a text that is no JSON object or array. */
function withinJson(text: string, token: string): string | undefined {
  const open = /^\s*[{[]/.exec(text)?.[0];
  if (open === undefined) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const rest = text.slice(open.length);
  const member = open.endsWith("{") ? `"${token}":"${token}"` : `"${token}"`;
  const comma = /^\s*[}\]]/.test(rest) ? "" : ",";
  return `${open}${member}${comma}${rest}`;
}
