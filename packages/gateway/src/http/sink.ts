import type { UrlTarget } from "@rolecall/core";
import type { Body } from "./body.ts";

export type AnswerHeaders = { readonly [name: string]: string | readonly string[] };

/** Where an answer goes: a connection of the gateway, or the caller of `fetch`. */
export interface Sink {
  /** Status and headers are out. */
  readonly started: boolean;
  /** The other side is gone. */
  readonly closed: boolean;
  head(status: number, headers: AnswerHeaders): void;
  /** False: wait for `onDrain` before more is written. */
  write(chunk: Uint8Array | string): boolean;
  end(chunk?: Uint8Array | string): void;
  /** Breaks the answer off, so that nobody takes it for complete. */
  destroy(): void;
  onDrain(listener: () => void): void;
  /** Called once when the other side goes away before the answer is complete. */
  onAbort(listener: () => void): void;
}

/** One request of a client, read as a whole. */
export interface Call {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: string;
  /** What the path says of the request, where the protocol puts it there. */
  readonly url?: UrlTarget;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** Empty once what goes to the service is made of it: a stream may be open for long. */
  body: Body;
  readonly sink: Sink;
}

export const streamHeaders: AnswerHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
};

export function sendJson(sink: Sink, status: number, value: unknown, headers: AnswerHeaders = {}): void {
  const text = JSON.stringify(value);
  const length = String(Buffer.byteLength(text));
  sink.head(status, { "content-type": "application/json", "content-length": length, ...headers });
  sink.end(text);
}
