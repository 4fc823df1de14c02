import type { Json, Loss, ProtocolId } from "@rolecall/core";

/** What is converted. A `history` is a request whose last turns hold an answer that the same party read before. */
export type Operation = "request" | "response" | "stream" | "history";

/** What comes of a body, and what its converter says beside it. */
export interface Output {
  readonly value: Json;
  /** Losses with their places, of a converter that reports them. */
  readonly losses?: readonly Loss[];
  /** Any other report of the conversion. */
  readonly report?: Json;
  /** Warnings, one for each thing that was left out. */
  readonly warnings?: readonly Json[];
}

/** A way that a converter offers from one protocol to another. */
export interface Direction {
  readonly operation: Operation;
  readonly from: ProtocolId;
  /** `own`: the objects of the library itself, which callers read. */
  readonly to: ProtocolId | "own";
  /** Throws, or rejects, where the body is refused. */
  convert(body: Json): Output | Promise<Output>;
}

/** A converter that is measured. */
export interface Subject {
  readonly id: string;
  readonly name: string;
  readonly versions: readonly string[];
  readonly directions: readonly Direction[];
  stop?(): void;
}
