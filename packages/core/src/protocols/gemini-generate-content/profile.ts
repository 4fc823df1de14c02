import { createResolver } from "../../codec/profile.ts";
import type { Profile } from "../../ir/index.ts";

const protocol = "gemini-generate-content";

/** What an encoder needs to know about its target, each question answered. */
export interface ResolvedProfile extends Profile {
  readonly protocol: "gemini-generate-content";
  /** `level`: the model takes a word; `budget`: a number of tokens; `both`: nobody knows which. */
  readonly thinkingStyle: "level" | "budget" | "both" | "none";
  /** Undefined where nobody knows. */
  readonly prefill: boolean | undefined;
}

/** Version of a Gemini model by its name, as 100 * major + minor; undefined for other names. */
function geminiVersion(model: string | undefined): number | undefined {
  const found = /gemini-(\d{1,2})(?:\.(\d{1,2}))?(?!\d)/i.exec(model ?? "");
  return found === null ? undefined : Number(found[1]) * 100 + Number(found[2] ?? 0);
}

/**
 * Fills a profile from what is documented of model families. Throws a ConfigError for a profile that is wrong.
 * Source (2026-11): ai.google.dev/gemini-api/docs/generate-content/thinking (levels from Gemini 3 on, budgets before, none before 2.5).
 */
export const resolveProfile: (target: Profile, faithful?: boolean) => ResolvedProfile = createResolver(resolve);

function resolve(target: Profile): ResolvedProfile {
  const answers = { protocol, thinkingStyle: thinkingStyle(target), prefill: target.supportsPrefill } as const;
  return Object.assign({}, target, answers);
}

function thinkingStyle({ thinking, supportsEffort, model }: Profile): ResolvedProfile["thinkingStyle"] {
  if (thinking === "none") return "none";
  if (thinking === "budget" || supportsEffort === false) return "budget";
  if (supportsEffort === true) return "level";
  const version = geminiVersion(model);
  if (version === undefined) return "both";
  return version >= 300 ? "level" : version >= 205 ? "budget" : "none";
}

export const profiles: { readonly [name: string]: Profile } = {
  google: { protocol: "gemini-generate-content", provider: "google" },
  "google-vertex": { protocol: "gemini-generate-content", provider: "google-vertex" },
};
