import type { TraceEntry } from "../convert/trace.ts";
import type { Conversation, Pointer, Settings } from "../ir/index.ts";
import type { FieldPointer } from "../loss/index.ts";
import type { Finding } from "./finding.ts";

/** Turns places of an encoded body into places of what it was made of. */
export type Relocate = (target: Pointer) => Pointer;

/** The longest place above or at a pointer that a map knows. */
function nearest(places: ReadonlyMap<Pointer, Pointer>, pointer: Pointer): Pointer | undefined {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const found = places.get(pointer.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Places by way of a trace: the node that became the object at a place, or the nearest object around it. */
export function relocation(entries: readonly TraceEntry[], side: "irPath" | "source"): Relocate {
  const places = new Map<Pointer, Pointer>();
  for (const { target, ...entry } of entries) {
    const place = entry[side];
    // Of several nodes that became one object, the first opened it.
    if (target !== undefined && target !== "" && place !== undefined && !places.has(target)) places.set(target, place);
  }
  return (target) => nearest(places, target) ?? "";
}

/** The same into a conversation, whose settings have no object of their own in a body. */
export function irRelocation(
  { settings }: Conversation,
  entries: readonly TraceEntry[],
  fieldPointer: FieldPointer,
): Relocate {
  const keys = new Map<Pointer, Pointer>();
  for (const key of Object.keys(settings) as (keyof Settings)[]) {
    const pointer = fieldPointer(settings, key, "");
    if (pointer !== undefined && pointer !== "") keys.set(`/${pointer.replace(/^\//, "")}`, `/settings/${key}`);
  }
  const ofNodes = relocation(entries, "irPath");
  return (target) => nearest(keys, target) ?? ofNodes(target);
}

/** Findings in an encoded body, told where what it was made of has the place. */
export function relocated(findings: readonly Finding[], relocate: Relocate): Finding[] {
  return findings.map((finding) => ({ ...finding, path: relocate(finding.path), targetPath: finding.path }));
}
