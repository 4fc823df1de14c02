import type { Exchange, Json, JsonObject, Profile } from "../ir/index.ts";
import type { LossDraft, Trace } from "../loss/index.ts";
import type { EncodeProgress } from "./course.ts";

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
  /** When the answer came, in milliseconds since 1970, for a protocol that tells a time where the source told none. */
  readonly receivedAt?: number;
  /** Of a stream: it is read into a whole response at once, so that no client sees a call before the answer is known. */
  readonly collected?: true;
  readonly link?: Linker;
  /** Of a request that came from the same protocol: mend what its services refuse, as is done for those that came from others. */
  readonly mend?: true;
  /** Of a request of another protocol: the beginning of its history was encoded before. */
  readonly progress?: EncodeProgress;
}

/** The list of a request that grows with the conversation. */
export interface History {
  readonly key: string;
  /** The other members that messages come from: instructions and tools. */
  readonly heads: readonly string[];
  /** True for an item that begins a turn of the model, wherever it stands behind one of others. Of what is rare nothing need be known. */
  readonly isOfModel: (item: JsonObject) => boolean;
  /** True for an item of the user, or a result. */
  readonly isOfOthers: (item: JsonObject) => boolean;
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
  /** Of a stream: only where an earlier frame states the same, or where a later one states it again. */
  readonly when?: "repeated" | "superseded";
  /** Of a stream: only in frames of these types. */
  readonly events?: readonly string[];
  /** Only where this key of the same object has the same value. */
  readonly sameAs?: string;
  readonly reason: string;
}
