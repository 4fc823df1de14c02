import { ConfigError } from "@rolecall/core";

export interface ModelTarget {
  readonly model: string;
  /** The most that the model can generate; a request that asks for more is cut down to it, and that is reported. */
  readonly maxTokens?: number;
}

/**
 * Names of the client to names of the service. An exact name wins, then the pattern with the most characters. One `*` stands for any text,
 * also in the target, which takes over what the pattern's `*` matched.
 */
export interface ModelMap {
  readonly [pattern: string]: string | ModelTarget;
}

/** The model to ask for a name. Without an entry the name itself. */
export type ModelLookup = (model: string) => ModelTarget;

export function createModelLookup(map: ModelMap = {}): ModelLookup {
  const exact = new Map<string, ModelTarget>();
  const patterns: { readonly before: string; readonly after: string; readonly target: ModelTarget }[] = [];
  for (const [name, value] of Object.entries(map)) {
    const target = typeof value === "string" ? { model: value } : value;
    const place = `/modelMap/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof target.model !== "string" || target.model === "")
      throw new ConfigError(place, "state the model to ask: a name that is not empty");
    if (target.maxTokens !== undefined && !(Number.isInteger(target.maxTokens) && target.maxTokens > 0))
      throw new ConfigError(`${place}/maxTokens`, "a limit of tokens is a whole number above 0");
    const star = name.indexOf("*");
    if (star < 0) exact.set(name, target);
    else if (name.includes("*", star + 1)) throw new ConfigError(place, 'a pattern has one "*"');
    else patterns.push({ before: name.slice(0, star), after: name.slice(star + 1), target });
  }
  patterns.sort((left, right) => right.before.length + right.after.length - left.before.length - left.after.length);
  return (model) => {
    const found = exact.get(model);
    if (found !== undefined) return found;
    for (const { before, after, target } of patterns) {
      if (model.length < before.length + after.length || !model.startsWith(before) || !model.endsWith(after)) continue;
      const matched = model.slice(before.length, model.length - after.length);
      return { ...target, model: target.model.replace("*", () => matched) };
    }
    return { model };
  };
}
