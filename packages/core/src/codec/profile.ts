import { ConfigError } from "../errors/index.ts";
import type { Profile } from "../ir/index.ts";
import { escapeSegment, isJsonObject } from "../ir/index.ts";

type Shape = "text" | "switch" | "number" | "texts" | "fallbacks" | readonly string[];

/** What each field of a profile holds. */
export const profileShapes: { readonly [K in keyof Required<Profile>]: Shape } = {
  protocol: "text",
  provider: "text",
  model: "text",
  apiVersion: "text",
  betas: "texts",
  toolCallIdPattern: "text",
  toolNamePattern: "text",
  maxOutputTokens: "number",
  supportsPrefill: "switch",
  supportsSampling: "switch",
  supportsMidConversationSystem: "switch",
  supportsToolChanges: "switch",
  thinking: ["adaptive", "budget", "both", "none"],
  supportsEffort: "switch",
  supportsDeveloperRole: "switch",
  supportsStrictTools: "switch",
  supportsStructuredOutput: "switch",
  supportsImagesInToolResults: "switch",
  supportsFileInput: "switch",
  supportsCustomTools: "switch",
  supportsTopK: "switch",
  supportsContentParts: "switch",
  supportsParallelToolCalls: "switch",
  supportsStreamOptions: "switch",
  supportsChoices: "switch",
  refusedFields: "texts",
  prefillField: ["prefix"],
  cacheMarks: ["prompt_cache_breakpoint", "cache_control", "none"],
  reasoningField: ["reasoning_content", "reasoning", "none"],
  seedField: ["seed", "random_seed"],
  maxTokensField: ["max_completion_tokens", "max_tokens"],
  maxCacheBreakpoints: "number",
  fallbacks: "fallbacks",
};

/** The names of the fields of a profile. */
export const profileFields: readonly string[] = Object.keys(profileShapes);

/** Why a value is not of a shape; undefined where it is. */
function wrongShape(value: unknown, shape: Shape): string | undefined {
  if (typeof shape !== "string") {
    return shape.some((choice) => choice === value) ? undefined : `must be one of ${shape.join(", ")}`;
  }
  const texts = (list: readonly unknown[]): boolean => list.every((item) => typeof item === "string");
  switch (shape) {
    case "text":
      return typeof value === "string" ? undefined : "must be a string";
    case "switch":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "number":
      return typeof value === "number" ? undefined : "must be a number";
    case "texts":
      return Array.isArray(value) && texts(value) ? undefined : "must be a list of strings";
    case "fallbacks":
      return isJsonObject(value) && texts(Object.values(value)) ? undefined : "must be an object of strings";
  }
}

/** Longer than any rule for a name needs to be, and short enough to stand in a message. */
const MAXIMUM_PATTERN = 500;

const patterns = ["toolCallIdPattern", "toolNamePattern"] as const;
/** The least that each number may be. A server may take no cache breakpoint at all, but must be able to answer. */
const leasts = [
  ["maxOutputTokens", 1],
  ["maxCacheBreakpoints", 0],
] as const;

/**
 * Checks that a profile has no other fields than profiles have, that their values are of their types, that patterns compile, and that numbers
 * count something. Throws a ConfigError with the pointer of the field, within the profile. A wrong profile would otherwise fail in the middle of
 * a conversion, or send a request that no server takes; a misspelt field would state nothing.
 */
export function checkProfile(profile: Profile): void {
  if (checkedProfiles.has(profile)) return;
  if (typeof profile !== "object" || profile === null || Array.isArray(profile))
    throw new ConfigError("", "a profile is an object");
  for (const [name, value] of fieldsOf(profile)) {
    if (value === undefined) continue;
    const path = `/${escapeSegment(name)}`;
    const shape = Object.hasOwn(profileShapes, name) ? profileShapes[name as keyof Profile] : undefined;
    if (shape === undefined)
      throw new ConfigError(path, `a profile has no field "${name}"; it has ${profileFields.join(", ")}`);
    const reason = wrongShape(value, shape);
    if (reason !== undefined) throw new ConfigError(path, `"${name}" ${reason}`);
  }
  for (const name of patterns) {
    const reason = wrongPattern(profile[name]);
    if (reason !== undefined) throw new ConfigError(`/${name}`, `"${name}" ${reason}`);
  }
  for (const [name, least] of leasts) {
    const value = profile[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
      throw new ConfigError(`/${name}`, `"${name}" must be a whole number from ${least}, not ${value}`);
    }
  }
  if (Object.isFrozen(profile)) checkedProfiles.add(profile);
}

/** What encoders would read, inherited fields among them. */
function fieldsOf(profile: Profile): readonly (readonly [name: string, value: unknown])[] {
  try {
    const fields: [string, unknown][] = [];
    for (const name in profile) fields.push([name, profile[name as keyof Profile]]);
    return fields;
  } catch {
    throw new ConfigError("", "the fields of a profile must be plain values, and one cannot be read");
  }
}

/** Frozen ones, which cannot change: gateways state the same with each request. */
const checkedProfiles = new WeakSet<Profile>();

/** A profile that states nothing. */
export const unstatedProfile: Profile = Object.freeze({});

/**
 * Answers what an encoder wants to know of its target. What is known of a frozen profile is remembered, because it cannot change: gateways
 * ask for the same one with each request.
 */
export function createResolver<T extends object>(
  resolve: (profile: Profile, faithful: boolean) => T,
): (profile: Profile, faithful?: boolean) => T {
  const remembered = { faithful: new WeakMap<Profile, T>(), mended: new WeakMap<Profile, T>() };
  return (profile, faithful = false) => {
    const memory = remembered[faithful ? "faithful" : "mended"];
    const known = memory.get(profile);
    if (known !== undefined) return known;
    checkProfile(profile);
    const resolved = resolve(profile, faithful);
    if (Object.isFrozen(profile)) memory.set(profile, resolved);
    return resolved;
  };
}

function wrongPattern(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  if (pattern.length > MAXIMUM_PATTERN) {
    return `must have ${MAXIMUM_PATTERN} characters at most, not ${pattern.length}`;
  }
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return `must be a regular expression: ${(error as Error).message}`;
  }
}

/** True for OpenAI itself, which nothing stated means in its protocols. Compatible servers are laxer in places. */
export const isOpenAi = ({ provider }: Profile): boolean => provider === undefined || provider === "openai";
