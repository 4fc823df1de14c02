import { createResolver } from "../../codec/profile.ts";
import type { Profile } from "../../ir/index.ts";

const protocol = "anthropic-messages";

/** What an encoder needs to know about its target, each question answered. */
export interface ResolvedProfile extends Profile {
  readonly protocol: "anthropic-messages";
  readonly sampling: boolean;
  /** Whether temperature and top_p may stand together. */
  readonly samplingPair: boolean;
  readonly midConversationSystem: boolean;
  readonly prefill: boolean;
  readonly thinkingStyle: "adaptive" | "budget" | "none";
  /** What is known of thinking: undefined where the profile says neither that nor a model. */
  readonly knownThinking: Profile["thinking"];
  /** Whether a budget may be stated, even where adaptive thinking is the better way. */
  readonly manualThinking: boolean;
  readonly effort: boolean;
  readonly topK: boolean;
  readonly strictTools: boolean;
  readonly structuredOutput: boolean;
  readonly fileInput: boolean;
  readonly imagesInToolResults: boolean;
  readonly parallelToolCalls: boolean;
  /** Whether tools are added and withdrawn within the conversation. */
  readonly toolChanges: boolean;
  /** Whether a document may stand directly in a message of the assistant, and citations on a text of the user. */
  readonly repliesWithSources: boolean;
  readonly defaultMaxTokens: number;
  readonly cacheLimit: number;
}

/** Version of a Claude model by its name, as 100 * major + minor; undefined for other names. Both `claude-opus-4-8` and `claude-3-5-sonnet-…` are in use. */
export function claudeVersion(model: string | undefined): number | undefined {
  if (model === undefined) return undefined;
  const name = model.toLowerCase();
  const found =
    /claude-(?:[a-z]+-)+(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(name) ??
    /claude-(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(name);
  return found === null ? undefined : Number(found[1]) * 100 + Number(found[2] ?? 0);
}

/**
 * Fills a profile from what is documented of API versions and model families. Nothing stated means the current API version and, for a model
 * that is not a Claude, what servers that imitate the API have in common. Throws a ConfigError for a profile that is wrong.
 * Sources (2026-11): platform.claude.com/docs/en/api/migration-2026-10-21 (sampling parameters are gone),
 * platform.claude.com/docs/en/build-with-claude/adaptive-thinking (4.6 and later, manual budgets refused from 4.7),
 * a request of Claude Code 2.1.197 to claude-opus-4-8 (system messages within the conversation).
 */
export const resolveProfile: (target: Profile, faithful?: boolean) => ResolvedProfile = createResolver(resolve);

function resolve(target: Profile, faithful: boolean): ResolvedProfile {
  const version = claudeVersion(target.model);
  const atLeast = (minimum: number): boolean => version !== undefined && version >= minimum;
  const thinking = target.thinking === "both" ? "adaptive" : target.thinking;
  const midConversationSystem =
    target.supportsMidConversationSystem ?? (atLeast(408) || (faithful && version === undefined));
  // Assigned, and not written behind a spread: for a copy that grows that far, engines take thirty times as long.
  const answers = {
    protocol,
    sampling: target.supportsSampling ?? takesSampling(target, faithful, atLeast(407)),
    samplingPair: !atLeast(401),
    midConversationSystem,
    prefill: target.supportsPrefill ?? !atLeast(406),
    knownThinking: target.thinking ?? (version === undefined ? undefined : thinkingOf(version)),
    thinkingStyle: thinking ?? (atLeast(406) ? "adaptive" : version !== undefined && version < 307 ? "none" : "budget"),
    manualThinking: target.thinking === undefined ? !atLeast(407) : thinking === "budget" || target.thinking === "both",
    effort: target.supportsEffort ?? (version === undefined || version >= 405),
    topK: target.supportsTopK ?? true,
    strictTools: target.supportsStrictTools ?? true,
    structuredOutput: target.supportsStructuredOutput ?? true,
    fileInput: target.supportsFileInput ?? true,
    imagesInToolResults: target.supportsImagesInToolResults ?? true,
    parallelToolCalls: target.supportsParallelToolCalls ?? true,
    toolChanges: faithful && midConversationSystem && (target.supportsToolChanges ?? true),
    repliesWithSources: target.apiVersion === undefined ? faithful : target.apiVersion === "2023-06-01",
    defaultMaxTokens:
      target.maxOutputTokens ?? (version === undefined ? 8192 : version < 305 ? 4096 : version < 307 ? 8192 : 32000),
    cacheLimit: target.maxCacheBreakpoints ?? 4,
  } as const;
  return Object.assign({}, target, answers);
}

/** What a Claude of this version takes. */
function thinkingOf(version: number): NonNullable<Profile["thinking"]> {
  if (version < 307) return "none";
  if (version < 406) return "budget";
  return version < 407 ? "both" : "adaptive";
}

/** A body of this protocol comes from a client that knows what its server takes, unless the target states a version or a model that refuses. */
function takesSampling(target: Profile, faithful: boolean, refusing: boolean): boolean {
  if (target.apiVersion === undefined) return faithful && !refusing;
  return target.apiVersion === "2023-06-01" && !refusing;
}

export const profiles: { readonly [name: string]: Profile } = {
  "anthropic-2023-06-01": { protocol: "anthropic-messages", provider: "anthropic", apiVersion: "2023-06-01" },
  "anthropic-2026-10-21": {
    protocol: "anthropic-messages",
    provider: "anthropic",
    apiVersion: "2026-10-21",
    supportsSampling: false,
  },
};
