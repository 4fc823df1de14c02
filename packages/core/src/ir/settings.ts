import type { Json, JsonObject } from "./json.ts";
import type { CacheBreakpoint } from "./node.ts";

export interface ToolChoice {
  /** `required`: some tool must be called; with `names`, one of those. */
  readonly mode: "auto" | "required" | "none";
  readonly names?: readonly string[];
  /** `names` are custom (free text) tools. */
  readonly custom?: true;
  /** `names` is an allowed subset rather than one forced tool; a subset of one is still a subset. */
  readonly subset?: true;
}

export interface Reasoning {
  /** `disabled`: none. `enabled`: with `budget`. `adaptive`: the model decides. `betweenTools`: only between tool calls. */
  readonly mode?: "enabled" | "disabled" | "adaptive" | "betweenTools";
  readonly effort?: "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Tokens. */
  readonly budget?: number;
  readonly summary?: "auto" | "concise" | "detailed";
  readonly display?: "summarized" | "omitted" | "updates";
  readonly includeThoughts?: boolean;
  readonly context?: "auto" | "current_turn" | "all_turns";
}

/** `text`: stated default. `json`: any JSON object. `jsonSchema`: the schema binds. */
export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
      readonly type: "jsonSchema";
      readonly schema: JsonObject;
      readonly name?: string;
      readonly description?: string;
      readonly strict?: boolean;
    };

export interface CacheSettings {
  /** `automatic`: the service marks the end of the prompt by itself. `explicit`: only the marks count. */
  readonly mode?: "automatic" | "explicit";
  /** The automatic mark, where the service takes a time to live for it. */
  readonly breakpoint?: CacheBreakpoint;
  readonly key?: string;
  readonly retention?: string;
  readonly ttl?: string;
  /** Name of a beginning of the prompt that the service has stored; what it holds only the service knows. */
  readonly content?: string;
}

/** Everything of a request beside its messages. Each key is handled by every protocol or the build breaks. */
export interface Settings {
  readonly model?: string;
  readonly stream?: boolean;
  readonly streamOptions?: { readonly includeUsage?: boolean; readonly includeObfuscation?: boolean };
  /** Upper bound of generated tokens, reasoning included. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  /** Number of candidates. */
  readonly n?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly logitBias?: JsonObject;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly reasoning?: Reasoning;
  readonly responseFormat?: ResponseFormat;
  readonly serviceTier?: string;
  readonly speed?: "standard" | "fast";
  readonly metadata?: JsonObject;
  /** Stable identifier of the end user. */
  readonly userId?: string;
  readonly cache?: CacheSettings;
  readonly store?: boolean;
  readonly previousResponseId?: string;
  readonly modalities?: readonly string[];
  /** Voice and format of spoken answers. */
  readonly audio?: Json;
  readonly verbosity?: string;
  readonly prediction?: Json;
  readonly webSearch?: Json;
  /** Moderation or safety thresholds, as the protocol spells them. */
  readonly safety?: Json;
}
