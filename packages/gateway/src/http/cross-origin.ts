import type { Call } from "./sink.ts";

/** What the SDKs of all families send from a browser. */
const allowed: ReadonlySet<string> = new Set([
  ...["accept", "content-type", "user-agent", "authorization", "x-api-key", "api-key", "x-goog-api-key"],
  ...["anthropic-version", "anthropic-beta", "anthropic-dangerous-direct-browser-access"],
  ...["openai-beta", "openai-organization", "openai-project", "x-goog-api-client", "x-server-timeout"],
  ...["idempotency-key", "x-client-request-id"],
]);
const ofSdk = /^x-stainless-[a-z-]+$/;
const methods: readonly string[] = ["GET", "HEAD", "POST"];

const exposed = [
  ...["rolecall-losses", "rolecall-estimate", "rolecall-model", "rolecall-models"],
  ...["request-id", "x-request-id", "retry-after", "retry-after-ms", "x-should-retry"],
].join(", ");

/** What a web page of an allowed origin is told beside an answer, so that its browser hands the answer on. */
export interface CrossOrigin {
  /** Undefined for calls that no page of an allowed origin makes. */
  headersFor(call: Pick<Call, "headers">): { readonly [name: string]: string } | undefined;
  /** What a browser is told that asks beforehand; undefined for calls that do not. Credentials of the browser are never allowed. */
  preflight(call: Pick<Call, "headers" | "method">): { readonly [name: string]: string } | undefined;
}

/** https://fetch.spec.whatwg.org/#http-cors-protocol, for the stated origins alone. */
export function createCrossOrigin(origins: readonly string[] = []): CrossOrigin {
  const known = new Set(origins);
  const headersFor = ({ headers }: Pick<Call, "headers">) => {
    const { origin } = headers;
    if (origin === undefined || !known.has(origin)) return undefined;
    return { "access-control-allow-origin": origin, vary: "Origin", "access-control-expose-headers": exposed };
  };
  return {
    headersFor,
    preflight(call) {
      const method = call.headers["access-control-request-method"];
      if (call.method !== "OPTIONS" || method === undefined || headersFor(call) === undefined) return undefined;
      const asked = (call.headers["access-control-request-headers"] ?? "")
        .split(",")
        .map((name) => name.trim().toLowerCase())
        .filter((name) => allowed.has(name) || ofSdk.test(name));
      return {
        ...(methods.includes(method) && { "access-control-allow-methods": method }),
        ...(asked.length > 0 && { "access-control-allow-headers": asked.join(", ") }),
        ...(call.headers["access-control-request-private-network"] === "true" && {
          "access-control-allow-private-network": "true",
        }),
        "access-control-max-age": "600",
      };
    },
  };
}
