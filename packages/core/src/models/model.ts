import type { Profile, ProtocolId } from "../ir/index.ts";

/** What a model is for. Each kind has operations of its own, and none takes a model of another kind. */
export type ModelType = "chat" | "classifier" | "image";

export type Modality = "text" | "image" | "audio" | "video" | "pdf";

/** How much a model thinks. `off` is none; what a model makes of the others is its own. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** In rising order. */
export const thinkingLevels: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/** United States dollars per million tokens. */
export interface PriceTier {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** What is written to be kept for an hour; twice `input` where it is not stated, as Anthropic has it. */
  readonly cacheWrite1h?: number;
}

/** What a model costs by its list of prices, which is no bill. */
export interface Price extends PriceTier {
  /** Prices of the whole request once its prompt has more tokens than `above`, in rising order. */
  readonly tiers?: readonly (PriceTier & { readonly above: number })[];
  /** Dollars for one image. */
  readonly perImage?: number;
  /** Where the prices are from, and the day on which they were read (YYYY-MM-DD). */
  readonly source?: string;
  readonly date?: string;
}

/** Bounds of what a request may hold, where a source says so. */
export interface MediaLimits {
  /** Images of one request. */
  readonly maxImages?: number;
  readonly maxImageBytes?: number;
  /** Bytes of the whole request. */
  readonly maxRequestBytes?: number;
}

interface ModelBase {
  /** The name that the service knows it by. */
  readonly id: string;
  /** The service that is asked. */
  readonly provider: string;
  /** What people call it. */
  readonly name?: string;
  /** Where it is asked, if elsewhere than the other models of its provider. */
  readonly baseUrl?: string;
  /** Sent with each request of this model. */
  readonly headers?: { readonly [name: string]: string };
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  /** The most tokens of an answer. */
  readonly maxTokens?: number;
  readonly input?: readonly Modality[];
  readonly output?: readonly Modality[];
  readonly media?: MediaLimits;
  readonly cost?: Price;
  /** The day on which it came out, and the one on which it is withdrawn (YYYY-MM-DD). */
  readonly released?: string;
  readonly deprecated?: string;
  /** Where what is said of it is from, and the day of that (YYYY-MM-DD). */
  readonly source?: string;
  readonly date?: string;
  /** What is known of this model at its service, beyond what is known of all models there. */
  readonly compat?: Profile;
}

/** How much a model thinks, where it thinks. */
interface Thinking {
  /** False: it never thinks. Absent: unknown. */
  readonly reasoning?: boolean;
  /**
   * The service's own word for each level, or the tokens that it may think; null where the model has no such level. A level that is not named is
   * unknown: it is asked for by its own name.
   */
  readonly thinkingLevels?: { readonly [L in ThinkingLevel]?: string | number | null };
}

export interface ChatModel extends ModelBase, Thinking {
  readonly type: "chat";
  /** The protocol that it is asked in. */
  readonly api: ProtocolId;
}

/** Answers questions about a state. `asClassifier` makes one of a chat model. */
export interface ClassifierModel extends ModelBase, Thinking {
  readonly type: "classifier";
  /** The protocol that it is asked in, which is one of those of chat models. */
  readonly api: string;
}

/** Draws images. */
export interface ImageModel extends ModelBase {
  readonly type: "image";
  /** "openai-images", or the protocol of a model that draws within a conversation. */
  readonly api: string;
}

export type Model = ChatModel | ClassifierModel | ImageModel;

export type ModelOf<T extends ModelType> = Extract<Model, { readonly type: T }>;
