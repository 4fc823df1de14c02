import { createResolver } from "../../codec/profile.ts";
import type { Profile } from "../../ir/index.ts";

const protocol = "openai-chat";

/** What an encoder needs to know about its target, each question answered. Nothing stated means OpenAI itself. */
export interface ResolvedProfile extends Profile {
  readonly protocol: "openai-chat";
  readonly developerRole: boolean;
  readonly customTools: boolean;
  readonly strictTools: boolean;
  readonly structuredOutput: boolean;
  readonly imagesInToolResults: boolean;
  readonly fileInput: boolean;
  readonly contentParts: boolean;
  readonly topK: boolean;
  readonly effort: boolean;
  readonly sampling: boolean;
  readonly parallelToolCalls: boolean;
  /** Whether instructions may stand among the turns. */
  readonly midConversationSystem: boolean;
  readonly streamOptions: boolean;
  readonly choices: boolean;
  /** Undefined where nobody knows. */
  readonly prefill: boolean | undefined;
  readonly marks: "prompt_cache_breakpoint" | "cache_control" | "none";
  readonly sentSeedField: "seed" | "random_seed";
  readonly tokensField: "max_completion_tokens" | "max_tokens";
}

/**
 * `faithful`: the value comes from this protocol, so what the profile does not deny is taken as possible. Throws a ConfigError for a profile
 * that is wrong.
 */
export const resolveProfile: (target: Profile, faithful?: boolean) => ResolvedProfile = createResolver(resolve);

function resolve(target: Profile, faithful: boolean): ResolvedProfile {
  const named =
    target.provider === undefined
      ? undefined
      : Object.hasOwn(profiles, target.provider)
        ? profiles[target.provider]
        : undefined;
  const known: Profile = named === undefined ? target : { ...named, ...target };
  // Assigned, and not written behind a spread: for a copy that grows that far, engines take thirty times as long.
  const answers = {
    protocol,
    developerRole: known.supportsDeveloperRole ?? true,
    customTools: known.supportsCustomTools ?? true,
    strictTools: known.supportsStrictTools ?? true,
    structuredOutput: known.supportsStructuredOutput ?? true,
    imagesInToolResults: known.supportsImagesInToolResults ?? faithful,
    fileInput: known.supportsFileInput ?? true,
    contentParts: known.supportsContentParts ?? true,
    topK: known.supportsTopK ?? faithful,
    effort: known.supportsEffort ?? known.thinking !== "none",
    sampling: known.supportsSampling ?? true,
    parallelToolCalls: known.supportsParallelToolCalls ?? true,
    midConversationSystem: known.supportsMidConversationSystem ?? true,
    // A client of this protocol may have a last message of the assistant answered.
    prefill:
      faithful && target.supportsPrefill === undefined && named?.supportsPrefill === false
        ? undefined
        : known.supportsPrefill,
    streamOptions: known.supportsStreamOptions ?? true,
    choices: known.supportsChoices ?? true,
    marks: known.cacheMarks ?? "prompt_cache_breakpoint",
    sentSeedField: known.seedField ?? "seed",
    tokensField: known.maxTokensField ?? "max_completion_tokens",
  } as const;
  return Object.assign({}, known, answers);
}

const inMessages = "messages/";

/** The keys of messages that the target refuses. */
export function refusedInMessages({ refusedFields = [] }: Profile): string[] {
  return refusedFields.flatMap((field) => (field.startsWith(inMessages) ? [field.slice(inMessages.length)] : []));
}

export const refusesInMessages = ({ refusedFields }: Profile, key: string): boolean =>
  refusedFields?.includes(inMessages + key) === true;

/**
 * Families of servers that speak Chat Completions. Each value has its source; what is not stated is unknown, not false. Read 2026-11.
 */
export const profiles: { readonly [name: string]: Profile } = {
  // The SDK types of `openai` 7.59.0; a last message of the assistant is answered, and not continued.
  openai: {
    protocol: "openai-chat",
    provider: "openai",
    seedField: "seed",
    supportsPrefill: false,
    supportsDeveloperRole: true,
    supportsCustomTools: true,
    supportsStrictTools: true,
  },
  // docs.ollama.com/api/openai-compatibility: lists max_tokens, images, tools, reasoning_effort; no developer role, files or custom tools.
  ollama: {
    protocol: "openai-chat",
    provider: "ollama",
    seedField: "seed",
    supportsDeveloperRole: false,
    supportsCustomTools: false,
    supportsFileInput: false,
    cacheMarks: "none",
    reasoningField: "reasoning",
    maxTokensField: "max_tokens",
  },
  // docs.vllm.ai/en/latest/serving/openai_compatible_server.html: top_k and min_p as extra parameters, `reasoning` in answers.
  vllm: {
    protocol: "openai-chat",
    provider: "vllm",
    seedField: "seed",
    supportsCustomTools: false,
    supportsFileInput: false,
    supportsTopK: true,
    cacheMarks: "none",
    reasoningField: "reasoning",
  },
  // github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md: top_k, min_p, `reasoning_content`;
  // a last message of the assistant is continued unless the server was started with `--no-prefill-assistant`.
  "llama.cpp": {
    protocol: "openai-chat",
    provider: "llama.cpp",
    seedField: "seed",
    supportsPrefill: true,
    supportsDeveloperRole: false,
    supportsCustomTools: false,
    supportsFileInput: false,
    supportsTopK: true,
    cacheMarks: "none",
    reasoningField: "reasoning_content",
    maxTokensField: "max_tokens",
  },
  // api-docs.deepseek.com/api/create-chat-completion: roles system, user, assistant, tool; max_tokens; `reasoning_content` within a tool turn.
  deepseek: {
    protocol: "openai-chat",
    provider: "deepseek",
    supportsDeveloperRole: false,
    supportsCustomTools: false,
    supportsFileInput: false,
    supportsStructuredOutput: false,
    cacheMarks: "none",
    reasoningField: "reasoning_content",
    maxTokensField: "max_tokens",
  },
  // console.groq.com/docs/openai: max_completion_tokens; logprobs, logit_bias, names in messages and n above 1 refused; so is reasoning under
  // another key than its own (github.com/janhq/jan/issues/8136).
  groq: {
    protocol: "openai-chat",
    provider: "groq",
    seedField: "seed",
    refusedFields: ["logit_bias", "logprobs", "top_logprobs", "messages/name", "messages/reasoning_content"],
    supportsChoices: false,
    supportsCustomTools: false,
    supportsFileInput: false,
    cacheMarks: "none",
    reasoningField: "reasoning",
  },
  // docs.mistral.ai/api: max_tokens, random_seed; no `stream_options` (422 "Extra inputs are not permitted", github.com/avante-corp/avante.nvim/issues/2347), usage
  // comes unasked; the same for every other field that it does not list; `prefix` on a last message of the assistant; call ids of nine letters or digits (recorded refusal: "Tool call id has to be defined … a-z, A-Z, 0-9, length 9").
  mistral: {
    protocol: "openai-chat",
    provider: "mistral",
    supportsDeveloperRole: false,
    supportsCustomTools: false,
    supportsFileInput: false,
    cacheMarks: "none",
    reasoningField: "none",
    seedField: "random_seed",
    maxTokensField: "max_tokens",
    supportsStreamOptions: false,
    supportsPrefill: true,
    prefillField: "prefix",
    refusedFields: [
      "audio",
      "logit_bias",
      "logprobs",
      "modalities",
      "moderation",
      "prompt_cache_retention",
      "safety_identifier",
      "seed",
      "service_tier",
      "store",
      "top_logprobs",
      "user",
      "verbosity",
      "web_search_options",
    ],
    toolCallIdPattern: "^[a-zA-Z0-9]{9}$",
  },
  // openrouter.ai/docs/features/prompt-caching: `cache_control` on text parts; openrouter.ai/docs/use-cases/reasoning-tokens: `reasoning`, `reasoning_details`.
  openrouter: {
    protocol: "openai-chat",
    provider: "openrouter",
    seedField: "seed",
    supportsTopK: true,
    cacheMarks: "cache_control",
    reasoningField: "reasoning",
    maxTokensField: "max_tokens",
  },
  // docs.x.ai/docs/api-reference: max_completion_tokens; `reasoning_content` in answers.
  xai: {
    protocol: "openai-chat",
    provider: "xai",
    seedField: "seed",
    supportsCustomTools: false,
    cacheMarks: "none",
    reasoningField: "reasoning_content",
  },
};
