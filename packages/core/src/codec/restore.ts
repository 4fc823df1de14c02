import type { AssistantTurn, Json, Pointer, ProtocolId, WireForm } from "../ir/index.ts";
import { isJsonObject, pointerSegments, setOwn } from "../ir/index.ts";

/** A wire object under construction. */
export type WireObject = { [key: string]: Json | undefined };

/**
 * Writes a node's residue back into its wire object: `rest` at its pointers, the nulls and empty containers of `form`, each only where nothing was
 * written. Residue of another protocol is not touched (the sweep reports it). `except` stays away.
 */
export function restore(
  target: WireObject,
  wire: WireForm | undefined,
  protocol: ProtocolId,
  except: readonly Pointer[] = [],
): void {
  if (wire === undefined || wire.protocol !== protocol) return;
  restoreParts(target, wire.rest, wire.form, except);
}

/** The same for the residue of the container that a node opens. */
export function restoreGroup(target: WireObject, wire: WireForm | undefined, protocol: ProtocolId): void {
  if (wire === undefined || wire.protocol !== protocol || wire.group === undefined) return;
  restoreParts(target, wire.group.rest, wire.group.form);
}

/** Sets all own properties of another object: what `Object.assign` does, but for the key `__proto__`. */
export function assignOwn(target: WireObject, source: object): void {
  for (const [key, value] of Object.entries(source)) setOwn(target, key, value);
}

function restoreParts(
  target: WireObject,
  rest: WireForm["rest"],
  form: WireForm["form"],
  except: readonly Pointer[] = [],
): void {
  if (rest !== undefined)
    for (const pointer in rest) if (!except.includes(pointer)) restoreAt(target, pointer, rest[pointer] as Json);
  if (form !== undefined)
    for (const pointer in form) if (isAbsence(form[pointer])) restoreAt(target, pointer, form[pointer] as Json);
}

/** Null, an empty text and empty containers, which in a form stand for themselves. */
function isAbsence(value: Json | undefined): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

function restoreAt(target: WireObject, pointer: Pointer, value: Json): void {
  if (!pointer.includes("/") && !pointer.includes("~")) {
    if (!Object.hasOwn(target, pointer)) setOwn(target, pointer, value);
    return;
  }
  const segments = pointerSegments(pointer);
  const last = segments.pop() as string;
  let node: WireObject | Json[] = target;
  for (const segment of segments) {
    let next: unknown = Object.hasOwn(node, segment) ? (node as WireObject)[segment] : undefined;
    if (next === undefined) {
      next = {};
      setOwn(node as WireObject, segment, next);
    }
    if (!isJsonObject(next) && !Array.isArray(next)) return;
    node = next as WireObject | Json[];
  }
  if (!Object.hasOwn(node, last)) setOwn(node as WireObject, last, value);
}

/** True where a node's own protocol stated something else at a place that its encoder fills by itself: null, or a value of the wrong type. */
export function isStated(wire: WireForm | undefined, protocol: ProtocolId, pointer: Pointer): boolean {
  if (wire === undefined || wire.protocol !== protocol) return false;
  if (wire.rest !== undefined && Object.hasOwn(wire.rest, pointer)) return true;
  return wire.form !== undefined && Object.hasOwn(wire.form, pointer) && isAbsence(wire.form[pointer]);
}

/** The spelling that a node's own protocol used, or undefined. */
export function formOf(wire: WireForm | undefined, protocol: ProtocolId, key: string): Json | undefined {
  return wire !== undefined && wire.protocol === protocol && wire.form !== undefined ? wire.form[key] : undefined;
}

/** Whether the answer failed, and its own protocol says so beside the reason to end. */
export function restoresError({ error, wire }: AssistantTurn, protocol: ProtocolId): boolean {
  if (error === undefined || wire?.protocol !== protocol || wire.rest === undefined) return false;
  return Object.hasOwn(wire.rest, "error") || Object.hasOwn(wire.rest, "choices/0/error");
}
