import { ConfigError } from "../errors/index.js";
/** Longer than any rule for a name needs to be, and short enough to stand in a message. */
const MAXIMUM_PATTERN = 500;
const patterns = ["toolCallIdPattern", "toolNamePattern"];
/** The least that each number may be. A server may take no cache breakpoint at all, but must be able to answer. */
const leasts = [
    ["maxOutputTokens", 1],
    ["maxCacheBreakpoints", 0],
];
/**
 * Checks what the types of a profile cannot: that patterns compile, and that numbers count something. Throws a ConfigError with the pointer
 * of the field. A wrong profile would otherwise fail in the middle of a conversion, or send a request that no server takes.
 */
export function checkProfile(profile) {
    for (const name of patterns) {
        const reason = wrongPattern(profile[name]);
        if (reason !== undefined)
            throw new ConfigError(`/${name}`, `"${name}" ${reason}`);
    }
    for (const [name, least] of leasts) {
        const value = profile[name];
        if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
            throw new ConfigError(`/${name}`, `"${name}" must be a whole number from ${least}, not ${value}`);
        }
    }
}
/** A profile that states nothing. */
export const unstatedProfile = Object.freeze({});
/**
 * Answers what an encoder wants to know of its target. What is known of a frozen profile is remembered, because it cannot change: gateways
 * ask for the same one with each request.
 */
export function createResolver(resolve) {
    const remembered = { faithful: new WeakMap(), mended: new WeakMap() };
    return (profile, faithful = false) => {
        const memory = remembered[faithful ? "faithful" : "mended"];
        const known = memory.get(profile);
        if (known !== undefined)
            return known;
        checkProfile(profile);
        const resolved = resolve(profile, faithful);
        if (Object.isFrozen(profile))
            memory.set(profile, resolved);
        return resolved;
    };
}
function wrongPattern(pattern) {
    if (pattern === undefined)
        return undefined;
    if (pattern.length > MAXIMUM_PATTERN) {
        return `must have ${MAXIMUM_PATTERN} characters at most, not ${pattern.length}`;
    }
    try {
        new RegExp(pattern);
        return undefined;
    }
    catch (error) {
        return `must be a regular expression: ${error.message}`;
    }
}
//# sourceMappingURL=profile.js.map