import type { OpaqueState, ProtocolId } from "../../ir/index.ts";
import { hashName } from "./hash.ts";
import { LateMap, LateSet } from "./late.ts";

/**
 * Calls of one turn that have the same id on the wire, with the number of those already answered. Another decoding may know it as well as soon
 * as the turn is over; then only a copy changes.
 */
interface Namesakes {
  readonly turn: number;
  readonly first: string;
  /** The ids of all of them in order, where there are several. */
  ids?: string[];
  readonly answered: number;
}

/** Gives calls ids that are unique in the conversation, and finds the call that a result answers. */
export interface CallIds {
  readonly protocol: ProtocolId;
  /** Our ids of the latest calls for each id of the wire. */
  readonly latest: LateMap<string, Namesakes>;
  /** Ids that no call has on the wire. */
  readonly derived: LateSet<string>;
  calls: number;
  turn: number;
}

export function createCallIds(protocol: ProtocolId): CallIds {
  return { protocol, latest: new LateMap(), derived: new LateSet(), calls: 0, turn: 0 };
}

/** The same ids for a decoding that goes on where another stood. */
export function copyCallIds({ protocol, latest, derived, calls, turn }: CallIds): CallIds {
  return { protocol, latest: latest.copy(), derived: derived.copy(), calls, turn };
}

/** Begins a turn of the model: a result answers calls of the latest turn that has its id. */
export function startTurn(ids: CallIds): void {
  ids.turn++;
}

/** The id of a call: the wire's own where it is new, else one derived from the call's place; then the wire's is kept as state. */
export function assignCallId(
  ids: CallIds,
  wireId: string,
  name: string,
): { readonly id: string; readonly state?: readonly OpaqueState[] } {
  const ordinal = ids.calls++;
  const namesakes = ids.latest.get(wireId);
  const isNew = wireId !== "" && namesakes === undefined && !ids.derived.has(wireId);
  const id = isNew ? wireId : `call_${hashName(`${ids.protocol}\n${ordinal}\n${name}`)}`;
  if (namesakes?.turn === ids.turn) {
    namesakes.ids ??= [namesakes.first];
    namesakes.ids.push(id);
  } else ids.latest.set(wireId, { turn: ids.turn, first: id, answered: 0 });
  if (isNew) return { id };
  ids.derived.add(id);
  return { id, state: [{ protocol: ids.protocol, kind: "callId", value: wireId }] };
}

/** The id of the first unanswered of the nearest calls with the wire's id, else of the last of them; the wire's id where there is none. */
export function resolveCallId(ids: CallIds, wireId: string): string {
  const namesakes = ids.latest.get(wireId);
  if (namesakes === undefined) return wireId;
  const { first, ids: all, answered } = namesakes;
  if (all === undefined) return first;
  ids.latest.set(wireId, { ...namesakes, answered: answered + 1 });
  return all[Math.min(answered, all.length - 1)] ?? first;
}
