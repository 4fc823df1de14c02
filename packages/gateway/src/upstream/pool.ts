import { createRequire, Module } from "node:module";
import type { buildConnector, Pool } from "undici";

type ConnectH2 = (...args: readonly unknown[]) => unknown;

const require = createRequire(import.meta.url);
const http2 = require.resolve("undici/lib/dispatcher/client-h2.js");

export interface PoolModules {
  readonly Pool: typeof Pool;
  readonly buildConnector: typeof buildConnector;
}

/**
 * The pool of undici alone: the package as a whole loads a browser's fetch, sockets and caches, which takes three times as long. Its module for
 * HTTP/2, which brings Node's own with TLS and cryptography, a third of what is left, is put off until a connection speaks it; ours do not.
 */
export function loadPool(): PoolModules {
  if (require.cache[http2] !== undefined) return poolModules();
  const stand = new Module(http2);
  const connect: ConnectH2 = (...args) => (require(http2) as ConnectH2)(...args);
  stand.exports = connect;
  require.cache[http2] = stand;
  try {
    return poolModules();
  } finally {
    // Whoever asks for it by name gets the module itself.
    delete require.cache[http2];
  }
}

function poolModules(): PoolModules {
  return {
    Pool: require("undici/lib/dispatcher/pool.js"),
    buildConnector: require("undici/lib/core/connect.js"),
  };
}
