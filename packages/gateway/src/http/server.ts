import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import type { Engine } from "../engine.ts";
import { createError, sendError } from "../exchange/errors.ts";
import { answerCall, refuseSize } from "../routes/router.ts";
import type { Deferred } from "../turn.ts";
import { atEndOfTurn } from "../turn.ts";
import { Body, noBody } from "./body.ts";
import { clientProtocol } from "./client-protocol.ts";
import { createCrossOrigin } from "./cross-origin.ts";
import { createGuard } from "./guard.ts";
import type { AnswerHeaders, Call, Sink } from "./sink.ts";

export interface HttpServer {
  readonly server: Server;
  /** How many connections were made so far. */
  readonly accepted: number;
  /** Lets each connection end with the answers that are open on it, and each that is new with its first. */
  drain(): void;
  /** Closes the connections that serve nothing, also those on which nothing was asked yet: Node leaves these open. */
  closeIdle(): void;
}

/** One open connection, and the answers that are not over on it. */
interface Connection {
  readonly socket: Socket;
  readonly open: Set<ResponseSink>;
  /** It ends with the answers that are open; what is sent behind those requests is not answered. */
  ending: boolean;
  /** The request that came last, until its body is there. */
  reading: { readonly request: IncomingMessage; readonly call: Call } | undefined;
  /** What goes out behind the last answer. */
  farewell: string | undefined;
  /** When it was made, until something is asked on it. */
  unused: number | undefined;
}

/** So many milliseconds a new connection has for its first request when nothing more is taken: one that was made is mostly made for one. */
const GRACE = 100;

/** The HTTP side of a gateway, on one port. */
export function createHttpServer(engine: Engine, host: string): HttpServer {
  const { limits, options } = engine.settled;
  const guard = createGuard(options, host);
  const crossOrigin = options.origins === undefined ? undefined : createCrossOrigin(options.origins);
  let port: number | undefined;
  const connections = new Map<Socket, Connection>();
  let draining = false;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection?.ending === true) return;
    const call = createCall(request, response, connection);
    const endConnection = () => {
      if (connection !== undefined) connection.ending = true;
    };
    if (connection !== undefined) connection.unused = undefined;
    if (draining) endConnection();
    const shared = crossOrigin?.headersFor(call);
    for (const name in shared) response.setHeader(name, shared[name] as string);
    const refusal = guard(call.method, call.headers, port);
    if (refusal !== undefined) {
      // What follows is not read: the connection ends with the answer.
      endConnection();
      void sendError(call.sink, clientProtocol(call), createError(refusal.kind, refusal.message, refusal.status));
      return;
    }
    const told = crossOrigin?.preflight(call);
    if (told !== undefined) {
      call.sink.head(204, told);
      call.sink.end();
      return;
    }
    if (connection !== undefined) connection.reading = { request, call };
    readBody(request, limits.body, (body) => {
      // It may be refused already.
      if (call.sink.started) return;
      if (connection?.reading?.call === call) connection.reading = undefined;
      if (body === undefined) {
        endConnection();
        void refuseSize(call, limits.body);
      } else {
        call.body = body;
        void answerCall(engine, call);
      }
    });
  };
  const server = createServer(
    { maxHeaderSize: limits.headers, keepAliveTimeout: 60_000, requestTimeout: 300_000, noDelay: true },
    onRequest,
  );
  // Nothing but "100-continue" can be expected of a server, and it may pass over the rest.
  server.on("checkExpectation", onRequest);
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted++;
    const connection: Connection = {
      socket,
      open: new Set(),
      ending: false,
      reading: undefined,
      farewell: undefined,
      unused: Date.now(),
    };
    connections.set(socket, connection);
    socket.on("close", () => {
      connections.delete(socket);
      // An answer that waits for its turn behind another on the connection is not told by Node.
      for (const sink of connection.open) sink.close();
    });
  });
  server.on("listening", () => {
    const address = server.address();
    port = typeof address === "object" ? address?.port : undefined;
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket as Socket);
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    if (connection?.ending === true) return;
    const { status, line } = refusals[error.code ?? ""] ?? malformed;
    const farewell = `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    if (connection === undefined || connection.open.size === 0) {
      socket.end(farewell);
      return;
    }
    // What was asked before it is answered first.
    const { reading } = connection;
    connection.ending = true;
    connection.reading = undefined;
    if (reading === undefined || reading.request.complete) connection.farewell = farewell;
    else {
      const refusal = createError("invalid_request", "the request is no well-formed HTTP", status);
      void sendError(reading.call.sink, clientProtocol(reading.call), refusal);
    }
  });
  const drain = () => {
    draining = true;
    for (const connection of connections.values()) if (connection.open.size > 0) connection.ending = true;
  };
  const closeIdle = () => {
    const now = Date.now();
    for (const [socket, { open, unused }] of connections)
      if (open.size === 0 && (unused === undefined || now - unused > GRACE)) socket.destroy();
  };
  return {
    server,
    get accepted() {
      return accepted;
    },
    drain,
    closeIdle,
  };
}

interface Malformed {
  readonly status: number;
  readonly line: string;
}

const malformed: Malformed = { status: 400, line: "400 Bad Request" };
const refusals: { readonly [code: string]: Malformed | undefined } = {
  HPE_HEADER_OVERFLOW: { status: 431, line: "431 Request Header Fields Too Large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, line: "413 Payload Too Large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, line: "408 Request Timeout" },
};

function createCall(request: IncomingMessage, response: ServerResponse, connection: Connection | undefined): Call {
  const { url = "/" } = request;
  const absolute = url.startsWith("/") ? null : /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(url);
  const target = absolute === null ? url : `${absolute[2]?.startsWith("/") === true ? "" : "/"}${absolute[2]}`;
  const headers = request.headers as { readonly [name: string]: string | undefined };
  const mark = target.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark),
    // The name in the target is the one that counts: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
    headers: absolute === null ? headers : { ...headers, host: absolute[1] },
    body: noBody,
    sink: new ResponseSink(response, connection),
  };
}

/** Reads a body as a whole; `done` gets undefined for one that is too large, and nothing if the client goes away. */
function readBody(request: IncomingMessage, limit: number, done: (body: Body | undefined) => void): void {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    done(undefined);
    return;
  }
  let chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      request.off("data", onData);
      request.off("end", onEnd);
      request.pause();
      done(undefined);
    } else chunks.push(chunk);
  };
  const onEnd = () => {
    const body = new Body(chunks);
    // The request is there as long as its answer is not over.
    chunks = [];
    done(body);
  };
  request.on("data", onData);
  request.on("end", onEnd);
}

/**
 * The answer of one request. A class: a literal with accessors would get a hidden class of its own for each request, and none of them is
 * freed before a full garbage collection.
 */
class ResponseSink implements Sink, Deferred {
  readonly #response: ServerResponse;
  readonly #connection: Connection | undefined;
  #aborted = false;
  /** It goes out at the end of this turn. */
  #waits = false;
  #written = false;
  #ended = false;
  #last: Uint8Array | string | undefined;
  #onAbort: (() => void) | undefined;
  #onDrain: (() => void) | undefined;
  #drains = false;

  constructor(response: ServerResponse, connection: Connection | undefined) {
    this.#response = response;
    this.#connection = connection;
    connection?.open.add(this);
    response.on("close", () => this.close());
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  get closed(): boolean {
    return this.#aborted || this.#response.destroyed;
  }

  head(status: number, headers: AnswerHeaders): void {
    const connection = this.#connection;
    // Those before it would take the others with them.
    if (connection?.ending === true && connection.farewell === undefined && [...connection.open].at(-1) === this)
      this.#response.setHeader("connection", "close");
    this.#response.writeHead(status, headers as { [name: string]: string });
    // A stream's first event may be a while away; its headers tell already that it has begun. What is there by then goes out with them.
    if (headers["content-length"] === undefined) this.#wait();
  }

  write(chunk: Uint8Array | string): boolean {
    this.#wait();
    this.#written = true;
    const goesOn = this.#response.write(chunk);
    if (!goesOn && !this.#drains) {
      this.#drains = true;
      this.#response.on("drain", () => this.#onDrain?.());
    }
    return goesOn;
  }

  end(chunk?: Uint8Array | string): void {
    this.#wait();
    this.#ended = true;
    this.#last = chunk;
  }

  run(): void {
    const response = this.#response;
    this.#waits = false;
    if (response.destroyed) return;
    if (this.#ended) {
      const last = this.#last;
      // A short body of one byte a character goes out in one piece with the head; bytes would be a second one.
      if (!this.#written && last instanceof Buffer && last.length < 16_384)
        response.end(last.toString("latin1"), "latin1");
      else response.end(last);
    } else {
      if (!this.#written) response.flushHeaders();
      response.uncork();
    }
  }

  destroy(): void {
    this.#response.destroy();
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  onAbort(listener: () => void): void {
    this.#onAbort = listener;
  }

  #wait(): void {
    if (this.#waits) return;
    this.#waits = true;
    this.#response.cork();
    atEndOfTurn(this);
  }

  /** The answer is over, or its client is gone. */
  close(): void {
    const connection = this.#connection;
    if (connection?.open.delete(this) === false) return;
    if (this.#response.writableFinished) {
      if (connection?.farewell !== undefined && connection.open.size === 0) connection.socket.end(connection.farewell);
      return;
    }
    this.#aborted = true;
    this.#onAbort?.();
  }
}
