import { ConfigError } from "../errors/index.ts";
import type { Profile } from "../ir/index.ts";

/** Longer than any rule for a name needs to be, and short enough to stand in a message. */
const MAXIMUM_PATTERN = 500;

const patterns = ["toolCallIdPattern", "toolNamePattern"] as const;
/** The least that each number may be. A server may take no cache breakpoint at all, but must be able to answer. */
const leasts = [
  ["maxOutputTokens", 1],
  ["maxCacheBreakpoints", 0],
] as const;

/**
 * Checks what the types of a profile cannot: that patterns compile, and that numbers count something. Throws a ConfigError with the pointer
 * of the field. A wrong profile would otherwise fail in the middle of a conversion, or send a request that no server takes.
 */
export function checkProfile(profile: Profile): void {
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
}

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
