import { ConfigError } from "../../errors/index.ts";
import type { Profile, Settings } from "../../ir/index.ts";
import { escapeSegment } from "../../ir/index.ts";
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
  /**
   * True: the service makes the answer in the background, and the message ends with `stopReason` "deferred". `fetchDeferred` asks for it by its
   * `responseId`. The service keeps it for that. Services of Responses alone can do so.
   */
  readonly deferred?: boolean;
  /** What is known of this server and model, beyond what the model says. */
  readonly profile?: Profile;
  /** What to do about losses; `report` unless stated. */
  readonly onLoss?: LossPolicy;
  readonly accept?: readonly Acceptance[];
  readonly fetch?: Fetch;
  readonly timeouts?: Timeouts;
  readonly retry?: RetryOptions;
  /** Told of each exchange with a service when it is over. What it throws is no matter of the answer: it is an uncaught error of the process. */
  readonly onExchange?: (exchange: ModelExchange) => void;
}

type SettingName = keyof Omit<Settings, "model" | "stream" | "streamOptions">;

/** What is for the call alone; all others are settings. */
const callOptions: { readonly [K in Exclude<keyof ChatOptions, SettingName>]: true } = {
  signal: true,
  apiKey: true,
  headers: true,
  thinkingLevel: true,
  cacheRetention: true,
  stream: true,
  deferred: true,
  profile: true,
  onLoss: true,
  accept: true,
  fetch: true,
  timeouts: true,
  retry: true,
  onExchange: true,
};

const settingNames: { readonly [K in SettingName]: true } = {
  maxTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  minP: true,
  stopSequences: true,
  seed: true,
  n: true,
  presencePenalty: true,
  frequencyPenalty: true,
  logitBias: true,
  logprobs: true,
  topLogprobs: true,
  toolChoice: true,
  parallelToolCalls: true,
  reasoning: true,
  responseFormat: true,
  serviceTier: true,
  speed: true,
  metadata: true,
  userId: true,
  cache: true,
  store: true,
  previousResponseId: true,
  modalities: true,
  audio: true,
  verbosity: true,
  prediction: true,
  webSearch: true,
  safety: true,
};

/** Throws a ConfigError for an option that does not exist: whoever states it means something by it. */
export function checkOptions(options: ChatOptions): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(callOptions, name) && !Object.hasOwn(settingNames, name))
      throw new ConfigError(`/${escapeSegment(name)}`, `there is no option "${name}"${nearest(name)}`);
}

/** The option that was probably meant: the same letters, in another case or with other signs between them. */
function nearest(name: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const meant = [...Object.keys(callOptions), ...Object.keys(settingNames)].find(
    (known) => plain(known) === plain(name),
  );
  return meant === undefined ? "" : `: it is called "${meant}"`;
}

/** Of the options what is a setting. One that is undefined is not stated. */
export function settingsIn(options: ChatOptions): Settings {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => Object.hasOwn(settingNames, name) && value !== undefined),
  );
}
