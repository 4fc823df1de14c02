import { answerFetch } from "./answer-fetch.ts";
import type { Engine } from "./engine.ts";
import { createEngine } from "./engine.ts";
import type { GatewayOptions } from "./options.ts";

/**
 * A `fetch` for the SDK of a vendor: it takes requests by their path, whatever their host, and answers them by way of the service that the
 * options name. Nothing listens anywhere.
 */
export function rolecallFetch(options: GatewayOptions): typeof globalThis.fetch {
  let engine: Promise<Engine> | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    engine ??= createEngine(options);
    return answerFetch(engine, request);
  };
}
