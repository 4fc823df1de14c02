import type { Cost, Usage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { billed, estimateCost, estimated } from "../cost.ts";
import type { Price } from "../model.ts";

/** So many of them are a dollar: https://docs.x.ai/docs/api-reference, `cost_in_usd_ticks`. */
const TICKS = 10_000_000_000;

/**
 * What images cost: what the service says, else an estimate by the list of prices. Where that has a price for an image, it counts in place of the one
 * for generated tokens. Undefined where there is neither.
 */
export function costOfImages(price: Price | undefined, usage: Usage, images: number): Cost | undefined {
  if (usage.cost?.basis === "billed") return usage.cost;
  const ticks = isJsonObject(usage.raw) ? usage.raw["cost_in_usd_ticks"] : undefined;
  const told = typeof ticks === "number" ? billed(ticks / TICKS) : undefined;
  if (told !== undefined) return told;
  const tokens = estimateCost(price, usage);
  // Of a call that gave nothing, nobody knows whether it costs anything.
  if (price?.perImage === undefined || (images === 0 && tokens === undefined)) return tokens;
  const none = { input: 0, cacheRead: 0, cacheWrite: 0 };
  return estimated(price, { ...(tokens ?? none), output: price.perImage * images });
}
