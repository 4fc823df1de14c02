import type { GatewayOptions } from "../options.ts";

export interface Refusal {
  readonly status: number;
  readonly kind: "permission" | "invalid_request";
  readonly message: string;
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a gateway that listens there is reached under every address of the machine. */
export function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Host of a `host` header without its port, in lower case. */
function hostName(header: string): string {
  return header.trim().toLowerCase().replace(/:\d+$/, "");
}

/**
 * Refuses what does not come from a program on this machine that means this gateway: requests under a foreign name (a name that was rebound to
 * the loopback), from foreign web pages, and bodies that a web page can send without asking.
 */
export function createGuard(options: GatewayOptions, listening?: string) {
  const hosts = new Set([...loopback, ...(options.hosts ?? []).map((host) => host.toLowerCase())]);
  if (listening !== undefined && !isWildcard(listening))
    hosts.add(listening.includes(":") ? `[${listening}]` : listening.toLowerCase());
  const origins = new Set(options.origins ?? []);
  /** The header that was good last; most clients send the same one each time. */
  let known: string | undefined;
  return (
    method: string,
    headers: { readonly [name: string]: string | undefined },
    port: number | undefined,
  ): Refusal | undefined => {
    const host = headers["host"];
    if (host === undefined || (host !== known && !hosts.has(hostName(host)))) {
      return {
        status: 403,
        kind: "permission",
        message: "the gateway is not addressed under this name; add it to its hosts (--allow-host)",
      };
    }
    known = host;
    const origin = headers["origin"];
    if (origin !== undefined && !origins.has(origin) && !isOwnOrigin(origin, port)) {
      return {
        status: 403,
        kind: "permission",
        message: "web pages of this origin may not use the gateway; add it to its origins (--allow-origin)",
      };
    }
    if (method === "POST" && hasBody(headers) && !isJson(headers["content-type"])) {
      return { status: 415, kind: "invalid_request", message: "send the body as content-type: application/json" };
    }
    const encoding = headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      return { status: 415, kind: "invalid_request", message: "send the body without content-encoding" };
    }
    return undefined;
  };
}

/** Clients send a POST that says all by its path without one, and then without its type. */
function hasBody(headers: { readonly [name: string]: string | undefined }): boolean {
  return (
    headers["content-type"] !== undefined ||
    Number(headers["content-length"] ?? 0) !== 0 ||
    "transfer-encoding" in headers
  );
}

function isJson(type: string | undefined): boolean {
  return type === "application/json" || (type !== undefined && /^application\/json\s*(?:;|$)/i.test(type));
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  const found = /^http:\/\/([^/]+?)(?::(\d+))?$/.exec(origin.toLowerCase());
  return found !== null && loopback.has(found[1] ?? "") && Number(found[2] ?? 80) === port;
}
