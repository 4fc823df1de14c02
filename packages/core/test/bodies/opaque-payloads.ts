import { escapeSegment } from "@rolecall/core";

/** A value that only its issuer may see, and where it stands. */
export interface Payload {
  readonly path: string;
  readonly text: string;
}

const keys: ReadonlySet<string> = new Set([
  "signature",
  "thought_signature",
  "thoughtSignature",
  "reasoning_opaque",
  "fallback_credit_token",
]);
/** What the caller or a tool writes: a key there means nothing to a protocol. */
const free: ReadonlySet<string> = new Set(["input", "input_schema", "parameters", "schema", "metadata"]);

/** The payloads that only their issuer may see, wherever a body holds them. */
export function opaquePayloads(value: unknown, path = "", found: Payload[] = []): readonly Payload[] {
  if (typeof value !== "object" || value === null) return found;
  const { type } = value as { readonly type?: unknown };
  for (const [key, item] of Object.entries(value)) {
    const place = `${path}/${escapeSegment(key)}`;
    const isPayload =
      keys.has(key) ||
      key.startsWith("encrypted_") ||
      (key === "data" && (type === "redacted_thinking" || type === "reasoning.encrypted"));
    if (isPayload && typeof item === "string" && item.length >= 8) found.push({ path: place, text: item });
    // The input of a request of Responses is its list of items.
    else if (!free.has(key) || (key === "input" && Array.isArray(item))) opaquePayloads(item, place, found);
  }
  return found;
}

/** Payloads of `body` that stand in what was made of it for somebody else. */
export function leaks(body: unknown, sent: unknown): string[] {
  const payloads = opaquePayloads(body);
  if (payloads.length === 0) return [];
  const text = JSON.stringify(sent);
  const elsewhere = JSON.stringify(body);
  const count = (of: string, piece: string): number => of.split(piece).length - 1;
  return payloads
    .filter((payload) => {
      const piece = JSON.stringify(payload.text).slice(1, -1);
      // The same words can stand where they are no payload: generated texts repeat.
      const own = payloads.reduce((sum, other) => sum + count(JSON.stringify(other.text).slice(1, -1), piece), 0);
      // Arguments that are text in one protocol are an object in another.
      const nested = JSON.stringify(piece).slice(1, -1);
      const repeated = nested === piece ? 0 : count(elsewhere, nested);
      return count(text, piece) > Math.max(0, count(elsewhere, piece) - own) + repeated;
    })
    .map(({ path }) => path);
}
