import { hashName } from "./hash.ts";

/** What a target accepts as a name or id. */
export interface IdentifierRule {
  /** How long it may be. Infinite where everything is taken; else it consists of letters, digits, underscore and hyphen. */
  readonly maximum: number;
  /** A pattern of the target profile; it overrides the rest. */
  readonly pattern?: RegExp;
}

/** Compiles a pattern of a profile, which has been checked; anchored on both sides, whether or not it says so itself. */
function anchored(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** True where the target takes the identifier as it is. */
export function isAcceptable(identifier: string, rule: IdentifierRule): boolean {
  if (rule.pattern !== undefined) return rule.pattern.test(identifier);
  if (rule.maximum === Number.POSITIVE_INFINITY) return true;
  return identifier !== "" && identifier.length <= rule.maximum && isWord(identifier);
}

/** Each call and each result is looked at, and their ids are short: a loop takes a third of what a pattern does. */
function isWord(identifier: string): boolean {
  for (let index = 0; index < identifier.length; index++) {
    const unit = identifier.charCodeAt(index);
    const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122;
    if (!isLetter && !(unit >= 48 && unit <= 57) && unit !== 95 && unit !== 45) return false;
  }
  return true;
}

const forbidden = /[^A-Za-z0-9_-]/g;

/**
 * An identifier that the target accepts: the readable rest of the old one and a hash of all of it. It is a function of the old one alone,
 * so that every request of a conversation uses the same. `salt` tells uses of one identifier apart.
 */
export function acceptableIdentifier(identifier: string, rule: IdentifierRule, salt = ""): string {
  const hash = hashName(salt + identifier);
  if (rule.pattern !== undefined) {
    const base = identifier.replace(forbidden, "_");
    const candidates = [`${base}_${hash}`, `call_${hash}`, hash, ...lengths(hash)];
    for (const candidate of [...candidates, ...candidates.map((name) => name.toLowerCase())]) {
      if (rule.pattern.test(candidate)) return candidate;
    }
    return hash;
  }
  const base = identifier.replace(forbidden, "_");
  return `${base.slice(0, rule.maximum - hash.length - 1)}_${hash}`;
}

function lengths(hash: string): string[] {
  const shorter: string[] = [];
  for (let length = hash.length - 1; length > 3; length--) shorter.push(hash.slice(-length));
  return shorter;
}

/** The rule of a protocol whose names are letters, digits, underscore and hyphen. A faithful encoding changes nothing but by the profile's own pattern. */
export function identifierRule(maximum: number, faithful: boolean, pattern: string | undefined): IdentifierRule {
  const open = faithful || pattern !== undefined;
  return {
    maximum: open ? Number.POSITIVE_INFINITY : maximum,
    ...(pattern !== undefined && { pattern: anchored(pattern) }),
  };
}
