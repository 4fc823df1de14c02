import { ConfigError } from "../../errors/index.ts";
import { escapeSegment } from "../../ir/index.ts";
import type { ChatOptions } from "./options.ts";
import { checkOptions } from "./options.ts";

/** Options that an operation over a chat model states itself. */
const own = [
  "responseFormat",
  "modalities",
  "stream",
  "n",
  "toolChoice",
  "parallelToolCalls",
  "webSearch",
  "audio",
  "stopSequences",
  "prediction",
  "previousResponseId",
  "deferred",
] as const satisfies readonly (keyof ChatOptions)[];

/** How a chat model is asked for something else than the turn of a conversation. */
export type OperationOptions = Omit<ChatOptions, (typeof own)[number]>;

/** Throws a ConfigError for an option that does not exist, or that is not the caller's to state. */
export function checkOperationOptions(options: OperationOptions, operation: string): void {
  checkOptions(options);
  for (const name of own)
    if ((options as ChatOptions)[name] !== undefined)
      throw new ConfigError(`/${escapeSegment(name)}`, `${operation} states "${name}" itself: leave it out`);
}
