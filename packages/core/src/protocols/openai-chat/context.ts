import type { CallIds } from "../../codec/identity/call-ids.ts";
import { copyCallIds } from "../../codec/identity/call-ids.ts";
import type { LateMap, LateSet } from "../../codec/identity/late.ts";
import type { Names } from "../../codec/identity/names.ts";
import type { Linker } from "../../codec/protocol.ts";
import type { Part } from "../../ir/index.ts";
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
  /** Ids given to calls of the deprecated form, by function name. */
  readonly functionCalls: LateMap<string, string>;
  readonly response: boolean;
}

/** A reader that goes on where this one stands. */
export function copyReader(reader: Reader): Reader {
  return {
    ...reader,
    trace: copyTrace(reader.trace),
    losses: [...reader.losses],
    callIds: copyCallIds(reader.callIds),
    functionCalls: reader.functionCalls.copy(),
  };
}

/** What encoding of one body shares. */
export interface Writer {
  readonly target: ResolvedProfile;
  /** The value came from this protocol: it is written as it was. */
  readonly faithful: boolean;
  /** What a service of this protocol would refuse is mended: always where the value came from another, else on request. */
  readonly mends: boolean;
  /** The value came from a protocol of OpenAI, whose rules of strict schemas are the same. */
  readonly forOpenAi: boolean;
  readonly response: boolean;
  readonly report: Report;
  readonly names: Names;
  /** Of a response: the client reads its call under the deprecated `function_call`. */
  readonly functionCalls?: boolean;
  readonly customTools: LateSet<string>;
  /** Names of calls in the deprecated form, whose results have no id. */
  readonly functionNames: LateMap<string, string>;
  readonly link?: Linker | undefined;
}

/** Losses of a copy are those of the part itself. */
export function sameNode(writer: Writer, part: Part): Writer {
  const report = {
    drafts: {
      push: (draft: Writer["report"]["drafts"][number]) => writer.report.drafts.push({ ...draft, node: part }),
    } as unknown as Writer["report"]["drafts"],
  };
  return { ...writer, report, names: { ...writer.names, report } };
}
