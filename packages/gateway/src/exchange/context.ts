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

const paths: { readonly [protocol: string]: string } = {
  "openai-chat": "/chat/completions",
  "anthropic-messages": "/v1/messages",
};

/** What services may speak that a gateway asks. */
export const servedProtocols: readonly string[] = Object.keys(paths);

/** Where a service takes requests for generation, below its base URL. */
export function generatePath(protocol: string): string {
  return paths[protocol] ?? "";
}
