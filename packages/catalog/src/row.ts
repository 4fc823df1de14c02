/** What a model is for. */
export type ModelType = "chat" | "classifier" | "image";

export type Modality = "text" | "image" | "audio" | "video" | "pdf";

/** United States dollars per million tokens. What a source does not say, or says to be nothing, is absent. */
export interface PriceTier {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** What a model costs by the list of prices of its provider, in United States dollars per million tokens. */
export interface Price extends PriceTier {
  /** What is written to be kept for an hour. */
  readonly cacheWrite1h?: number;
  /** Prices of the whole request once its prompt has more tokens than `above`, in rising order. */
  readonly tiers?: readonly (PriceTier & { readonly above: number })[];
  /** Dollars for one image. */
  readonly perImage?: number;
  /** As that of the row. */
  readonly source: string;
  /** The day of that source, YYYY-MM-DD. */
  readonly date: string;
}

/** Bounds of what a request may hold, where a source says so. */
export interface MediaLimits {
  /** Images of one request. */
  readonly maxImages?: number;
  readonly maxImageBytes?: number;
  /** Bytes of the whole request. */
  readonly maxRequestBytes?: number;
}

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

interface RowBase {
  /** As the provider's own service takes it. */
  readonly id: string;
  readonly name?: string;
  readonly provider: string;
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  /** The most tokens of an answer. */
  readonly maxTokens?: number;
  /** What it is known to take; it may take more. */
  readonly input?: readonly Modality[];
  readonly output?: readonly Modality[];
  readonly media?: MediaLimits;
  readonly cost?: Price;
  readonly reasoning?: boolean;
  /** The provider's own word for a level, or tokens that it may think; null where the model has no such level, absent where nobody says. */
  readonly thinkingLevels?: { readonly [level in ThinkingLevel]?: string | number | null };
  /** YYYY-MM-DD. */
  readonly released?: string;
  /** The day on which it is withdrawn, YYYY-MM-DD. */
  readonly deprecated?: string;
  /** Where all this is from: `npm:name@version` or a URL, several with a space between. */
  readonly source: string;
  /** The day of the newest source, YYYY-MM-DD. */
  readonly date: string;
}

type ProtocolId = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini-generate-content";

export interface ChatRow extends RowBase {
  readonly type: "chat";
  /** The protocol that it is asked in. */
  readonly api: ProtocolId;
}

export interface ClassifierRow extends RowBase {
  readonly type: "classifier";
  readonly api: ProtocolId;
}

export interface ImageRow extends RowBase {
  readonly type: "image";
  readonly api: ProtocolId | "openai-images";
}

/** One model of one provider. What is not known of it is absent. */
export type CatalogRow = ChatRow | ClassifierRow | ImageRow;
