import { ConfigError, escapeSegment, isJsonObject } from "@rolecall/core";

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

const targetKeys: readonly string[] = ["model", "maxTokens"] satisfies readonly (keyof ModelTarget)[];

/**
 * Reads a map of models. Throws a ConfigError at the first entry that is wrong; `base` is where the map stands in what its path points into.
 */
export function readModelMap(value: unknown, file?: string, base = ""): ModelMap {
  if (!isJsonObject(value))
    throw new ConfigError(
      base,
      'a map of models is an object: {"NAME": "MODEL", "PATTERN-*": {"model": "MODEL"}}',
      file,
    );
  for (const [name, entry] of Object.entries(value)) {
    const wrong = wrongName(name) ?? wrongTarget(name, typeof entry === "string" ? { model: entry } : entry);
    if (wrong === undefined) continue;
    const place = `${base}/${escapeSegment(name)}${typeof entry === "string" ? "" : wrong.at}`;
    throw new ConfigError(place, `"${name}": ${wrong.reason}`, file);
  }
  return value as unknown as ModelMap;
}

interface Wrong {
  readonly at: string;
  readonly reason: string;
}

const stars = (text: string): number => text.split("*").length - 1;

function wrongName(name: string): Wrong | undefined {
  if (name === "") return { at: "", reason: 'state the name that clients ask for, or "*" for any' };
  return stars(name) > 1 ? { at: "", reason: 'a pattern has one "*"' } : undefined;
}

function wrongTarget(name: string, target: unknown): Wrong | undefined {
  if (!isJsonObject(target))
    return { at: "", reason: 'state the model to ask, as text or as {"model": "MODEL", "maxTokens": 8192}' };
  const unknown = Object.keys(target).find((key) => !targetKeys.includes(key));
  if (unknown !== undefined) {
    return { at: `/${escapeSegment(unknown)}`, reason: `there is no "${unknown}"; it has ${targetKeys.join(" and ")}` };
  }
  const { model, maxTokens } = target;
  if (typeof model !== "string" || model === "")
    return { at: "/model", reason: "state the model to ask: a name that is not empty" };
  if (stars(model) > stars(name))
    return {
      at: "/model",
      reason: 'a "*" in the model stands for what the one in the name matches; the name has none',
    };
  if (maxTokens === undefined || (Number.isSafeInteger(maxTokens) && (maxTokens as number) > 0)) return undefined;
  return { at: "/maxTokens", reason: "a limit of tokens is a whole number above 0" };
}

export function createModelLookup(map: ModelMap = {}): ModelLookup {
  const exact = new Map<string, ModelTarget>();
  const patterns: { readonly before: string; readonly after: string; readonly target: ModelTarget }[] = [];
  for (const [name, value] of Object.entries(readModelMap(map, undefined, "/modelMap"))) {
    const target = typeof value === "string" ? { model: value } : value;
    const star = name.indexOf("*");
    if (star < 0) exact.set(name, target);
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
