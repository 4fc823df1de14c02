import type { Transform } from "node:stream";
import type { ProtocolId } from "@rolecall/core";
import { RolecallError } from "@rolecall/core";
import type { Service, Timeouts } from "../options.ts";
import type { Deferred } from "../turn.ts";
import { atEndOfTurn } from "../turn.ts";
import type { Clock, Ticking } from "./clock.ts";
import { createClock } from "./clock.ts";
import type { Asked, Connections } from "./connections.ts";
import { createConnections } from "./connections.ts";
import { createExpander, expandedHeaders } from "./expand.ts";
import { basePath } from "./url.ts";

export type UpstreamHeaders = { readonly [name: string]: string | string[] | undefined };

/** What happens to one request of a service. Exactly one of `onEnd` and `onError` is called, and nothing after it. */
export interface UpstreamListener {
  onHead(status: number, headers: UpstreamHeaders): void;
  /** All that came at once. False: the flow stops until `resume`. */
  onData(bytes: Buffer): boolean;
  /** `rest`: what came together with the end. */
  onEnd(rest: Buffer | undefined): void;
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
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the base URL, with query. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  /** In one piece or several. */
  readonly body?: Uint8Array | readonly Uint8Array[];
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

/** Milliseconds of a tick: a tenth of the shortest limit, within bounds. */
function precisionOf({ connect, firstByte, idle, total }: Required<Timeouts>): number {
  return Math.min(1000, Math.max(5, Math.min(firstByte + connect, idle, total) / 10));
}

export function createUpstream(service: Service, timeouts: Required<Timeouts>): Upstream {
  const connections = createConnections(service, timeouts);
  const base = basePath(service.url);
  const clock = createClock(precisionOf(timeouts));
  return {
    protocol: service.protocol,
    send({ method, path, headers, body }, listener) {
      const asked: Asked = isInPieces(body)
        ? { method, path: base + path, headers: withLength(headers, body), body: body as unknown as Uint8Array }
        : { method, path: base + path, headers, body: body ?? null };
      const flow = new UpstreamFlow(listener, timeouts, clock, connections, asked);
      connections.send(asked, flow);
      return flow;
    },
    async close() {
      await connections.close();
    },
  };
}

/** A body in pieces, which undici takes as whatever can be iterated over; its types do not say so. */
const isInPieces = (body: UpstreamRequest["body"]): body is readonly Uint8Array[] => Array.isArray(body);

function withLength(headers: UpstreamRequest["headers"], body: readonly Uint8Array[]): UpstreamRequest["headers"] {
  return { ...headers, "content-length": String(body.reduce((sum, piece) => sum + piece.length, 0)) };
}

/** Milliseconds in which a service that closes an idle connection may cross a request on its way. What breaks off later was being worked on. */
const RACE = 1000;

/** What undici lets its caller do with a request that runs. */
interface Controller {
  /** The headers as they came. */
  rawHeaders?: unknown;
  abort(reason: Error): void;
  resume(): void;
  pause(): void;
}

/**
 * One request. A service sends each event of a stream in a frame of its own, and many frames come with one read: they are handed on
 * together, when all of the read is there.
 */
class UpstreamFlow implements Flow, Ticking, Deferred {
  position = 0;
  readonly #listener: UpstreamListener;
  readonly #timeouts: Required<Timeouts>;
  readonly #clock: Clock;
  readonly #connections: Connections;
  /** What can be sent once more: while nothing of an answer is there. */
  #asked: Asked | undefined;
  /** When it was sent on a connection that had served others before. */
  #reusedAt: number | undefined;
  /** Ticks at which the answer, or the next piece of it, and the whole of it must be there. */
  #deadline: number;
  readonly #end: number;
  #controller: Controller | undefined;
  #over = false;
  #started = false;
  /** The other side is slow to read: what the service does not send meanwhile is not its fault. */
  #paused = false;
  #failure: UpstreamFailure | undefined;
  #head: { readonly status: number; readonly headers: UpstreamHeaders } | undefined;
  #first: Buffer | undefined;
  #others: Buffer[] | undefined;
  #scheduled = false;
  /** All of the answer is there. */
  #complete = false;
  #expander: Transform | undefined;

  constructor(
    listener: UpstreamListener,
    timeouts: Required<Timeouts>,
    clock: Clock,
    connections: Connections,
    asked: Asked,
  ) {
    this.#listener = listener;
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#connections = connections;
    this.#asked = asked;
    this.#deadline = clock.tick + clock.ticks(timeouts.firstByte + timeouts.connect);
    this.#end = clock.tick + clock.ticks(timeouts.total);
    clock.watch(this);
  }

  resume(): void {
    if (this.#paused) {
      this.#paused = false;
      this.progress();
    }
    this.#expander?.resume();
    this.#controller?.resume();
  }

  abort(): void {
    this.#fail("aborted", "the client went away");
  }

  progress(): void {
    this.#deadline = this.#clock.tick + this.#clock.ticks(this.#timeouts.idle);
  }

  onTick(tick: number): void {
    const { total, idle, firstByte } = this.#timeouts;
    if (tick >= this.#end) this.#fail("total", `no complete answer within ${total} ms`);
    else if (tick < this.#deadline || this.#paused) return;
    else if (this.#started) this.#fail("idle", `nothing new for ${idle} ms`);
    else this.#fail("firstByte", `no answer within ${firstByte} ms`);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    this.#reusedAt = this.#connections.isFresh ? undefined : Date.now();
    // It was given up before a connection was free.
    if (this.#over) controller.abort(this.#failure ?? new UpstreamFailure("aborted", "given up"));
  }

  /** The first byte of an answer, be it one or not. */
  onResponseStarted(): void {
    this.#asked = undefined;
  }

  onResponseStart(controller: Controller, status: number, headers: UpstreamHeaders): void {
    // They would hold all that came with them until the answer is over.
    controller.rawHeaders = null;
    if (this.#over || status < 200) return;
    this.#started = true;
    this.#head = { status, headers };
    this.progress();
    this.#schedule();
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#over) return;
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#others === undefined) this.#others = [this.#first, chunk];
    else this.#others.push(chunk);
    this.#schedule();
  }

  onResponseEnd(): void {
    this.#complete = true;
    this.#schedule();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const asked = this.#asked;
    if (asked !== undefined && !this.#over && this.#wasLost(error)) {
      this.#asked = undefined;
      this.#controller = undefined;
      this.#connections.sendAnew(asked, this);
      return;
    }
    this.run();
    if (this.#over) return;
    this.#settle();
    this.#listener.onError(this.#started ? failureOf(error) : new UpstreamFailure("connect", reasonOf(error), error));
  }

  /** Whether the service has surely, or as good as surely, not read the request: it closed a connection that it took for idle. */
  #wasLost(error: Error): boolean {
    const { code } = error as NodeJS.ErrnoException;
    // What came on the connection before the request was written is no answer to it.
    if (this.#controller === undefined) return code === "ECONNRESET" || isGarbage(error);
    const isClosed = code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
    return isClosed && this.#reusedAt !== undefined && Date.now() - this.#reusedAt < RACE;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    atEndOfTurn(this);
  }

  run(): void {
    this.#scheduled = false;
    if (this.#over) return;
    if (this.#complete) this.#finish();
    else this.#handOn();
  }

  #finish(): void {
    const rest = this.#take();
    try {
      this.#announce();
      if (this.#expander !== undefined) {
        this.#expander.end(rest);
        return;
      }
      this.#settle();
      this.#listener.onEnd(rest);
    } catch (error) {
      this.#settle();
      this.#listener.onError(failureOf(error));
    }
  }

  #handOn(): void {
    try {
      this.#announce();
      const bytes = this.#over ? undefined : this.#take();
      const isTaken = bytes === undefined || (this.#expander?.write(bytes) ?? this.#listener.onData(bytes));
      if (!isTaken) this.#pause();
    } catch (error) {
      if (!this.#over) this.#break(failureOf(error));
    }
  }

  /** A full expander waits for whoever reads from it, too. */
  #pause(): void {
    this.#paused = true;
    this.#controller?.pause();
  }

  #announce(): void {
    const head = this.#head;
    if (head === undefined) return;
    this.#head = undefined;
    if (head.status > 599) throw new UpstreamFailure("answer", `it answers with ${head.status}, which is no status`);
    if (head.headers["content-encoding"] !== undefined) this.#expander = createExpander(head.headers);
    const { headers } = head;
    this.#listener.onHead(head.status, this.#expander === undefined ? headers : expandedHeaders(headers));
    if (this.#expander !== undefined) this.#listen(this.#expander);
  }

  /** What was compressed is handed on as it comes out. */
  #listen(expander: Transform): void {
    const guarded = (action: () => void) => {
      if (this.#over) return;
      try {
        action();
      } catch (error) {
        this.#break(failureOf(error));
      }
    };
    expander.on("data", (bytes: Buffer) =>
      guarded(() => {
        if (this.#listener.onData(bytes)) return;
        this.#paused = true;
        expander.pause();
      }),
    );
    expander.on("drain", () => {
      // It may have been full only because of its own pace.
      if (!expander.isPaused()) this.#paused = false;
      this.#controller?.resume();
    });
    expander.on("error", (cause) =>
      guarded(() => this.#break(new UpstreamFailure("answer", "its answer cannot be decompressed", cause))),
    );
    expander.on("end", () =>
      guarded(() => {
        this.#settle();
        this.#listener.onEnd(undefined);
      }),
    );
  }

  #break(failure: UpstreamFailure): void {
    this.#settle();
    this.#controller?.abort(failure);
    this.#listener.onError(failure);
  }

  #take(): Buffer | undefined {
    const bytes = this.#others === undefined ? this.#first : Buffer.concat(this.#others);
    this.#first = undefined;
    this.#others = undefined;
    return bytes;
  }

  /** Once: whoever forgets a watch twice makes the clock forget another one. */
  #settle(): void {
    if (this.#over) return;
    this.#over = true;
    this.#expander?.destroy();
    this.#clock.forget(this);
  }

  #fail(stage: FailureStage, message: string): void {
    if (this.#over) return;
    this.#failure = new UpstreamFailure(stage, message);
    this.#settle();
    this.#controller?.abort(this.#failure);
    if (stage !== "aborted") this.#listener.onError(this.#failure);
  }
}

function failureOf(cause: unknown): UpstreamFailure {
  return cause instanceof UpstreamFailure ? cause : new UpstreamFailure("answer", "the answer broke off", cause);
}

/** What came is no HTTP. */
function isGarbage(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
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
    case "UND_ERR_HEADERS_OVERFLOW":
      return "the head of its answer is too large";
    default:
      if (isGarbage(error)) return "its answer is not HTTP";
      return typeof code === "string" ? `no connection (${code})` : "no connection";
  }
}
