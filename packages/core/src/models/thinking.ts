import type { Reasoning } from "../ir/index.ts";
import type { ChatModel, ThinkingLevel } from "./model.ts";
import { thinkingLevels } from "./model.ts";

/** What becomes of a level that was asked for. */
export interface SettledThinking {
  /** The level that the model has; another one than was asked for where it has not that. */
  readonly level: ThinkingLevel;
  /** What the request says. */
  readonly reasoning: Reasoning;
  /** The service's own word, or the tokens, as text. */
  readonly providerLevel: string;
}

/** The nearest level that a model has: upward first, because too little thought is the worse mistake, then downward. */
export function clampThinkingLevel(
  model: Pick<ChatModel, "reasoning" | "thinkingLevels">,
  asked: ThinkingLevel,
): ThinkingLevel {
  const has = (level: ThinkingLevel): boolean => {
    const stated = model.thinkingLevels?.[level];
    if (level !== "off" && model.reasoning === false) return false;
    return stated !== null;
  };
  const place = thinkingLevels.indexOf(asked);
  const upward = thinkingLevels.slice(place).find(has);
  return upward ?? thinkingLevels.slice(0, place).reverse().find(has) ?? "off";
}

/** What a request says of thinking, where a level was asked for. */
export function settleThinking(
  model: Pick<ChatModel, "reasoning" | "thinkingLevels" | "compat">,
  asked: ThinkingLevel,
): SettledThinking {
  const level = clampThinkingLevel(model, asked);
  const own = model.thinkingLevels?.[level] ?? level;
  if (typeof own === "number")
    return {
      level,
      reasoning: own === 0 ? { mode: "disabled" } : { mode: "enabled", budget: own },
      providerLevel: String(own),
    };
  if (level === "off" && !isEffort(own)) return { level, reasoning: { mode: "disabled" }, providerLevel: own };
  const effort = isEffort(own) ? own : "high";
  const adaptive = model.compat?.thinking === "adaptive" || model.compat?.thinking === "both";
  return { level, reasoning: { effort, ...(adaptive && { mode: "adaptive" }) }, providerLevel: own };
}

const efforts: readonly string[] = thinkingLevels.slice(1);

function isEffort(word: string): word is NonNullable<Reasoning["effort"]> {
  return efforts.includes(word);
}
