import type { Json } from "./json.ts";
import type { CacheBreakpoint, Node, ProtocolId, WireForm } from "./node.ts";
import type { Part, SystemPart } from "./part.ts";
import type { Settings } from "./settings.ts";
import type { Tool, ToolReference } from "./tool.ts";
import type { Usage } from "./usage.ts";

/** Whose instruction it is. Carried and shown, never solved by arithmetic. */
export type Authority = "system" | "developer" | "user" | "guideline";
export type Lifetime = "always" | "nextUserTurn" | "untilReplaced";

/**
 * An instruction and changes of the tools. The leading one holds the request's top-level instruction and tools; with
 * `content: []` it is the home of tools without text and encodes to nothing else.
 */
export interface SystemMessage extends Node {
  readonly role: "system";
  readonly authority: Authority;
  readonly lifetime?: Lifetime;
  readonly scope?: string;
  readonly delegatesTo?: Authority;
  readonly content: readonly SystemPart[];
  /** Named passages that later messages replace (`text`) or remove (`null`), in order. */
  readonly sections?: readonly { readonly name: string; readonly text: string | null }[];
  readonly toolsAdded?: readonly Tool[];
  readonly toolsRemoved?: readonly ToolReference[];
  /** Reasoning effort from here on. */
  readonly effort?: string;
  /** Unix milliseconds. */
  readonly timestamp?: number;
}

export interface UserMessage extends Node {
  readonly role: "user";
  readonly content: readonly Part[];
  /** Name of the participant. */
  readonly name?: string;
  readonly timestamp?: number;
}

export type StopReason = "pending" | "stop" | "length" | "toolUse" | "error" | "aborted" | "deferred";
export type StopDetail =
  | "stopSequence"
  | "pause"
  | "refusal"
  | "contentFilter"
  | "contextOverflow"
  | "compaction"
  | "malformedToolCall"
  | "unknown";

/** What the model said. In a request's history only the content is known. */
export interface AssistantTurn extends Node {
  readonly role: "assistant";
  readonly content: readonly Part[];
  readonly name?: string;
  readonly api?: ProtocolId;
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: Usage;
  readonly stopReason?: StopReason;
  readonly stopDetail?: StopDetail;
  /** The sequence that stopped the answer, where the service tells. */
  readonly stopSequence?: string;
  /** The service's own word. */
  readonly rawStopReason?: string;
  /** The model that answered, where the service tells. */
  readonly responseModel?: string;
  readonly responseId?: string;
  readonly thinkingLevel?: string;
  readonly providerThinkingLevel?: string;
  /** Further candidates of the same answer. */
  readonly alternatives?: readonly AssistantMessage[];
  readonly errorMessage?: string;
  readonly error?: Json;
  readonly timestamp?: number;
}

/** The shape that responses and streams give. */
export interface AssistantMessage extends AssistantTurn {
  readonly api: ProtocolId;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** Unix milliseconds; 0 where the service does not tell and nobody asked a clock. */
  readonly timestamp: number;
}

export interface ToolResultMessage extends Node {
  readonly role: "toolResult";
  /** The `id` of the call that it answers. */
  readonly toolCallId: string;
  readonly toolName?: string;
  readonly content: readonly Part[];
  /** A result that goes to the model as an object (Gemini). */
  readonly value?: Json;
  /** For the host alone; never goes to a model. */
  readonly details?: Json;
  readonly isError: boolean;
  readonly cacheBreakpoint?: CacheBreakpoint;
  /** What running the tool itself cost. */
  readonly usage?: Usage;
  readonly timestamp?: number;
}

export type Message = SystemMessage | UserMessage | AssistantTurn | ToolResultMessage;

/** One request: its history, and its settings. Tools ride on the system messages. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly settings: Settings;
  readonly wire?: WireForm;
}
