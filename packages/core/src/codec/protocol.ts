import type { ProviderError } from "../errors/index.ts";
import type { AssistantMessage, Conversation, Exchange, Json, JsonObject, Profile, ProtocolId } from "../ir/index.ts";
import type { LossDraft, Trace } from "../loss/index.ts";

/** A request as it goes over HTTP, as far as the protocol puts parts of it outside of the body. */
export interface WireRequest {
  readonly body: Json;
  /** Gemini: model and stream are in the path. */
  readonly url?: { readonly model?: string; readonly stream?: boolean; readonly alt?: string };
  /** Anthropic: `anthropic-version` and `anthropic-beta`. */
  readonly headers?: { readonly version?: string; readonly betas?: readonly string[] };
}

export interface WireError {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

export interface Decoded<T> {
  readonly value: T;
  /** What decoding had to change; empty for a wire that keeps to its protocol. */
  readonly losses: readonly LossDraft[];
  readonly trace: Trace;
}

export interface Encoded<T> {
  readonly value: T;
  readonly losses: readonly LossDraft[];
}

export interface EncodedRequest extends Encoded<WireRequest> {
  readonly exchange: Exchange;
}

/** Told for each IR node which wire object it became. Only asked for by `trace()`. */
export type Linker = (node: object, wire: object) => void;

export interface EncodeOptions {
  /** Of a response: what the client understands beyond its protocol. */
  readonly profile?: Profile;
  readonly link?: Linker;
}

/** A place whose change or removal need not show anywhere. The complete list per protocol; the audit reads it too. */
export interface RedundancyRule {
  /** JSON Pointer with `*` for one segment and `**` for any number. */
  readonly path: string;
  readonly operation: "request" | "response" | "stream";
  /** `always`: neither change nor removal shows. `removal`: a change shows. */
  readonly covers: "always" | "removal";
  /** Only for these values; absent: for all. `null`, `""`, `[]` and `{}` stand for themselves. */
  readonly values?: readonly Json[];
  readonly reason: string;
}

/** One wire format, both directions. Functions without state: no clock, no random numbers, no network; inputs are never changed. */
export interface Protocol {
  readonly id: ProtocolId;
  readonly redundancy: readonly RedundancyRule[];
  /** Profiles of known servers by name. */
  readonly profiles: { readonly [name: string]: Profile };
  /** Throws a DecodeError for a body that is not one of this protocol. */
  decodeRequest(wire: WireRequest, source?: Profile): Decoded<Conversation>;
  /** Throws an UnsupportedError for what the target cannot do at all. */
  encodeRequest(conversation: Conversation, target?: Profile, options?: EncodeOptions): EncodedRequest;
  decodeResponse(wire: Json, exchange?: Exchange): Decoded<AssistantMessage>;
  encodeResponse(message: AssistantMessage, exchange?: Exchange, options?: EncodeOptions): Encoded<JsonObject>;
  decodeError(status: number, headers: { readonly [name: string]: string | undefined }, body: unknown): ProviderError;
  encodeError(error: ProviderError, exchange?: Exchange): Encoded<WireError>;
}
