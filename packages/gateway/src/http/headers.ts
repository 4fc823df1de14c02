import type { ProtocolId } from "@rolecall/core";
import { familyOf } from "../families/index.ts";
import type { Settled } from "../options.ts";
import type { UpstreamHeaders } from "../upstream/upstream.ts";
import { SHORTEST_KEY, scrub } from "./secrets.ts";
import type { Call } from "./sink.ts";

/** Of the service's headers these reach the client, whatever the protocols, and all that tell of rate limits. */
const returned: ReadonlySet<string> = new Set([
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "request-id",
  "x-request-id",
]);
const rateLimit = /^(?:x-|anthropic-)ratelimit-[a-z0-9-]+$/;
/** And these where the bytes of the answer do. */
const returnedWithBytes: ReadonlySet<string> = new Set([
  "content-type",
  "content-encoding",
  "content-length",
  "anthropic-version",
  "openai-version",
  "openai-processing-ms",
]);

/** The key that a client presents, wherever its SDK puts it. */
export function clientKey({ headers, query }: Pick<Call, "headers" | "query">): string | undefined {
  const { authorization } = headers;
  const bearer = authorization === undefined ? undefined : /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  const stated = headers["x-api-key"] ?? headers["x-goog-api-key"] ?? bearer ?? headers["api-key"];
  return stated ?? (query === "" ? undefined : queryKey(query));
}

/** As Gemini's clients may send it; in a query there may stand what no header can carry. */
function queryKey(query: string): string | undefined {
  const key = new URLSearchParams(query).get("key");
  return key === null || !/^[\x21-\x7e]+$/.test(key) ? undefined : key;
}

/** The headers of a request to the service: what the protocol needs, and its own key. */
export function upstreamHeaders(
  settled: Settled,
  call: Pick<Call, "headers" | "query">,
  from: ProtocolId,
  stated: { readonly version?: string; readonly betas?: readonly string[] } = {},
): Record<string, string> {
  const service = settled.service;
  if (service === undefined) return {};
  const family = familyOf(service.protocol);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "rolecall/0.1.0",
  };
  if (from === service.protocol) {
    for (const name of family.forwarded) {
      const value = call.headers[name];
      if (value !== undefined) headers[name] = value;
    }
  }
  const key = settled.options.passKey === true ? clientKey(call) : service.key;
  if (service.protocol === "anthropic-messages") {
    headers["anthropic-version"] ??= stated.version ?? service.profile.apiVersion ?? "2026-10-21";
    if (stated.betas !== undefined && stated.betas.length > 0) headers["anthropic-beta"] = stated.betas.join(",");
  }
  return key === undefined ? headers : Object.assign(headers, family.keyHeaders(key, headers["anthropic-version"]));
}

function isReturned(name: string): boolean {
  return returned.has(name) || (name.includes("ratelimit-") && rateLimit.test(name));
}

/** What nearly all answers have, and no key is. */
const plainTypes: ReadonlySet<string> = new Set(["application/json", "text/event-stream"]);
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** The headers of an answer that reach the client, without keys; more of them where the bytes of the answer do. */
export function answerHeaders(
  headers: UpstreamHeaders,
  withBytes: boolean,
  secrets: readonly (string | undefined)[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || (!(withBytes && returnedWithBytes.has(name)) && !isReturned(name))) continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    if (plainTypes.has(text)) {
      kept[name] = text;
      continue;
    }
    // An id may come from a body, where it may be anything.
    if (unsendable.test(text)) continue;
    // Most are short figures.
    kept[name] = text.length < SHORTEST_KEY ? text : scrub(text, secrets);
  }
  return kept;
}

/** Each family of clients looks for the id of an exchange in its own header. */
export function renameRequestId(headers: Record<string, string>, to: ProtocolId): Record<string, string> {
  const { "request-id": own, "x-request-id": other } = headers;
  const id = own ?? other;
  if (id === undefined) return headers;
  const { "request-id": _own, "x-request-id": _other, ...rest } = headers;
  return { ...rest, [familyOf(to).requestId]: id };
}
