import type { Cost, ProtocolId, Usage } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { Price } from "./model.ts";

const MILLION = 1_000_000;

/** The counts of a call of which nothing is told. */
export const noUsage: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  unreported: ["input", "output", "cacheRead", "cacheWrite", "totalTokens"],
};

/**
 * What a call costs by the list of prices: an estimate, in United States dollars. The tier of the whole prompt counts for all of it. Undefined
 * where there is no price, or the service told no counts.
 */
export function estimateCost(price: Price | undefined, usage: Usage): Cost | undefined {
  if (price === undefined) return undefined;
  const missing = usage.unreported ?? [];
  if (missing.includes("input") || missing.includes("output")) return undefined;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const tier = price.tiers?.findLast(({ above }) => prompt > above) ?? price;
  const long = Math.min(usage.cacheWrite1h ?? 0, usage.cacheWrite);
  const input = (usage.input * tier.input) / MILLION;
  const output = (usage.output * tier.output) / MILLION;
  const cacheRead = (usage.cacheRead * (tier.cacheRead ?? tier.input)) / MILLION;
  const cacheWrite =
    ((usage.cacheWrite - long) * (tier.cacheWrite ?? tier.input) + long * (tier.cacheWrite1h ?? tier.input * 2)) /
    MILLION;
  return estimated(price, { input, output, cacheRead, cacheWrite });
}

/** The estimate that these parts make, in dollars. */
export function estimated({ date }: Price, parts: Pick<Cost, "input" | "output" | "cacheRead" | "cacheWrite">): Cost {
  const { input, output, cacheRead, cacheWrite } = parts;
  const total = input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, total, basis: "list", ...(date !== undefined && { priceDate: date }) };
}

/**
 * What a service says that a call cost it, as OpenRouter does: https://openrouter.ai/docs/use-cases/usage-accounting. Undefined where it does not say.
 */
export function billedCost(api: ProtocolId, { raw }: Usage): Cost | undefined {
  return billed(api === "openai-chat" && isJsonObject(raw) ? raw["cost"] : undefined);
}

/** Dollars that a service says it charged; undefined where it says no number. */
export function billed(total: unknown): Cost | undefined {
  if (typeof total !== "number" || !(total >= 0 && total < Number.POSITIVE_INFINITY)) return undefined;
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total, basis: "billed" };
}
