import type { Json, JsonObject } from "@rolecall/core";
import { jsonEqual, RolecallError, valueAt } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { converterOf, crossPairs, protocols } from "../conversion.ts";
import { withAt } from "../edits/edits.ts";
import { law } from "../law.ts";
import type { Conversion } from "./faults.ts";
import { changeFault, falseAlarm, insertionFault, promises, removalFault } from "./faults.ts";
import type { Place } from "./leaves.ts";
import {
  choice,
  chosen,
  isCovered,
  leavesOf,
  objectsOf,
  otherValue,
  token,
  unknownKey,
  withKey,
  withoutAt,
} from "./leaves.ts";
import type { Stream } from "./streams.ts";
import { streamOf, streamsOf, textOf } from "./streams.ts";

/** Undefined where the stream fails. The figures of the report, which stand in a comment, are no part of what is said. */
async function run(stream: Stream, from: BodyProtocol, to: BodyProtocol): Promise<Conversion | undefined> {
  try {
    const converted = converterOf(to, from).convertStream(textOf(stream, from));
    let text = "";
    for await (const piece of converted) text += piece;
    if (streamOf(text).events.some((frame) => valueAt(frame, "/error") !== undefined)) return undefined;
    return { text: text.replace(/^: .*$/gm, ""), value: {}, losses: await converted.report };
  } catch (error) {
    if (error instanceof RolecallError) return undefined;
    throw error;
  }
}

/** True where the list of the protocol says that a leaf of a frame need not show. */
function isExcused(stream: Stream, { path, value }: Pick<Place, "path" | "value">, protocol: BodyProtocol): boolean {
  const [, number = "", ...inner] = path;
  const below = (frame: Json, steps: readonly string[]): unknown =>
    steps.reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? (at as JsonObject)[key] : undefined),
      frame,
    );
  const before = stream.events.slice(0, Number(number));
  const after = stream.events.slice(Number(number) + 1);
  // What the first frame of Messages says of the whole message stands at the root of later ones.
  const later = inner[0] === "message" ? inner.slice(1) : inner;
  const isStated = (frame: Json): boolean =>
    [inner, ["message", ...inner]].some((steps) => jsonEqual(below(frame, steps), value));
  return protocols[protocol].redundancy.some(
    (rule) =>
      isCovered(rule, { path, value }, "stream") &&
      (rule.events === undefined || rule.events.includes(String(valueAt(stream, `/events/${number}/type`)))) &&
      (rule.when !== "repeated" || before.some(isStated)) &&
      (rule.when !== "superseded" || after.some((frame) => below(frame, later) !== undefined)),
  );
}

/** True where a list says that nothing below a place need ever show. */
const isFree = (path: readonly string[], protocol: BodyProtocol): boolean =>
  protocols[protocol].redundancy.some(
    (rule) =>
      rule.covers === "always" &&
      rule.when === undefined &&
      rule.events === undefined &&
      isCovered(rule, { path, value: token }, "stream"),
  );

describe.each(crossPairs)("a stream of %s for a client of %s", (from, to) => {
  const streams = streamsOf(from);

  law(
    "each change of a frame shows or is told, and what is dropped does not show",
    150,
    fc.asyncProperty(streams, choice, async (stream, numbers) => {
      const before = await run(stream, from, to);
      fc.pre(before !== undefined);
      for (const leaf of chosen(leavesOf(stream), numbers)) {
        const after = await run(withAt<Stream>(stream, leaf.path, otherValue(leaf.value)), from, to);
        if (after === undefined) continue;
        const fault = changeFault(leaf, before, after);
        if (fault !== undefined && !isExcused(stream, leaf, from)) throw new Error(`${leaf.pointer}: ${fault}`);
        const promised = promises(leaf, before);
        if (promised.length === 0) continue;
        const removed = await run(withoutAt(stream, leaf.path) as Stream, from, to);
        const alarm = falseAlarm(promised, before, after, removed);
        if (alarm !== undefined) throw new Error(`${leaf.pointer}: ${alarm}`);
      }
    }),
  );

  law(
    "what is taken out of a frame shows or was dropped",
    150,
    fc.asyncProperty(streams, choice, async (stream, numbers) => {
      const before = await run(stream, from, to);
      fc.pre(before !== undefined);
      for (const leaf of chosen(leavesOf(stream), numbers)) {
        const after = await run(withoutAt(stream, leaf.path) as Stream, from, to);
        const fault = after === undefined ? undefined : removalFault(stream, leaf, before, after);
        if (fault !== undefined && !isExcused(stream, leaf, from)) throw new Error(`${leaf.pointer}: ${fault}`);
      }
    }),
  );

  law(
    "what no protocol knows shows or is dropped",
    150,
    fc.asyncProperty(streams, choice, async (stream, numbers) => {
      for (const object of chosen(objectsOf(stream).slice(1), numbers)) {
        const pointer = `${object.pointer}/${unknownKey}`;
        const after = await run(withKey(stream, object, unknownKey, token) as Stream, from, to);
        const fault = after === undefined ? undefined : insertionFault(pointer, after);
        if (fault !== undefined && !isFree([...object.path, unknownKey], from)) throw new Error(`${pointer}: ${fault}`);
      }
    }),
  );
});
