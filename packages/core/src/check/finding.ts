import type { Pointer } from "../ir/index.ts";

/** `error`: the service answers 400. `warning`: it may, or what comes back is not what was meant. */
export type FindingSeverity = "error" | "warning";

/**
 * Where a rule is known from: SDK `types`, the published `openapi` document, an `issue` that shows a live answer of the service, a `recording`
 * of one, the vendor's `documentation`, the source of the vendor's `sdk`, or general `knowledge`, which is never an error.
 */
export type Evidence = "types" | "openapi" | "issue" | "recording" | "documentation" | "sdk" | "knowledge";

/** A place at which a request breaks a rule of its protocol. */
export interface Finding {
  /** The id of the rule, as `docs/lint.md` lists it. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** Into the body that was checked; into the IR where a conversation was. */
  readonly path: Pointer;
  /** Of a conversation: where the place would stand in the body that was made of it. */
  readonly targetPath?: Pointer;
  /** What is wrong and how to mend it; from a template, without any content. */
  readonly message: string;
  readonly source: string;
  readonly evidence: Evidence;
}
