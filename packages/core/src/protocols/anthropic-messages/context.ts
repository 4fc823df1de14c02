import type { CallIds } from "../../codec/identity/call-ids.ts";
import { copyCallIds } from "../../codec/identity/call-ids.ts";
import type { LateSet } from "../../codec/identity/late.ts";
import type { Names } from "../../codec/identity/names.ts";
import type { Absence } from "../../codec/ledger.ts";
import type { Linker } from "../../codec/protocol.ts";
import type { WireObject } from "../../codec/restore.ts";
import type { LossDraft, Report, Trace } from "../../loss/index.ts";
import { copyTrace } from "../../loss/index.ts";
import type { ResolvedProfile } from "./profile.ts";

/** What decoding of one body shares. */
export interface Reader {
  readonly trace: Trace;
  /** The service that the body comes from, where it is known: the issuer of the opaque state in it. */
  readonly provider: string | undefined;
  readonly losses: LossDraft[];
  readonly callIds: CallIds;
  /** What means absence: in a response a null or an empty container, in a request nothing. */
  readonly absence: Absence;
}

/** A reader that goes on where this one stands. */
export function copyReader(reader: Reader): Reader {
  const { trace, losses, callIds } = reader;
  return { ...reader, trace: copyTrace(trace), losses: [...losses], callIds: copyCallIds(callIds) };
}

/** What encoding of one body shares. */
export interface Writer {
  readonly target: ResolvedProfile;
  /** The value came from this protocol: it is written as it was. */
  readonly faithful: boolean;
  /** What a service of this protocol would refuse is mended: always where the value came from another, else on request. */
  readonly mends: boolean;
  readonly response: boolean;
  readonly report: Report;
  readonly names: Names;
  readonly customTools: LateSet<string>;
  /** Objects that got a cache mark, in prompt order, for the limit. */
  readonly marked: {
    readonly object: WireObject;
    readonly node: object;
    readonly verbatim?: true;
    /** Its time to live is that of the request. */
    readonly inherits?: true;
  }[];
  /** What the request says of marks that state no time to live, where its protocol has such a word. */
  readonly requestTtl?: string | undefined;
  readonly link?: Linker | undefined;
}
