import type { Json, JsonObject } from "./json.ts";
import type { ProtocolId } from "./node.ts";

/**
 * What is known about one server. Losses depend on it, not on the pair of protocols. An absent value is unknown, not false.
 * What is stated is kept to within one protocol as well: what the server does not take is not sent, and reported. A field that begins with the
 * name of a protocol means nothing to others.
 * `toolCallIdPattern` and `toolNamePattern` are regular expressions as text, of 500 characters at most, that a whole name must match. They
 * are the user's own and run as they are: one that repeats a repetition, such as `(a+)+`, can take exponential time on a long name.
 */
export interface Profile {
  readonly protocol?: ProtocolId;
  /** The service. Opaque state goes back to its issuer only: services that accept each other's state are to be named alike. */
  readonly provider?: string;
  readonly model?: string;
  /** Anthropic: "2023-06-01" or "2026-10-21". */
  readonly apiVersion?: string;
  readonly betas?: readonly string[];
  readonly toolCallIdPattern?: string;
  readonly toolNamePattern?: string;
  /** The most tokens that an answer may have. A whole number from 1. */
  readonly maxOutputTokens?: number;
  /** Goes on with a last message of the assistant. */
  readonly supportsPrefill?: boolean;
  /** Takes `temperature`, `top_p`, `top_k` and `min_p`, as far as its protocol has them. */
  readonly supportsSampling?: boolean;
  /** Takes instructions among the turns, and not only before them. */
  readonly supportsMidConversationSystem?: boolean;
  /** Anthropic: tools are added and withdrawn within the conversation. It takes instructions there for it. */
  readonly supportsToolChanges?: boolean;
  /** `adaptive`: the model decides how much; `budget`: a number of tokens; `none`: no reasoning. Chat tells `none` from the others. */
  readonly thinking?: "adaptive" | "budget" | "both" | "none";
  readonly supportsEffort?: boolean;
  /** Chat: there is a role `developer`. */
  readonly supportsDeveloperRole?: boolean;
  readonly supportsStrictTools?: boolean;
  readonly supportsStructuredOutput?: boolean;
  readonly supportsImagesInToolResults?: boolean;
  /** Takes documents as data, links or stored files. */
  readonly supportsFileInput?: boolean;
  /** Chat: there are free-text tools. */
  readonly supportsCustomTools?: boolean;
  readonly supportsTopK?: boolean;
  /** Chat: content may be a list of parts, and not only a string. */
  readonly supportsContentParts?: boolean;
  /** Lets the request say whether several tools may be called at once. */
  readonly supportsParallelToolCalls?: boolean;
  /** Chat: the server takes `stream_options`. */
  readonly supportsStreamOptions?: boolean;
  /** Chat: the server gives several answers to one request. */
  readonly supportsChoices?: boolean;
  /**
   * Chat: keys of a request that the server refuses, and as `messages/name` those of its messages. Settings, names, reasoning and unknown
   * fields under them are dropped.
   */
  readonly refusedFields?: readonly string[];
  /** Chat: key that marks a last message of the assistant as one to go on with, where the server wants a mark. */
  readonly prefillField?: "prefix";
  /** Chat: how cache marks are spelled on parts, where the server takes any. */
  readonly cacheMarks?: "prompt_cache_breakpoint" | "cache_control" | "none";
  /** Chat: field in which reasoning text goes back to its server. */
  readonly reasoningField?: "reasoning_content" | "reasoning" | "none";
  readonly seedField?: "seed" | "random_seed";
  readonly maxTokensField?: "max_completion_tokens" | "max_tokens";
  /** Anthropic: how many cache marks a request may have. A whole number from 0. */
  readonly maxCacheBreakpoints?: number;
  /** What to do where a target cannot do a thing at all. */
  readonly fallbacks?: { readonly [feature: string]: string };
}

/**
 * What the conversion of a request knows and the conversion of its response needs. Plain JSON: it survives a restart.
 * All maps go from the name or id that was sent to the one that the client knows.
 */
export interface Exchange {
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  /** The model that was asked, and the service that was. */
  readonly model?: string;
  readonly provider?: string;
  readonly stream?: boolean;
  readonly includeUsage?: boolean;
  readonly toolNames?: { readonly [sent: string]: string };
  readonly toolCallIds?: { readonly [sent: string]: string };
  /** Tools of a namespace that were sent under the name of both, each with the client's own names, by the joined one. */
  readonly namespaces?: { readonly [joined: string]: { readonly namespace: string; readonly name: string } };
  /** Custom tools that were sent as function tools with one text argument `input`. */
  readonly customTools?: readonly string[];
  /** The client declared the deprecated `functions` of Chat Completions, and reads only the deprecated `function_call`. */
  readonly functionCalls?: true;
  /** What an answer in the client's protocol says again of its request. */
  readonly echo?: JsonObject;
  /** Features that the target lacks and the conversion stands in for. */
  readonly emulated?: { readonly [feature: string]: Json };
}
