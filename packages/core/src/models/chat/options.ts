import type { Profile, Settings } from "../../ir/index.ts";
import type { Acceptance, LossPolicy } from "../../loss/index.ts";
import type { ThinkingLevel } from "../model.ts";
import type { Fetch, RetryOptions, Timeouts } from "../transport/fetch.ts";
import type { ModelExchange } from "./exchange.ts";

/** How a model is asked. All settings of a conversation may be stated beside what is said here. */
export interface ChatOptions extends Omit<Settings, "model" | "stream" | "streamOptions"> {
  /** Gives the answer up: what came is kept, with `stopReason` "aborted". */
  readonly signal?: AbortSignal;
  /** In place of the provider's own. */
  readonly apiKey?: string;
  /** Sent as well. A value of null leaves one out that would be sent. */
  readonly headers?: { readonly [name: string]: string | null };
  /** How much the model shall think; of levels that it does not have, the nearest. */
  readonly thinkingLevel?: ThinkingLevel;
  /** How long the beginning of the prompt shall be kept, where the request must say so; "short" unless stated. */
  readonly cacheRetention?: "none" | "short" | "long";
  /** False: the answer is asked for as a whole. Its events come all the same. */
  readonly stream?: boolean;
  /** What is known of this server and model, beyond what the model says. */
  readonly profile?: Profile;
  /** What to do about losses; `report` unless stated. */
  readonly onLoss?: LossPolicy;
  readonly accept?: readonly Acceptance[];
  readonly fetch?: Fetch;
  readonly timeouts?: Timeouts;
  readonly retry?: RetryOptions;
  /** Told of each exchange with a service when it is over. */
  readonly onExchange?: (exchange: ModelExchange) => void;
}
