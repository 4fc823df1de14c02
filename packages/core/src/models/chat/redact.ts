import type { Json } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";

const REDACTED = "[redacted]";

/** Names of headers and parameters that may hold a credential; and all others that sound as if they did. */
const secret =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|sig)$|key|token|secret|credential|signature|password/i;
/** Counts of tokens are no secrets. */
const harmless = /^(?:anthropic-|x-)?ratelimit-/i;

const isSecret = (name: string): boolean => secret.test(name) && !harmless.test(name);

/** Shorter ones are found in too many words, and guessed anyway. */
const SHORTEST = 8;

/** The credentials that some headers hold, without the word for their kind. */
export function secretsOf(headers: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => isSecret(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic|Token) +/i, ""))
    .filter(({ length }) => length >= SHORTEST);
}

/** Headers as they may be written down. */
export function redactedHeaders(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? REDACTED : value]));
}

/** A URL as it may be written down. */
export function redactedUrl(url: URL): string {
  const names = [...url.searchParams.keys()].filter(isSecret);
  if (names.length === 0) return url.href;
  const shown = new URL(url);
  for (const name of names) shown.searchParams.set(name, REDACTED);
  return shown.href;
}

/** A value without the secrets that stand in its texts: services say keys again in what they complain of. */
export function scrubbed<T extends Json>(value: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? value : (scrubValue(value, secrets) as T);
}

function scrubValue(value: Json, secrets: readonly string[]): Json {
  if (typeof value === "string")
    return secrets.reduce((text, item) => (text.includes(item) ? text.replaceAll(item, REDACTED) : text), value);
  if (Array.isArray(value)) return value.map((item: Json) => scrubValue(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, scrubValue(item as Json, secrets)]));
}
