import type { TransportErrorKind } from "../../errors/index.ts";
import { TransportError } from "../../errors/index.ts";

/** Codes of Node and undici. Certificates have many of them, with names of their own. */
const kinds: { readonly [code: string]: TransportErrorKind } = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_NODATA: "dns",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  ETIMEDOUT: "connectTimeout",
  UND_ERR_CONNECT_TIMEOUT: "connectTimeout",
  UND_ERR_HEADERS_TIMEOUT: "firstByteTimeout",
  UND_ERR_BODY_TIMEOUT: "idleTimeout",
  EPROTO: "tls",
};
const certificate = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

const messages: { readonly [K in TransportErrorKind]: string } = {
  dns: "its name is not known: check the base URL, and the network",
  refused: "it takes no connection: check the base URL, and whether the server runs",
  tls: "its certificate is not trusted: state the authority that signed it, as NODE_EXTRA_CA_CERTS does",
  reset: "the connection broke",
  connectTimeout: "it could not be reached in time",
  firstByteTimeout: "it did not begin to answer in time",
  idleTimeout: "its answer stopped for too long",
  totalTimeout: "its answer took too long",
  network: "the network failed",
};

/** The error of a service that could not be reached. Of the cause only its code is told: its words may hold anything. */
export function transportError(host: string, kind: TransportErrorKind, cause?: unknown): TransportError {
  const code = codeOf(cause);
  const told = code === undefined ? "" : ` (${code})`;
  return new TransportError(kind, `${host}: ${messages[kind]}${told}`, cause === undefined ? undefined : { cause });
}

/** The same for what `fetch`, or reading its answer, threw. */
export function readFailure(host: string, cause: unknown): TransportError {
  if (cause instanceof TransportError) return cause;
  const code = codeOf(cause) ?? "";
  const kind = kinds[code] ?? (certificate.test(code) ? "tls" : "network");
  return transportError(host, kind, cause);
}

/** The code of an error, or of one below it: `fetch` hides them, and several addresses give several. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const { code, cause, errors } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: unknown;
  };
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  return codeOf(cause, depth + 1) ?? (Array.isArray(errors) ? codeOf(errors[0], depth + 1) : undefined);
}
