import type { Pointer } from "./json.ts";
import type { ProtocolId } from "./node.ts";

/** What happened to it. `unverified`: sent, but nobody knows whether this server honours it. */
export type LossKind =
  | "dropped"
  | "downgraded"
  | "merged"
  | "approximated"
  | "rewritten"
  | "synthesized"
  | "unverified";
/** What it changes, in order of rank. */
export type LossEffect =
  | "safety"
  | "authority"
  | "content"
  | "execution"
  | "control"
  | "reasoning"
  | "evidence"
  | "cost"
  | "form";
export type LossSeverity = "error" | "warning" | "info";
export type LossStage = "decode" | "encode" | "upstream";

export interface Loss {
  /** "area.thing"; the catalogue is closed. */
  readonly code: string;
  readonly kind: LossKind;
  readonly effect: LossEffect;
  readonly severity: LossSeverity;
  readonly stage: LossStage;
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  /**
   * convert: into the client's body, also where that stands in a request with headers; encode alone: into the IR; streams: "/events/{n}/…", n
   * counts data frames. Losses with a code of the area `header` are those of the headers beside the body, and their path is "/headers".
   */
  readonly path: Pointer;
  readonly irPath?: Pointer;
  /** Into the encoded body. A synthesized value has only this. */
  readonly targetPath?: Pointer;
  /** From a template, without any content: reports may be logged. */
  readonly detail: string;
  readonly replacement?: string;
  /** Reason with which the user accepted it beforehand. */
  readonly accepted?: string;
}

/** The value, and everything that the way to it changed. */
export interface Converted<T> {
  readonly value: T;
  readonly losses: readonly Loss[];
}
