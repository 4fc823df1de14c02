import type { Cost, Message, Usage } from "../ir/index.ts";

/** The counts of several calls, added up. */
export interface UsageTotal {
  /** How many of them told counts. */
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Of the output; of those calls alone that told it. */
  readonly reasoning: number;
  readonly totalTokens: number;
  /** What services say that they charged, in United States dollars. */
  readonly billed: number;
  /** What the other calls cost by lists of prices: an estimate. */
  readonly listed: number;
  /** Calls that told counts and have no price. */
  readonly unpriced: number;
}

/** What a conversation took: its models, and apart from them what its tools took themselves. */
export interface SessionUsage {
  readonly models: UsageTotal;
  readonly tools: UsageTotal;
}

/** Adds up what the messages of a conversation tell. Each message counts once, with the last of its counts. */
export function sessionUsage(messages: readonly Message[]): SessionUsage {
  const usages = (role: "assistant" | "toolResult"): readonly Usage[] =>
    messages.flatMap((message) => (message.role === role && message.usage !== undefined ? [message.usage] : []));
  return { models: totalOf(usages("assistant")), tools: totalOf(usages("toolResult")) };
}

function totalOf(usages: readonly Usage[]): UsageTotal {
  const told = usages.filter(({ unreported = [] }) => !(unreported.includes("input") && unreported.includes("output")));
  const sum = (read: (usage: Usage) => number | undefined): number =>
    told.reduce((total, usage) => total + (read(usage) ?? 0), 0);
  const isBilled = (cost: Cost | undefined): boolean => cost?.basis === "billed";
  return {
    calls: told.length,
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    reasoning: sum(({ reasoning }) => reasoning),
    totalTokens: sum(({ totalTokens }) => totalTokens),
    billed: sum(({ cost }) => (isBilled(cost) ? cost?.total : 0)),
    listed: sum(({ cost }) => (isBilled(cost) ? 0 : cost?.total)),
    unpriced: told.filter(({ cost }) => cost === undefined).length,
  };
}
