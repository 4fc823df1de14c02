import type { ProtocolId } from "@rolecall/core";
import type { Settled } from "../options.ts";
import type { UpstreamHeaders } from "../upstream/upstream.ts";

/** Of the client's headers these reach a service of the same protocol. Nothing else does, credentials least of all. */
const forwarded: { readonly [P in ProtocolId]?: readonly string[] } = {
  "openai-chat": ["accept", "idempotency-key", "openai-beta", "x-client-request-id"],
  "anthropic-messages": ["accept", "anthropic-version", "anthropic-beta", "idempotency-key", "x-client-request-id"],
};

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

type ClientHeaders = { readonly [name: string]: string | undefined };

/** The key that a client presents, whichever header its SDK puts it in. */
export function clientKey(headers: ClientHeaders): string | undefined {
  const { authorization } = headers;
  const bearer = authorization === undefined ? undefined : /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  return headers["x-api-key"] ?? bearer ?? headers["api-key"];
}

/** The headers of a request to the service: what the protocol needs, and its own key. */
export function upstreamHeaders(
  settled: Settled,
  client: ClientHeaders,
  from: ProtocolId,
  stated: { readonly version?: string; readonly betas?: readonly string[] } = {},
): Record<string, string> {
  const service = settled.service;
  if (service === undefined) return {};
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "rolecall/0.1.0",
  };
  if (from === service.protocol) {
    for (const name of forwarded[from] ?? []) {
      const value = client[name];
      if (value !== undefined) headers[name] = value;
    }
  }
  const key = settled.options.passKey === true ? clientKey(client) : service.key;
  if (service.protocol === "anthropic-messages") {
    headers["anthropic-version"] ??= stated.version ?? service.profile.apiVersion ?? "2026-10-21";
    if (stated.betas !== undefined && stated.betas.length > 0) headers["anthropic-beta"] = stated.betas.join(",");
    if (key !== undefined) Object.assign(headers, anthropicKey(key, headers["anthropic-version"]));
  } else if (key !== undefined) headers["authorization"] = `Bearer ${key}`;
  return headers;
}

/** Its SDKs send the key as a bearer token since version 2026-10-21, and as `x-api-key` before. */
function anthropicKey(key: string, version: string): Record<string, string> {
  return version < "2026-10-21" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
}

function isReturned(name: string): boolean {
  return returned.has(name) || (name.includes("ratelimit-") && rateLimit.test(name));
}

export function answerHeaders(headers: UpstreamHeaders, withBytes: boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || (!(withBytes && returnedWithBytes.has(name)) && !isReturned(name))) continue;
    kept[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return kept;
}

/** Each family of clients looks for the id of an exchange in its own header. */
export function renameRequestId(headers: Record<string, string>, to: ProtocolId): Record<string, string> {
  const { "request-id": own, "x-request-id": other } = headers;
  const id = own ?? other;
  if (id === undefined) return headers;
  const { "request-id": _own, "x-request-id": _other, ...rest } = headers;
  return { ...rest, [to === "anthropic-messages" ? "request-id" : "x-request-id"]: id };
}
