import { setImmediate } from "node:timers/promises";
import { answerFetch } from "./answer-fetch.ts";
import type { Engine } from "./engine.ts";
import { createEngine } from "./engine.ts";
import { isWildcard } from "./http/guard.ts";
import type { HttpServer } from "./http/server.ts";
import type { GatewayOptions } from "./options.ts";

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Base URL without a path, for example `http://127.0.0.1:4141`. */
  readonly url: string;
}

export interface Gateway {
  /** Listens on a port of the loopback, 0 for any, or on another host. */
  listen(port?: number, host?: string): Promise<Listening>;
  /** Takes no more requests, waits for those that run, and frees everything. */
  close(): Promise<void>;
  /** Answers a request without a socket, as the gateway would. */
  readonly fetch: typeof globalThis.fetch;
}

/** A gateway in front of one service, or of the scripted model. Throws a ConfigError for options that cannot work. */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const engine = await createEngine(options);
  const servers: HttpServer[] = [];
  return {
    async listen(port = 0, host = "127.0.0.1") {
      const { createHttpServer } = await import("./http/server.ts");
      const http = createHttpServer(engine, host);
      const created = http.server;
      await new Promise<void>((resolve, reject) => {
        created.once("error", reject);
        created.listen(port, host, () => {
          created.off("error", reject);
          resolve();
        });
      });
      servers.push(http);
      const address = created.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      // Under a wildcard nothing can be asked.
      const name = !isWildcard(host) ? host : host === "::" ? "::1" : "127.0.0.1";
      return { host, port: actual, url: `http://${name.includes(":") ? `[${name}]` : name}:${actual}` };
    },
    async close() {
      await Promise.all([...servers.splice(0).map((server) => closeServer(server, engine)), engine.drain()]);
      await engine.close();
    },
    fetch: async (input, init) => answerFetch(engine, new Request(input, init)),
  };
}

/** Turns of the event loop in which no connection came: one may wait for the next, and what was sent on the last one for the one after it. */
const QUIET = 3;
/** So many milliseconds at most, should they never stop to come. */
const RUSH = 200;

async function closeServer(http: HttpServer, engine: Engine): Promise<void> {
  const { server, closeIdle } = http;
  http.drain();
  // What has come already is taken: each turn accepts one of the connections that wait.
  const until = Date.now() + RUSH;
  for (let quiet = 0; quiet < QUIET && Date.now() < until; quiet++) {
    const { accepted } = http;
    await setImmediate();
    if (http.accepted !== accepted) quiet = -1;
  }
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), engine.settled.timeouts.drain);
    // Connections are kept for the next request; once their exchange is over, there will be none.
    const idle = setInterval(closeIdle, 20);
    server.close(() => {
      clearTimeout(late);
      clearInterval(idle);
      resolve();
    });
    closeIdle();
  });
}
