import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import type { Engine } from "../engine.ts";
import { createError, sendError } from "../exchange/errors.ts";
import { answerCall, refuseSize } from "../routes/router.ts";
import type { Deferred } from "../turn.ts";
import { atEndOfTurn } from "../turn.ts";
import { clientProtocol } from "./client-protocol.ts";
import { createCrossOrigin } from "./cross-origin.ts";
import { createGuard } from "./guard.ts";
import type { AnswerHeaders, Call, Sink } from "./sink.ts";

export interface HttpServer {
  readonly server: Server;
  /** Closes the connections that serve nothing, also those on which nothing was asked yet: Node leaves these open. */
  closeIdle(): void;
}

/** One open connection, and the answers that are not over on it. */
interface Connection {
  readonly open: Set<ResponseSink>;
  /** It ends with an answer that was given already; what was sent behind that request is not answered. */
  ending: boolean;
}

/** The HTTP side of a gateway, on one port. */
export function createHttpServer(engine: Engine, host: string): HttpServer {
  const { limits, options } = engine.settled;
  const guard = createGuard(options, host);
  const crossOrigin = options.origins === undefined ? undefined : createCrossOrigin(options.origins);
  let port: number | undefined;
  const connections = new Map<Socket, Connection>();
  const server = createServer(
    { maxHeaderSize: limits.headers, keepAliveTimeout: 60_000, requestTimeout: 300_000, noDelay: true },
    (request, response) => {
      const connection = connections.get(request.socket);
      if (connection?.ending === true) return;
      const call = createCall(request, response, connection);
      const endConnection = () => {
        if (connection !== undefined) connection.ending = true;
        response.setHeader("connection", "close");
      };
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
      readBody(request, limits.body, (body) => {
        if (body === undefined) {
          endConnection();
          void refuseSize(call, limits.body);
        } else {
          call.body = body;
          void answerCall(engine, call);
        }
      });
    },
  );
  server.on("connection", (socket: Socket) => {
    const connection: Connection = { open: new Set(), ending: false };
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
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  const closeIdle = () => {
    for (const [socket, { open }] of connections) if (open.size === 0) socket.destroy();
  };
  return { server, closeIdle };
}

const noBody = Buffer.alloc(0);

function createCall(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection | undefined,
): Call & { body: Buffer } {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? "" : url.slice(mark),
    headers: request.headers as { readonly [name: string]: string | undefined },
    body: noBody,
    sink: new ResponseSink(response, connection),
  };
}

/** Reads a body as a whole; `done` gets undefined for one that is too large, and nothing if the client goes away. */
function readBody(request: IncomingMessage, limit: number, done: (body: Buffer | undefined) => void): void {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    done(undefined);
    return;
  }
  const chunks: Buffer[] = [];
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
  const onEnd = () => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
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
    if (this.#connection?.open.delete(this) === false || this.#response.writableFinished) return;
    this.#aborted = true;
    this.#onAbort?.();
  }
}
