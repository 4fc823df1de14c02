import { createRequire, Module } from "node:module";
import type { Pool } from "undici";

type ConnectH2 = (...args: readonly unknown[]) => unknown;

const require = createRequire(import.meta.url);
const http2 = require.resolve("undici/lib/dispatcher/client-h2.js");

/**
 * The pool of undici alone: the package as a whole loads a browser's fetch, sockets and caches, which takes three times as long. Its module for
 * HTTP/2, which brings Node's own with TLS and cryptography, a third of what is left, is put off until a connection speaks it; ours do not.
 */
export function loadPool(): typeof Pool {
  if (require.cache[http2] !== undefined) return require("undici/lib/dispatcher/pool.js");
  const stand = new Module(http2);
  const connect: ConnectH2 = (...args) => (require(http2) as ConnectH2)(...args);
  stand.exports = connect;
  require.cache[http2] = stand;
  try {
    return require("undici/lib/dispatcher/pool.js");
  } finally {
    // Whoever asks for it by name gets the module itself.
    delete require.cache[http2];
  }
}
