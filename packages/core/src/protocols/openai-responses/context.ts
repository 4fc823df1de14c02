import type { CallIds } from "../../codec/identity/call-ids.ts";
import { copyCallIds } from "../../codec/identity/call-ids.ts";
import type { LateMap, LateSet } from "../../codec/identity/late.ts";
import type { Names } from "../../codec/identity/names.ts";
import type { Absence } from "../../codec/ledger.ts";
import type { Linker } from "../../codec/protocol.ts";
import type { ThinkingPart } from "../../ir/index.ts";
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
  readonly response: boolean;
  /** The namespaces that the request declares. A call may also name one that the service made for a tool that it found. */
  readonly namespaces: ReadonlySet<string> | undefined;
  /** What a null or an empty container of an item means: in a response absence, in a request a statement. */
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
  /** The value came from this protocol: it is written as it was, without mending. */
  readonly faithful: boolean;
  /** What the service would refuse is mended, and each mend reported: always for a value of another protocol, else where the caller asks for it. */
  readonly mends: boolean;
  /** Calls may be known to the service alone: results without one are no fault. */
  readonly stored: boolean;
  /** The value came from a protocol of OpenAI, whose rules of strict schemas are the same. */
  readonly forOpenAi: boolean;
  readonly response: boolean;
  readonly report: Report;
  readonly names: Names;
  readonly customTools: LateSet<string>;
  /** The type of the item that each call was written as, by its id in the IR: its result is of the same kind. */
  readonly callTypes: LateMap<string, string>;
  /** The parts that items of reasoning are made of. */
  readonly reasoning: WeakMap<object, ThinkingPart>;
  /** What ids that are made up begin with, so that those of two answers differ. */
  readonly seed: string;
  /** So many ids were made up. */
  readonly made: { items: number };
  readonly link?: Linker | undefined;
}
