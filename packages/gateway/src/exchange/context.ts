import type { ConvertStreamOptions, Exchange, Protocol } from "@rolecall/core";
import type { Call } from "../http/sink.ts";
import type { Settled } from "../options.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { OpenExchange } from "./exchange.ts";

export interface ConvertContext {
  readonly upstream: Upstream;
  readonly settled: Settled;
  readonly call: Call;
  readonly client: Protocol;
  readonly service: Protocol;
  readonly exchange: OpenExchange;
}

/** How an answer that comes now is converted. */
export function answerOptions(settled: Settled, exchange: Exchange | undefined): ConvertStreamOptions {
  return { ...settled.losses, receivedAt: Date.now(), ...(exchange !== undefined && { exchange }) };
}
