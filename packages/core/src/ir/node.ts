import type { Json } from "./json.ts";

/** The wire formats. A provider is not a protocol: "OpenAI-compatible" is `openai-chat` with a compat profile. */
export type ProtocolId = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini-generate-content";

/** The protocol in which a model was asked. */
export type Api = ProtocolId;
/** A service, as a catalogue names it. */
export type ProviderId = string;

/** Where a message or part comes from and whether what it says may be an instruction. A part inherits its message's origin. */
export interface Origin {
  readonly source?: "operator" | "user" | "model" | "tool" | "retrieval" | "file" | "summary";
  readonly trust?: "trusted" | "untrusted";
}

/**
 * What a service hands out and only that service understands. It belongs to the node it stands on, goes back to its issuer
 * verbatim and to nobody else. `callId` and `itemId` hold the issuer's own ids where they differ from ours.
 */
export interface OpaqueState {
  readonly protocol: ProtocolId;
  readonly provider?: string;
  readonly model?: string;
  readonly kind: "signature" | "encrypted" | "itemId" | "callId" | "reference" | "details";
  readonly value: Json;
  /** What must stand unchanged for the state to be valid: the content of its own node, or the whole prefix before it. */
  readonly bindsTo?: "node" | "prefix";
  /** `required`: the issuer refuses the history without it. Absent: optional. */
  readonly replay?: "required" | "optional" | "forbidden";
}

/** Pointer (relative to the wire object, without a leading slash) to a value that the IR has no word for. */
export type Rest = { readonly [pointer: string]: Json };
/** Spelling among equals; a closed set of keys per protocol. */
export type Form = { readonly [key: string]: Json };

/** How a node was written on the wire it came from. The IR wins over it: an edited field beats old residue. */
export interface WireForm {
  readonly protocol: ProtocolId;
  readonly rest?: Rest;
  readonly form?: Form;
  /** Shares the wire container of the node before it. */
  readonly joined?: true;
  /** The residue of that container itself, on its first node. */
  readonly group?: { readonly rest?: Rest; readonly form?: Form };
}

/** What every message, part and tool may carry. */
export interface Node {
  readonly wire?: WireForm;
  readonly state?: readonly OpaqueState[];
  readonly origin?: Origin;
}

/** A mark up to which a service may cache the prompt. `ttl` as the service spells it, for example "5m", "1h", "30m". */
export interface CacheBreakpoint {
  readonly ttl?: string;
  /** Wire residue of the mark itself. */
  readonly wire?: WireForm;
}
