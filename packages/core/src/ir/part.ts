import type { Json, JsonObject } from "./json.ts";
import type { CacheBreakpoint, Node, ProtocolId, WireForm } from "./node.ts";

interface PartNode extends Node {
  readonly cacheBreakpoint?: CacheBreakpoint;
}

/** Where an assertion of the answer comes from. Offsets are UTF-16 code units of the text that the citation stands on. */
export interface Citation extends Node {
  /** `url` a web page, `document` a document of the request, `searchResult` a search result of the request, `file` a stored file. */
  readonly type: "url" | "document" | "searchResult" | "file";
  readonly url?: string;
  readonly title?: string | null;
  readonly citedText?: string;
  readonly startIndex?: number;
  readonly endIndex?: number;
  readonly fileId?: string | null;
  /** Position of the cited document or search result among those of the request, from 0. */
  readonly sourceIndex?: number;
  /** The cited range in the source: characters, 1-based pages, or content blocks; end exclusive. */
  readonly range?: { readonly unit: "character" | "page" | "block"; readonly start: number; readonly end: number };
}

export interface TextPart extends PartNode {
  readonly type: "text";
  readonly text: string;
  readonly citations?: readonly Citation[];
  readonly phase?: "commentary" | "final_answer";
}

/** Reasoning as far as it was shown. Signed, encrypted or redacted reasoning has its payload in `state`, and then maybe no text. */
export interface ThinkingPart extends PartNode {
  readonly type: "thinking";
  readonly thinking: string;
  readonly kind?: "full" | "summary";
  readonly redacted?: boolean;
}

interface ToolCallNode extends PartNode {
  readonly type: "toolCall";
  /** Ours: unique in the conversation. The issuer's own id, where it differs, is `state` of kind `callId`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "function" | "custom" | "mcp" | "computer" | "shell" | "patch";
  readonly namespace?: string;
  /** What made the call: the model itself, or code that ran on the server. */
  readonly caller?: Json;
  /** Why `argumentsText` cannot be used as an object; such a call is never executed. */
  readonly argumentsError?: string;
}
/** One truth: the text where the wire carries text, the value where it carries objects. `callArguments` gives the other. */
export type ToolCallPart = ToolCallNode &
  (
    | { readonly arguments: JsonObject; readonly argumentsText?: never }
    | { readonly argumentsText: string; readonly arguments?: never }
  );

export type MediaSource =
  | { readonly type: "base64"; readonly mediaType: string; readonly data: string; readonly wire?: WireForm }
  | { readonly type: "url"; readonly url: string; readonly mediaType?: string; readonly wire?: WireForm }
  /** A file or an earlier answer that one service stores under its own id. */
  | { readonly type: "file"; readonly fileId: string; readonly mediaType?: string; readonly wire?: WireForm };

export interface ImagePart extends PartNode {
  readonly type: "image";
  readonly source: MediaSource;
  readonly detail?: "auto" | "low" | "high" | "original";
}

export interface AudioPart extends PartNode {
  readonly type: "audio";
  readonly source: MediaSource;
  readonly transcript?: string;
  /** Unix seconds after which the service forgets the audio. */
  readonly expiresAt?: number;
}

export interface VideoPart extends PartNode {
  readonly type: "video";
  readonly source: MediaSource;
}

export interface DocumentPart extends PartNode {
  readonly type: "document";
  readonly source:
    | MediaSource
    | { readonly type: "text"; readonly text: string; readonly mediaType: string; readonly wire?: WireForm }
    | { readonly type: "content"; readonly content: readonly Part[]; readonly wire?: WireForm }
    /** A passage that the caller retrieved; `uri` names where from. */
    | {
        readonly type: "searchResult";
        readonly uri: string;
        readonly content: readonly Part[];
        readonly wire?: WireForm;
      };
  readonly title?: string;
  readonly context?: string;
  readonly detail?: "auto" | "low" | "high";
  /** Whether the answer shall cite this document. */
  readonly citations?: boolean;
}

export interface RefusalPart extends PartNode {
  readonly type: "refusal";
  readonly text: string;
  readonly category?: string;
}

/** A tool that the service itself runs. */
export interface ServerToolCallPart extends PartNode {
  readonly type: "serverToolCall";
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  /** The MCP server that owns the tool. */
  readonly server?: string;
  /** The service that ran the tool, where it is known: no other one takes the call back. */
  readonly provider?: string;
  readonly caller?: Json;
}

export interface ServerToolResultPart extends PartNode {
  readonly type: "serverToolResult";
  readonly toolCallId: string;
  readonly protocol: ProtocolId;
  /** The service that ran the tool, where it is known: no other one takes the result back. */
  readonly provider?: string;
  /** The result as its protocol spells it, without the linking id; other protocols cannot take it. */
  readonly value: JsonObject;
}

export interface ToolReferencePart extends PartNode {
  readonly type: "toolReference";
  readonly name: string;
}

/** Something of one protocol that the IR has no word for, kept whole. */
export interface OpaquePart extends PartNode {
  readonly type: "opaque";
  readonly protocol: ProtocolId;
  /** The service that alone can read it, where that is known. */
  readonly provider?: string;
  readonly slot: "item" | "part" | "block";
  readonly value: Json;
}

export type Part =
  | TextPart
  | ThinkingPart
  | ToolCallPart
  | ImagePart
  | AudioPart
  | VideoPart
  | DocumentPart
  | RefusalPart
  | ServerToolCallPart
  | ServerToolResultPart
  | ToolReferencePart
  | OpaquePart;

/** Fields in which applications keep what a service signed of a part, until `normalizeContext` knows which service that is. */
export const signatureFields = ["textSignature", "thinkingSignature", "thoughtSignature"] as const;

/** The names under which applications know the commonest parts. */
export type TextContent = TextPart;
export type ThinkingContent = ThinkingPart;
export type ToolCall = ToolCallPart;
export type ImageContent = ImagePart;

/** What an instruction may hold. Media there is accepted by Responses only; a tool reference loads a deferred tool. */
export type SystemPart = TextPart | ImagePart | DocumentPart | ToolReferencePart | OpaquePart;
