/** What keys of known vendors look like, tokens, and credentials in headers and URLs. */
const shapes = new RegExp(
  [
    String.raw`\b(?:sk|rk|pk|gsk|xai|key|csk|pplx|nvapi|glpat|xox[abprs])-[A-Za-z0-9_-]{8,}`,
    String.raw`\b(?:gsk|hf|r8|fw|tgp|csk|pplx|gh[opsu]|github_pat|sk|rk|pk)_[A-Za-z0-9_-]{16,}`,
    String.raw`\bAIza[A-Za-z0-9_-]{20,}`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{12,}`,
    String.raw`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`,
    String.raw`\bBearer\s+[A-Za-z0-9._~+/=-]{8,}`,
    String.raw`([?&](?:key|api_key|token|access_token)=)[^&\s"'\\]+`,
  ].join("|"),
  "gi",
);

/** What is shorter could be any word. */
export const SHORTEST_KEY = 4;

/** Replaces keys: those that are known, and everything that looks like one. */
export function scrub(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret === undefined || secret.length < SHORTEST_KEY) continue;
    clean = clean.replaceAll(secret, "[key]");
    // In URLs it differs by what is written with a per cent sign.
    if (!clean.includes("%")) continue;
    const inUrl = encodeURIComponent(secret);
    if (inUrl !== secret) clean = clean.replaceAll(inUrl, "[key]");
  }
  return clean.replace(shapes, (_whole, parameter: string | undefined) => `${parameter ?? ""}[key]`);
}

/** The same in every string of a JSON value, keys of objects included. What holds no key comes back as it is. */
export function scrubJson<T>(value: T, secrets: readonly (string | undefined)[]): T {
  return scrubValue(value, secrets) as T;
}

function scrubValue(value: unknown, secrets: readonly (string | undefined)[]): unknown {
  if (typeof value === "string") return scrub(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => scrubValue(item, secrets));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([key, item]) => [scrub(key, secrets), scrubValue(item, secrets)] as const);
  const same = clean.every(([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1]);
  return same ? value : Object.fromEntries(clean);
}

/** Text of others on one line of a terminal: no control characters, no end of line, not too long. */
export function printable(text: string, length = 80): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
