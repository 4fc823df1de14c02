/** What keys of known vendors look like, and credentials in headers and URLs. */
const shapes =
  /\b(?:sk|rk|pk|gsk|xai|key)-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}|([?&](?:key|api_key|token|access_token)=)[^&\s"'\\]+/gi;

/** Replaces keys: those that are known, and everything that looks like one. */
export function scrub(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== undefined && secret.length >= 4) clean = clean.replaceAll(secret, "[key]");
  }
  return clean.replace(shapes, (_whole, parameter: string | undefined) => `${parameter ?? ""}[key]`);
}

/** The same in every string of a JSON value, keys of objects included. */
export function scrubJson(value: unknown, secrets: readonly (string | undefined)[]): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) return value;
  const clean = scrub(text, secrets);
  return clean === text ? value : JSON.parse(clean);
}

/** Text of others on one line of a terminal: no control characters, no end of line, not too long. */
export function printable(text: string, length = 80): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
