import type { Json, Loss, Pointer } from "../ir/index.ts";

export { nearest } from "./nearest.ts";

/** The root of every error that Rolecall throws. `code` is stable; the message says what, where and how to mend. */
export class RolecallError extends Error {
  /** A named mark, so that errors of another copy of the package are recognised. */
  readonly isRolecallError: true = true;
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** The input is not what its protocol demands. `path` leads to the place; for text that is not JSON, `line` and `column` count from 1. */
export class DecodeError extends RolecallError {
  readonly path: Pointer;
  readonly line?: number;
  readonly column?: number;
  constructor(
    path: Pointer,
    message: string,
    position?: { readonly line: number; readonly column: number },
    options?: ErrorOptions,
  ) {
    super("decode", message, options);
    this.path = path;
    if (position !== undefined) {
      this.line = position.line;
      this.column = position.column;
    }
  }
}

/** The value cannot be written in the target protocol. */
export class EncodeError extends RolecallError {
  readonly path: Pointer;
  constructor(path: Pointer, message: string) {
    super("encode", message);
    this.path = path;
  }
}

/** The target cannot do this at all. `fallbacks` names what the caller may ask for instead, through `target.fallbacks[feature]`. */
export class UnsupportedError extends RolecallError {
  readonly feature: string;
  readonly path: Pointer;
  readonly fallbacks: readonly string[];
  constructor(feature: string, path: Pointer, message: string, fallbacks: readonly string[] = []) {
    super("unsupported", message);
    this.feature = feature;
    this.path = path;
    this.fallbacks = fallbacks;
  }
}

/** The policy refused losses of this conversion. */
export class LossError extends RolecallError {
  readonly losses: readonly Loss[];
  constructor(losses: readonly Loss[]) {
    const first = losses[0];
    const more = losses.length > 1 ? ` and ${losses.length - 1} more` : "";
    super(
      "loss",
      `refused by the loss policy: ${first?.code ?? "loss"} at ${first?.path || first?.targetPath || "/"}${more}`,
    );
    this.losses = losses;
  }
}

export type ProviderErrorKind =
  | "invalid_request"
  | "authentication"
  | "permission"
  | "not_found"
  | "rate_limit"
  | "overloaded"
  | "context_length"
  | "content_filter"
  | "billing"
  | "server"
  | "timeout"
  | "unknown";

export interface ProviderErrorDetails {
  /** HTTP status; absent for errors inside a stream. */
  readonly status?: number;
  readonly kind: ProviderErrorKind;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** The service's own type and code words. */
  readonly type?: string;
  readonly providerCode?: string;
  /** The request parameter that the service blames. */
  readonly param?: string;
  /** The body as received. */
  readonly raw?: Json;
}

/** A service refused or failed. */
export class ProviderError extends RolecallError {
  readonly details: ProviderErrorDetails;
  constructor(message: string, details: ProviderErrorDetails) {
    super("provider", message);
    this.details = details;
  }
  get kind(): ProviderErrorKind {
    return this.details.kind;
  }
  get status(): number | undefined {
    return this.details.status;
  }
  get retryable(): boolean {
    return this.details.retryable;
  }
}

/**
 * How a service could not be reached: its name is not known, it takes no connection, its certificate is not trusted, the connection broke, or a
 * limit of time ran out: until the first byte of the answer, between two events of it, or for all of it.
 */
export type TransportErrorKind =
  | "dns"
  | "refused"
  | "tls"
  | "reset"
  | "connectTimeout"
  | "firstByteTimeout"
  | "idleTimeout"
  | "totalTimeout"
  | "network";

/** A service could not be reached, or its answer broke off. */
export class TransportError extends RolecallError {
  readonly kind: TransportErrorKind;
  /** Asking again may help. */
  readonly retryable: boolean;
  constructor(kind: TransportErrorKind, message: string, options?: ErrorOptions) {
    super("transport", message, options);
    this.kind = kind;
    this.retryable = kind !== "tls" && kind !== "totalTimeout";
  }
}

/** A configuration value or file is wrong. */
export class ConfigError extends RolecallError {
  readonly file?: string;
  readonly path: Pointer;
  constructor(path: Pointer, message: string, file?: string) {
    super("config", message);
    this.path = path;
    if (file !== undefined) this.file = file;
  }
}

/** A stream broke in a way that no error frame can tell: it is not readable at all, or it was abandoned. */
export class StreamError extends RolecallError {
  /** What had been decoded before, as far as it was kept. */
  readonly events: readonly object[];
  constructor(message: string, events: readonly object[] = [], options?: ErrorOptions) {
    super("stream", message, options);
    this.events = events;
  }
}
