import { ConfigError } from "../../errors/index.ts";
import type { ChatOptions } from "./options.ts";
import { checkOptions } from "./options.ts";

/** Options that an operation over a chat model states itself. */
type OwnOption =
  | "responseFormat"
  | "modalities"
  | "stream"
  | "n"
  | "toolChoice"
  | "parallelToolCalls"
  | "webSearch"
  | "audio"
  | "stopSequences"
  | "prediction"
  | "previousResponseId"
  | "deferred";

const own: { readonly [K in OwnOption]: true } = {
  responseFormat: true,
  modalities: true,
  stream: true,
  n: true,
  toolChoice: true,
  parallelToolCalls: true,
  webSearch: true,
  audio: true,
  stopSequences: true,
  prediction: true,
  previousResponseId: true,
  deferred: true,
};

/** How a chat model is asked for something else than the turn of a conversation. */
export type OperationOptions = Omit<ChatOptions, OwnOption>;

/** Throws a ConfigError for an option that does not exist, or that is not the caller's to state. */
export function checkOperationOptions(options: OperationOptions, operation: string): void {
  checkOptions(options);
  for (const [name, value] of Object.entries(options))
    if (Object.hasOwn(own, name) && value !== undefined)
      throw new ConfigError(`/${name}`, `${operation} states "${name}" itself: leave it out`);
}
