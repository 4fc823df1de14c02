/** Headers that may hold a credential, by name; and all others that sound as if they did. */
const secret =
  /^(?:authorization|proxy-authorization|cookie|set-cookie)$|key|token|secret|credential|signature|password/i;
/** Counts of tokens are no secrets. */
const harmless = /^(?:anthropic-|x-)?ratelimit-/i;

/** Headers as they may be written down. */
export function redacted(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secret.test(name) && !harmless.test(name) ? "[redacted]" : value,
    ]),
  );
}
