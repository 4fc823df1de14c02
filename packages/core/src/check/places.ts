import type { TraceEntry } from "../convert/trace.ts";
import type { Pointer, Settings } from "../ir/index.ts";
import { valueAt } from "../ir/index.ts";
import type { FieldPointer } from "../loss/index.ts";
import type { Finding } from "./finding.ts";

/** Turns places of an encoded body into places of what it was made of. */
export type Relocate = (target: Pointer) => Pointer;

/** Where things of a body came from, by their places in it. */
type Origins = ReadonlyMap<Pointer, Pointer>;

/** Where the nodes of a trace came from. Of several nodes that became one object, the first opened it. */
export function originsOf(entries: readonly TraceEntry[], side: "irPath" | "source"): Origins {
  const origins = new Map<Pointer, Pointer>();
  for (const { target, ...entry } of entries) {
    const place = entry[side];
    if (target !== undefined && target !== "" && place !== undefined && !origins.has(target))
      origins.set(target, place);
  }
  return origins;
}

/** Where settings came from, which have no object of their own in a body. */
export function originsOfSettings(
  settings: Settings,
  fieldPointer: FieldPointer,
  locate: (key: string) => Pointer | undefined,
): Origins {
  const origins = new Map<Pointer, Pointer>();
  for (const key of Object.keys(settings)) {
    const target = fieldPointer(settings, key, "");
    const place = locate(key);
    if (target !== undefined && target !== "" && place !== undefined)
      origins.set(target.startsWith("/") ? target : `/${target}`, place);
  }
  return origins;
}

/** The place in `root` of the thing at a place, or of the nearest around it; what is below it keeps its place where `root` has that too. */
export function relocation(root: unknown, ...all: readonly Origins[]): Relocate {
  return (target) => {
    for (const origins of all) {
      for (let end = target.length; end > 0; end = target.lastIndexOf("/", end - 1)) {
        const found = origins.get(target.slice(0, end));
        if (found === undefined) continue;
        const below = found + target.slice(end);
        return valueAt(root, below) === undefined ? found : below;
      }
    }
    return "";
  };
}

/** Findings in an encoded body, told where what it was made of has the place. */
export function relocated(findings: readonly Finding[], relocate: Relocate): Finding[] {
  return findings.map((finding) => ({ ...finding, path: relocate(finding.path), targetPath: finding.path }));
}
