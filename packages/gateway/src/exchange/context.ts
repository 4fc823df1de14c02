import type { ConvertResponseOptions, ConvertStreamOptions, Exchange, InexactPlace, Protocol } from "@rolecall/core";
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

type AnswerOptions = ConvertStreamOptions & ConvertResponseOptions;

/** How an answer that comes now is converted; `inexact` is what was found in the text of a whole one. */
export function answerOptions(
  { losses }: Settled,
  exchange: Exchange | undefined,
  inexact?: readonly InexactPlace[],
): AnswerOptions {
  // Field by field: an object that is made of others by spreading gets a shape of its own each time, which all its readers pay for.
  const options: { -readonly [K in keyof AnswerOptions]: AnswerOptions[K] } = { receivedAt: Date.now() };
  if (exchange !== undefined) options.exchange = exchange;
  if (inexact !== undefined) options.inexact = inexact;
  if (losses.accept !== undefined) options.accept = losses.accept;
  if (losses.onLoss !== undefined) options.onLoss = losses.onLoss;
  return options;
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
