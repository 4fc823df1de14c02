import type { ProtocolId } from "@rolecall/core";
import { RolecallError } from "@rolecall/core";
import type { Pool } from "undici";
// The pool alone: the package as a whole loads a browser's fetch, sockets and caches, which takes three times as long.
import PoolClass from "undici/lib/dispatcher/pool.js";
import type { Service, Timeouts } from "../options.ts";
import { guardedLookup, upstreamPath } from "./url.ts";

export type UpstreamHeaders = { readonly [name: string]: string | string[] | undefined };

/** What happens to one request of a service. Exactly one of `onEnd` and `onError` is called, and nothing after it. */
export interface UpstreamListener {
  onHead(status: number, headers: UpstreamHeaders): void;
  /** False: the flow stops until `resume`. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onError(error: UpstreamFailure): void;
}

export type FailureStage = "connect" | "firstByte" | "idle" | "total" | "answer" | "aborted";

/** The service could not be reached, or its answer broke off. */
export class UpstreamFailure extends RolecallError {
  readonly stage: FailureStage;
  constructor(stage: FailureStage, message: string, cause?: unknown) {
    super("transport", message, cause === undefined ? undefined : { cause });
    this.stage = stage;
  }
}

export interface UpstreamRequest {
  readonly method: "GET" | "POST";
  /** Below the base URL, with query. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: Uint8Array;
}

export interface Flow {
  resume(): void;
  abort(): void;
  /** Something arrived that is progress; the clock of `idle` starts anew. */
  progress(): void;
}

/** A connection pool to the one service that a gateway knows. */
export interface Upstream {
  readonly protocol: ProtocolId;
  send(request: UpstreamRequest, listener: UpstreamListener): Flow;
  close(): Promise<void>;
}

export function createUpstream(service: Service, timeouts: Required<Timeouts>): Upstream {
  // The clocks are our own: those of undici tick once a second, and know nothing of what counts as progress.
  const pool = new PoolClass(service.url.origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeouts.connect, lookup: guardedLookup },
    connections: null,
    pipelining: 1,
  });
  return {
    protocol: service.protocol,
    send: (request, listener) => dispatch(pool, service, timeouts, request, listener),
    close: () => pool.destroy(),
  };
}

function dispatch(
  pool: Pool,
  service: Service,
  timeouts: Required<Timeouts>,
  request: UpstreamRequest,
  listener: UpstreamListener,
): Flow {
  let controller: { abort(reason: Error): void; resume(): void; pause(): void } | undefined;
  let over = false;
  let started = false;
  let failure: UpstreamFailure | undefined;
  const total = setTimeout(() => fail("total", `no complete answer within ${timeouts.total} ms`), timeouts.total);
  let clock = setTimeout(onFirstByteTimeout, timeouts.firstByte + timeouts.connect);
  total.unref();

  function onFirstByteTimeout(): void {
    fail("firstByte", `no answer within ${timeouts.firstByte} ms`);
  }
  function settle(): void {
    over = true;
    clearTimeout(total);
    clearTimeout(clock);
  }
  function fail(stage: FailureStage, message: string): void {
    if (over) return;
    failure = new UpstreamFailure(stage, message);
    const reached = controller;
    settle();
    reached?.abort(failure);
    if (stage !== "aborted") listener.onError(failure);
  }

  pool.dispatch(
    {
      method: request.method,
      path: upstreamPath(service.url, request.path),
      headers: request.headers,
      body: request.body ?? null,
    },
    {
      onRequestStart(control) {
        controller = control;
        // It was given up before a connection was free.
        if (over) control.abort(failure ?? new UpstreamFailure("aborted", "given up"));
      },
      onResponseStart(_control, status, headers) {
        if (over || status < 200) return;
        started = true;
        clearTimeout(clock);
        clock = setTimeout(() => fail("idle", `nothing new for ${timeouts.idle} ms`), timeouts.idle);
        listener.onHead(status, headers);
      },
      onResponseData(control, chunk) {
        if (!over && !listener.onData(chunk)) control.pause();
      },
      onResponseEnd() {
        if (over) return;
        settle();
        listener.onEnd();
      },
      onResponseError(_control, error) {
        if (over) return;
        settle();
        listener.onError(
          started
            ? new UpstreamFailure("answer", "the answer broke off", error)
            : new UpstreamFailure("connect", reasonOf(error), error),
        );
      },
    },
  );
  return {
    resume: () => controller?.resume(),
    abort: () => fail("aborted", "the client went away"),
    progress: () => {
      if (!over) clock.refresh();
    },
  };
}

/** Words for what the system says, without addresses and names. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  switch (code) {
    case "ECONNREFUSED":
      return "the connection was refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "its name cannot be resolved";
    case "UND_ERR_CONNECT_TIMEOUT":
      return "no connection in time";
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "it closed the connection without an answer";
    default:
      return typeof code === "string" ? `no connection (${code})` : "no connection";
  }
}
