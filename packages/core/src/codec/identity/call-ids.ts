import type { OpaqueState, ProtocolId } from "../../ir/index.ts";
import { hashName } from "./hash.ts";

/** Calls of one turn that have the same id on the wire, in order, with the number of those already answered. */
interface Namesakes {
  readonly turn: number;
  readonly ids: string[];
  answered: number;
}

/** Gives calls ids that are unique in the conversation, and finds the call that a result answers. */
export interface CallIds {
  readonly protocol: ProtocolId;
  readonly used: Set<string>;
  /** Our ids of the latest calls for each id of the wire. */
  readonly latest: Map<string, Namesakes>;
  calls: number;
  turn: number;
}

export function createCallIds(protocol: ProtocolId): CallIds {
  return { protocol, used: new Set(), latest: new Map(), calls: 0, turn: 0 };
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
  const isNew = wireId !== "" && !ids.used.has(wireId);
  const id = isNew ? wireId : `call_${hashName(`${ids.protocol}\n${ordinal}\n${name}`)}`;
  ids.used.add(id);
  const namesakes = ids.latest.get(wireId);
  if (namesakes?.turn === ids.turn) namesakes.ids.push(id);
  else ids.latest.set(wireId, { turn: ids.turn, ids: [id], answered: 0 });
  return isNew ? { id } : { id, state: [{ protocol: ids.protocol, kind: "callId", value: wireId }] };
}

/** The id of the first unanswered of the nearest calls with the wire's id, else of the last of them; the wire's id where there is none. */
export function resolveCallId(ids: CallIds, wireId: string): string {
  const namesakes = ids.latest.get(wireId);
  if (namesakes === undefined) return wireId;
  const place = Math.min(namesakes.answered++, namesakes.ids.length - 1);
  return namesakes.ids[place] ?? wireId;
}
