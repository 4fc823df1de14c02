import type { Json } from "./json.ts";
import type { WireForm } from "./node.ts";

/** United States dollars. */
export interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
  /** `list`: an estimate by a list of prices. `billed`: what the service says that it charged, which is a total alone; the parts are 0. */
  readonly basis?: "list" | "billed";
  /** The day of the list (YYYY-MM-DD). */
  readonly priceDate?: string;
}

/** Tokens in disjoint buckets: `totalTokens` = input + cacheRead + cacheWrite + output. */
export interface Usage {
  /** Prompt tokens neither read from nor written to a cache; `toolPrompt` is inside. */
  readonly input: number;
  /** Generated tokens; `reasoning` is inside. */
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` kept for one hour. */
  readonly cacheWrite1h?: number;
  /** `cacheWrite` by time to live, for example { "5m": 10, "1h": 0 }. */
  readonly cacheWriteByTtl?: { readonly [ttl: string]: number };
  /** Absent where the service does not report it; absent is not zero. */
  readonly reasoning?: number;
  readonly toolPrompt?: number;
  /** The service's own total, else the sum. */
  readonly totalTokens: number;
  readonly cost?: Cost;
  /** Required buckets that are 0 because the service did not report them. */
  readonly unreported?: readonly ("input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens")[];
  /** The service's usage object, verbatim. */
  readonly raw?: Json;
  readonly wire?: WireForm;
}
