import type { Dispatcher, Pool } from "undici";
import type { Service, Timeouts } from "../options.ts";
import { loadPool } from "./pool.ts";
import { guardedLookup } from "./url.ts";

/** How undici tells what happens to a request. */
export type Handler = Dispatcher.DispatchHandler;
export type Asked = Dispatcher.DispatchOptions;

/** The connections to the service. */
export interface Connections {
  /** A connection was just made, and its first request is being written. */
  readonly isFresh: boolean;
  send(asked: Asked, handler: Handler): void;
  /** The same on a connection that nothing was sent on. */
  sendAnew(asked: Asked, handler: Handler): void;
  close(): Promise<unknown>;
}

export function createConnections(service: Service, timeouts: Required<Timeouts>): Connections {
  const { Pool: PoolClass, buildConnector } = loadPool();
  const connector = buildConnector({ timeout: timeouts.connect, lookup: guardedLookup });
  const connect: typeof connector = (options, callback) =>
    connector(options, (...result) => {
      // The request that waits for the connection is written before this returns.
      connections.isFresh = true;
      try {
        callback(...result);
      } finally {
        connections.isFresh = false;
      }
    });
  const createPool = (pipelining: number): Pool =>
    // The clocks are our own: those of undici know nothing of what counts as progress.
    new PoolClass(service.url.origin, { headersTimeout: 0, bodyTimeout: 0, connect, connections: null, pipelining });
  const pool = createPool(1);
  /** Keeps no connection. */
  let anew: Pool | undefined;
  const connections = {
    isFresh: false,
    send: (asked: Asked, handler: Handler) => void pool.dispatch(asked, handler),
    sendAnew(asked: Asked, handler: Handler) {
      anew ??= createPool(0);
      anew.dispatch(asked, handler);
    },
    close: () => Promise.all([pool.destroy(), anew?.destroy()]),
  };
  return connections;
}
