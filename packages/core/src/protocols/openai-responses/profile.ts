import { createResolver } from "../../codec/profile.ts";
import type { Profile } from "../../ir/index.ts";

const protocol = "openai-responses";

/** What an encoder needs to know about its target, each question answered. Nothing stated means OpenAI itself. */
export interface ResolvedProfile extends Profile {
  readonly protocol: "openai-responses";
  readonly developerRole: boolean;
  readonly customTools: boolean;
  readonly strictTools: boolean;
  readonly structuredOutput: boolean;
  readonly imagesInToolResults: boolean;
  readonly fileInput: boolean;
  readonly effort: boolean;
  /** Tools and effort may change among the turns. */
  readonly toolChanges: boolean;
  /** Penalties, which Open Responses has and OpenAI has not. */
  readonly penalties: boolean;
  readonly marks: boolean;
  /** Undefined where nobody knows. */
  readonly prefill: boolean | undefined;
}

/**
 * `faithful`: the value comes from this protocol, so what the profile does not deny is taken as possible. Throws a ConfigError for a profile
 * that is wrong.
 */
export const resolveProfile: (target: Profile, faithful?: boolean) => ResolvedProfile = createResolver(resolve);

function resolve(target: Profile, faithful: boolean): ResolvedProfile {
  const named =
    target.provider !== undefined && Object.hasOwn(profiles, target.provider) ? profiles[target.provider] : undefined;
  const known: Profile = named === undefined ? target : { ...named, ...target };
  // Assigned, and not written behind a spread: for a copy that grows that far, engines take thirty times as long.
  const answers = {
    protocol,
    developerRole: known.supportsDeveloperRole ?? true,
    customTools: known.supportsCustomTools ?? true,
    strictTools: known.supportsStrictTools ?? true,
    structuredOutput: known.supportsStructuredOutput ?? true,
    imagesInToolResults: known.supportsImagesInToolResults ?? true,
    fileInput: known.supportsFileInput ?? true,
    effort: known.supportsEffort ?? true,
    toolChanges: known.supportsToolChanges ?? true,
    penalties: faithful || known.provider === "open-responses",
    marks: (known.cacheMarks ?? "prompt_cache_breakpoint") === "prompt_cache_breakpoint",
    prefill: known.supportsPrefill,
  } as const;
  return Object.assign({}, known, answers);
}

/** Servers that speak Responses. Each value has its source; what is not stated is unknown, not false. Read 2026-11. */
export const profiles: { readonly [name: string]: Profile } = {
  // The SDK types of `openai` 7.59.0; a last message of the assistant is answered, and not continued.
  openai: {
    protocol: "openai-responses",
    provider: "openai",
    supportsPrefill: false,
    supportsDeveloperRole: true,
    supportsCustomTools: true,
    supportsStrictTools: true,
    supportsToolChanges: true,
  },
  // openresponses.org/specification: tools are functions, items are messages, function calls, their outputs, reasoning and compactions.
  "open-responses": {
    protocol: "openai-responses",
    provider: "open-responses",
    supportsCustomTools: false,
    supportsToolChanges: false,
    cacheMarks: "none",
  },
};
