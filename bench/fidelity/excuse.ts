import type { Json, ProtocolId, RedundancyRule } from "@rolecall/core";
import { isJsonObject, jsonEqual, loadProtocol, protocolIds, valueAt } from "@rolecall/core";
import { pointerOf } from "../../packages/cli/src/audit/leaves.ts";
import { matches, patternOf } from "../../packages/cli/src/audit/pattern.ts";
import type { Excuse } from "../../packages/cli/src/audit/redundancy.ts";
import { createExcuses } from "../../packages/cli/src/audit/redundancy.ts";

/** Says what of a leaf need not show anywhere: the same for every converter. */
export type ExcuseReader = (path: readonly string[], value: Json, body: Json) => Excuse;

/** The readers of all protocols, for bodies and for streams. */
export async function readExcuses(): Promise<
  (protocol: ProtocolId, kind: "request" | "response" | "stream") => ExcuseReader
> {
  const readers = new Map<string, ExcuseReader>();
  for (const id of protocolIds) {
    const { redundancy } = await loadProtocol(id);
    readers.set(`${id} request`, createExcuses(redundancy, "request"));
    readers.set(`${id} response`, createExcuses(redundancy, "response"));
    readers.set(`${id} stream`, createStreamExcuses(redundancy));
  }
  return (protocol, kind) => readers.get(`${protocol} ${kind}`) ?? (() => "none");
}

/** Of a stream some rules hold only where another frame says the same. */
function createStreamExcuses(rules: readonly RedundancyRule[]): ExcuseReader {
  const own = rules
    .filter(({ operation }) => operation === "stream")
    .map((rule) => [rule, patternOf(rule.path)] as const);
  return (path, value, body) => {
    const events = valueAt(body, "/events");
    const frames: readonly Json[] = Array.isArray(events) ? events : [];
    const number = Number(path[1]);
    const inner = path.slice(2);
    // What the first frame of Messages says of the whole message stands at the root of later ones.
    const later = inner[0] === "message" ? inner.slice(1) : inner;
    const isStated = (frame: Json): boolean =>
      [inner, ["message", ...inner]].some((steps) => jsonEqual(valueAt(frame, pointerOf(steps)), value));
    const frame = frames[number];
    let excuse: Excuse = "none";
    for (const [rule, pattern] of own) {
      if (!matches(pattern, path)) continue;
      if (rule.values !== undefined && !rule.values.some((candidate) => jsonEqual(candidate, value))) continue;
      if (rule.events !== undefined && !(isJsonObject(frame) && rule.events.includes(String(frame["type"])))) continue;
      if (rule.when === "repeated" && !frames.slice(0, number).some(isStated)) continue;
      if (
        rule.when === "superseded" &&
        !frames.slice(number + 1).some((item) => valueAt(item, pointerOf(later)) !== undefined)
      )
        continue;
      if (rule.covers === "always") return "always";
      excuse = "removal";
    }
    return excuse;
  };
}
