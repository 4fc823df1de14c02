import type { JsonObject, Loss } from "@rolecall/core";
import { valueAt } from "@rolecall/core";
import { arbitraryRequestBody, arbitraryResponseBody, withUnknown } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { attempt, convert, operations, protocols, ways } from "./conversion.ts";
import { withAt } from "./edits.ts";
import { law } from "./law.ts";
import type { Place } from "./leaves.ts";
import {
  droppedAt,
  equalsOf,
  excuseOf,
  leavesOf,
  lossesAt,
  objectsOf,
  otherValue,
  token,
  withKey,
  withoutAt,
} from "./leaves.ts";

/** Words that say what an object is; another word makes it another object. A cache mark of Chat says it with its mode. */
const discriminators: ReadonlySet<string> = new Set(["type", "role", "mode"]);

/** The target has one word for several values of the source, or a smaller range. */
const coarse: ReadonlySet<string> = new Set([
  "reasoning.budget",
  "setting.clamped",
  "stop.approximated",
  "usage.inconsistent",
]);

/** True where the report on the changed body says at the place, or above or below it, what it did not say before. */
function isTold(pointer: string, before: readonly Loss[], after: readonly Loss[]): boolean {
  const key = ({ code, kind, path, detail }: Loss): string => `${code} ${kind} ${path} ${detail}`;
  const known = new Set(before.map(key));
  const told = lossesAt(pointer, after).filter((loss) => !known.has(key(loss)) || coarse.has(loss.code));
  return told.length > 0 || after.some(({ path }) => path.startsWith(`${pointer}/`));
}

/** No value, null and empty containers mean absence. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

const unknownKey = "x_law_probe";

describe.each(ways)("$name", ({ from, to, target }) => {
  describe.each(operations)("%s", (operation) => {
    const usual = operation === "request" ? arbitraryRequestBody(from) : arbitraryResponseBody(from);
    const bodies = fc.oneof(usual, withUnknown(usual));
    const { redundancy } = protocols[from];
    const run = (body: JsonObject) => attempt(() => convert(from, to, operation, body, target));
    const pick = (places: readonly Place[], index: number): Place | undefined => places[index % places.length];

    law(
      "each change shows or is dropped, and what is dropped does not show",
      400,
      fc.property(bodies, fc.nat(), (body, index) => {
        const before = run(body);
        fc.pre("value" in before);
        const leaf = pick(leavesOf(body), index);
        // Blank argument text means no arguments.
        fc.pre(leaf !== undefined && !(leaf.path.at(-1) === "arguments" && String(leaf.value).trim() === ""));
        const after = run(withAt<JsonObject>(body, leaf.path, otherValue(leaf.value)));
        if ("error" in after) return;
        const shows = JSON.stringify(before.value.value) !== JSON.stringify(after.value.value);
        const dropped = droppedAt(leaf.pointer, before.value.losses);
        if (!shows && dropped.length === 0 && !isTold(leaf.pointer, before.value.losses, after.value.losses)) {
          if (excuseOf(leaf, redundancy, operation) !== "always") throw new Error(`silent: ${leaf.pointer}`);
        }
        const isText = typeof leaf.value === "string" && leaf.value.trim() !== "";
        if (shows && isText && !JSON.stringify(after.value.value).includes(token)) {
          if (lossesAt(leaf.pointer, [...before.value.losses, ...after.value.losses]).length === 0)
            throw new Error(`gone: ${leaf.pointer}`);
        }
        // Something in the place of nothing is another thing.
        const isValue = leaf.value !== "" && typeof leaf.value !== "object";
        if (shows && isValue && dropped.length > 0 && !discriminators.has(leaf.path.at(-1) ?? ""))
          throw new Error(
            `false alarm: ${leaf.pointer}\n${dropped.map(({ code, path }) => `${code} at ${path}`).join("\n")}`,
          );
      }),
    );

    law(
      "what is taken away shows or was dropped",
      200,
      fc.property(bodies, fc.nat(), (body, index) => {
        const before = run(body);
        fc.pre("value" in before);
        const leaf = pick(leavesOf(body), index);
        fc.pre(leaf !== undefined && leaf.path.length > 0);
        const after = run(withoutAt(body, leaf.path));
        if ("error" in after) return;
        if (JSON.stringify(before.value.value) !== JSON.stringify(after.value.value)) return;
        if (equalsOf(body, leaf).some((pointer) => droppedAt(pointer, before.value.losses).length > 0)) return;
        if (isTold(leaf.pointer, before.value.losses, after.value.losses)) return;
        if (excuseOf(leaf, redundancy, operation) === "none") throw new Error(`silent removal: ${leaf.pointer}`);
      }),
    );

    law(
      "what no protocol knows shows or is dropped",
      200,
      fc.property(bodies, fc.nat(), (body, index) => {
        const object = pick(objectsOf(body), index);
        fc.pre(object !== undefined);
        const key = [...object.path, unknownKey];
        const pointer = `${object.pointer}/${unknownKey}`;
        const after = run(withKey(body, object, unknownKey, unknownKey));
        fc.pre("value" in after && excuseOf({ path: key, value: unknownKey }, redundancy, operation) !== "always");
        const shows = JSON.stringify(after.value.value).includes(unknownKey);
        const dropped = droppedAt(pointer, after.value.losses);
        if (!shows && dropped.length === 0) throw new Error(`silent: ${pointer}`);
        if (shows && dropped.length > 0) throw new Error(`false alarm: ${dropped[0]?.code} at ${dropped[0]?.path}`);
      }),
    );

    law(
      "each loss has a place in the body; what is made up has one in the output",
      250,
      fc.property(bodies, (body) => {
        const result = run(body);
        fc.pre("value" in result);
        const { value, losses } = result.value;
        for (const loss of losses) {
          const { code, kind, path, targetPath } = loss;
          if (kind === "synthesized" && path === "") {
            if (targetPath === undefined || valueAt(value, targetPath) === undefined)
              throw new Error(`no place in the output: ${code} ${targetPath}`);
          } else if (code === "field.absent") {
            const others = losses.filter((other) => other.path === path && other.code !== code);
            if (!isNothing(valueAt(body, path)) && others.length === 0) throw new Error(`not absent: ${path}`);
          } else if (path === "" || valueAt(body, path) === undefined)
            throw new Error(`no place in the body: ${code} "${path}"`);
        }
      }),
    );
  });
});
