import type { JsonObject } from "@rolecall/core";
import { arbitraryRequestBody, arbitraryResponseBody, withUnknown } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { attempt, convert, operations, protocols, ways } from "../conversion.ts";
import { withAt } from "../edits/edits.ts";
import { law } from "../law.ts";
import type { Conversion } from "./faults.ts";
import { changeFault, falseAlarm, insertionFault, promises, removalFault } from "./faults.ts";
import type { Place } from "./leaves.ts";
import {
  choice,
  chosen,
  excuseOf,
  isSpeaking,
  leavesOf,
  objectsOf,
  otherValue,
  token,
  unknownKey,
  withKey,
  withoutAt,
} from "./leaves.ts";

for (const { name, from, to, target } of ways)
  describe(name, () => {
    describe.each(operations)("%s", (operation) => {
      const usual = operation === "request" ? arbitraryRequestBody(from) : arbitraryResponseBody(from);
      const bodies = fc.oneof(usual, withUnknown(usual));
      const { redundancy } = protocols[from];
      const excuse = (place: Pick<Place, "path" | "value">, body: JsonObject) =>
        excuseOf(place, body, redundancy, operation);
      /** Undefined where the body is refused, which is an answer. */
      const run = (body: JsonObject): Conversion | undefined => {
        const result = attempt(() => convert(from, to, operation, body, target));
        if ("error" in result) return undefined;
        return { ...result.value, text: JSON.stringify(result.value.value) };
      };

      law(
        "each change shows or is told, and what is dropped does not show",
        100,
        fc.property(bodies, choice, (body, numbers) => {
          const before = run(body);
          fc.pre(before !== undefined);
          for (const leaf of chosen(leavesOf(body), numbers).filter(isSpeaking)) {
            const after = run(withAt<JsonObject>(body, leaf.path, otherValue(leaf.value)));
            if (after === undefined) continue;
            const fault = changeFault(leaf, before, after);
            if (fault !== undefined && excuse(leaf, body) !== "always") throw new Error(`${leaf.pointer}: ${fault}`);
            const promised = promises(leaf, before);
            if (promised.length === 0) continue;
            const alarm = falseAlarm(promised, before, after, run(withoutAt(body, leaf.path)));
            if (alarm !== undefined) throw new Error(`${leaf.pointer}: ${alarm}`);
          }
        }),
      );

      law(
        "what is taken away shows or was dropped",
        60,
        fc.property(bodies, choice, (body, numbers) => {
          const before = run(body);
          fc.pre(before !== undefined);
          for (const leaf of chosen(leavesOf(body), numbers).filter(isSpeaking)) {
            const after = leaf.path.length === 0 ? undefined : run(withoutAt(body, leaf.path));
            const fault = after === undefined ? undefined : removalFault(body, leaf, before, after);
            if (fault !== undefined && excuse(leaf, body) === "none") throw new Error(`${leaf.pointer}: ${fault}`);
          }
        }),
      );

      law(
        "what no protocol knows shows or is dropped",
        60,
        fc.property(bodies, choice, (body, numbers) => {
          for (const object of chosen(objectsOf(body), numbers)) {
            const pointer = `${object.pointer}/${unknownKey}`;
            const after = run(withKey(body, object, unknownKey, token));
            const fault = after === undefined ? undefined : insertionFault(pointer, after);
            const isExcused = excuse({ path: [...object.path, unknownKey], value: token }, body) === "always";
            if (fault !== undefined && !isExcused) throw new Error(`${pointer}: ${fault}`);
          }
        }),
      );
    });
  });
