import type { CallIds } from "../../codec/identity/call-ids.ts";
import { copyCallIds } from "../../codec/identity/call-ids.ts";
import type { LateMap, LateSet } from "../../codec/identity/late.ts";
import type { Names } from "../../codec/identity/names.ts";
import type { Absence } from "../../codec/ledger.ts";
import type { Linker } from "../../codec/protocol.ts";
import type { LossDraft, Report, Trace } from "../../loss/index.ts";
import { copyTrace } from "../../loss/index.ts";
import type { ResolvedProfile } from "./profile.ts";

/** The calls of one function in the latest turn that has some, for results that name no call. */
export interface NamedCalls {
  readonly turn: number;
  readonly ids: string[];
  readonly answered: number;
}

/** What decoding of one body shares. */
export interface Reader {
  readonly trace: Trace;
  /** The service that the body comes from, where it is known: the issuer of the opaque state in it. */
  readonly provider: string | undefined;
  readonly losses: LossDraft[];
  readonly callIds: CallIds;
  readonly namedCalls: LateMap<string, NamedCalls>;
  /** The names of the functions that were called, by our id of the call. */
  readonly callNames: LateMap<string, string>;
  /** Our id of the latest call of a tool of the service. */
  latestRecord: string | undefined;
  /** What a null or an empty container means: in a response absence, in a request a statement. */
  readonly absence: Absence;
}

/** A reader that goes on where this one stands. */
export function copyReader(reader: Reader): Reader {
  const { trace, losses, callIds, namedCalls, callNames } = reader;
  return {
    ...reader,
    trace: copyTrace(trace),
    losses: [...losses],
    callIds: copyCallIds(callIds),
    namedCalls: namedCalls.copy(),
    callNames: callNames.copy(),
  };
}

/** What encoding of one body shares. */
export interface Writer {
  readonly target: ResolvedProfile;
  /** The value came from this protocol: it is written as it was, but for what is mended. */
  readonly faithful: boolean;
  /** What the service would refuse is mended, and each mend reported: always for a value of another protocol, else where the caller asks for it. */
  readonly mends: boolean;
  readonly response: boolean;
  readonly report: Report;
  readonly names: Names;
  readonly customTools: LateSet<string>;
  /** The names under which functions were called, by our id of the call. */
  readonly callNames: LateMap<string, string>;
  /** Calls that are written without an id, by ours: a result that is made up for one has none either. */
  readonly unnamedCalls: LateSet<string>;
  readonly link?: Linker | undefined;
}
