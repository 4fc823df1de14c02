import type { Json, JsonObject, Loss } from "@rolecall/core";
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

interface Conversion {
  readonly text: string;
  readonly value: Json;
  readonly losses: readonly Loss[];
}

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
function isTold(pointer: string, before: Conversion, after: Conversion): boolean {
  const key = ({ code, kind, path, detail }: Loss): string => `${code} ${kind} ${path} ${detail}`;
  const known = new Set(before.losses.map(key));
  const told = lossesAt(pointer, after.losses).filter((loss) => !known.has(key(loss)) || coarse.has(loss.code));
  return told.length > 0 || after.losses.some(({ path }) => path.startsWith(`${pointer}/`));
}

const named = (losses: readonly Loss[]): string => losses.map(({ code, path }) => `${code} at ${path}`).join(", ");

/** What is wrong where a leaf got another value: the change is lost, its text is lost, or what was told to be dropped arrives. */
function changeFault({ path, pointer, value }: Place, before: Conversion, after: Conversion): string | undefined {
  const shows = before.text !== after.text;
  const dropped = droppedAt(pointer, before.losses);
  if (!shows) return dropped.length > 0 || isTold(pointer, before, after) ? undefined : "silent change";
  const isWord = typeof value === "string" && value.trim() !== "";
  const isGone = isWord && !after.text.includes(token);
  if (isGone && lossesAt(pointer, [...before.losses, ...after.losses]).length === 0) return "text gone";
  // Something in the place of nothing is another thing.
  const isValue = value !== "" && typeof value !== "object";
  const isFalse = isValue && dropped.length > 0 && !discriminators.has(path.at(-1) ?? "");
  return isFalse ? `false alarm of ${named(dropped)}` : undefined;
}

/** Which of the places of a body are looked at. */
const choice = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });
const chosen = (places: readonly Place[], numbers: readonly number[]): Place[] =>
  numbers.flatMap((number) => places[number % places.length] ?? []);

describe.each(ways)("$name", ({ from, to, target }) => {
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
        for (const leaf of chosen(leavesOf(body), numbers)) {
          // Blank argument text means no arguments, however blank.
          if (leaf.path.at(-1) === "arguments" && String(leaf.value).trim() === "") continue;
          const after = run(withAt<JsonObject>(body, leaf.path, otherValue(leaf.value)));
          const fault = after === undefined ? undefined : changeFault(leaf, before, after);
          if (fault === "silent change" && excuse(leaf, body) === "always") continue;
          if (fault !== undefined) throw new Error(`${leaf.pointer}: ${fault}`);
        }
      }),
    );

    law(
      "what is taken away shows or was dropped",
      60,
      fc.property(bodies, choice, (body, numbers) => {
        const before = run(body);
        fc.pre(before !== undefined);
        for (const leaf of chosen(leavesOf(body), numbers)) {
          const after = leaf.path.length === 0 ? undefined : run(withoutAt(body, leaf.path));
          if (after === undefined || before.text !== after.text) continue;
          if (equalsOf(body, leaf).some((pointer) => droppedAt(pointer, before.losses).length > 0)) continue;
          if (isTold(leaf.pointer, before, after) || excuse(leaf, body) !== "none") continue;
          throw new Error(`${leaf.pointer}: silent removal`);
        }
      }),
    );

    law(
      "what no protocol knows shows or is dropped",
      60,
      fc.property(bodies, choice, (body, numbers) => {
        for (const object of chosen(objectsOf(body), numbers)) {
          const key = "x_law_probe";
          const pointer = `${object.pointer}/${key}`;
          const after = run(withKey(body, object, key, token));
          if (after === undefined || excuse({ path: [...object.path, key], value: token }, body) === "always") continue;
          const shows = after.text.includes(token);
          const dropped = droppedAt(pointer, after.losses);
          if (!shows && dropped.length === 0) throw new Error(`${pointer}: silent insertion`);
          if (shows && dropped.length > 0) throw new Error(`${pointer}: false alarm of ${named(dropped)}`);
        }
      }),
    );
  });
});
