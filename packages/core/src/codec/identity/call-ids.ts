import type { OpaqueState, ProtocolId } from "../../ir/index.ts";
import { hashName } from "./hash.ts";

/** Gives calls ids that are unique in the conversation, and finds the call that a result answers. */
export interface CallIds {
  readonly protocol: ProtocolId;
  readonly used: Set<string>;
  /** The latest id of ours for each id of the wire. */
  readonly latest: Map<string, string>;
  calls: number;
}

export function createCallIds(protocol: ProtocolId): CallIds {
  return { protocol, used: new Set(), latest: new Map(), calls: 0 };
}

/** The id of a call: the wire's own where it is new, else one derived from the call's place; then the wire's is kept as state. */
export function assignCallId(
  ids: CallIds,
  wireId: string,
  name: string,
): { readonly id: string; readonly state?: readonly OpaqueState[] } {
  const ordinal = ids.calls++;
  if (wireId !== "" && !ids.used.has(wireId)) {
    ids.used.add(wireId);
    ids.latest.set(wireId, wireId);
    return { id: wireId };
  }
  const id = `call_${hashName(`${ids.protocol}\n${ordinal}\n${name}`)}`;
  ids.used.add(id);
  ids.latest.set(wireId, id);
  return { id, state: [{ protocol: ids.protocol, kind: "callId", value: wireId }] };
}

/** The id of the nearest earlier call with the wire's id; the wire's id itself where there is none. */
export function resolveCallId(ids: CallIds, wireId: string): string {
  return ids.latest.get(wireId) ?? wireId;
}
